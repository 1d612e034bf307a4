package cli

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"afterstate/models"
	"afterstate/ntuple"
)

const exportHelp = `Write the weights as arrays that NumPy reads: a .npy file for each stage and pattern
into DIR, or all in one FILE that ends in .npz; and layout.json beside them (in the .npz
too), which says which is which.

An array has one dimension of 16 for each cell of its pattern, in the order of layout.json's
"cells", which number the board row by row from the top left. Indices are exponents: 0 an
empty cell, 1 a tile of 2, 15 a tile of 32768. So a pattern of the cells 0 1 2 4 5 6 is

  w = np.load("stage0-pattern0.npy")      # or np.load("all.npz")["stage0-pattern0"]
  w[a, b, c, d, e, f]

What a board is worth is bias plus the sum of w over all patterns and the 8 symmetries of
the board (on boards that are not square 4, each twice). The stage of a board is the last
one whose tiles it has. A weight of 0 in a later stage stands for that of the stage before
it, and 0 in all of them for stage_bias[stage] / (8 x patterns).`

func newModelExport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "export FILE -o DIR|FILE.npz",
		Short:   "Write a model's weights as arrays that NumPy reads",
		Long:    exportHelp,
		Example: "afterstate model export checkpoint.model -o weights.npz",
		Args:    between(1, 1, "one model file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("missing --out: want a folder, or a file that ends in .npz")
			}
			if err := distinct(args[0], out); err != nil {
				return err
			}
			m, err := loadModel(args[0])
			if err != nil {
				return err
			}
			defer m.Close()
			if strings.HasSuffix(out, ".npz") {
				return exportZip(cmd.OutOrStdout(), out, m)
			}
			return exportFolder(cmd.OutOrStdout(), out, m)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`DIR`, or a file that ends in .npz")
	return cmd
}

// exportLayout is layout.json.
type exportLayout struct {
	Size      string         `json:"size"`
	Bias      float32        `json:"bias"`
	StageBias []float32      `json:"stage_bias"`
	Stages    []ntuple.Stage `json:"stages"` // exponents that a board must have
	Arrays    []exportArray  `json:"arrays"`
}

type exportArray struct {
	Name    string `json:"name"`
	Stage   int    `json:"stage"`
	Pattern int    `json:"pattern"`
	Cells   []int  `json:"cells"`
}

func describeExport(m *models.Model) *exportLayout {
	l := &exportLayout{Size: m.Size.String(), Bias: m.Bias, StageBias: make([]float32, m.StageCount()), Stages: m.Stages}
	copy(l.StageBias, m.StageBias)
	for s := range m.StageCount() {
		for k, p := range m.Patterns {
			a := exportArray{Name: fmt.Sprintf("stage%d-pattern%d", s, k), Stage: s, Pattern: k}
			for _, c := range p {
				a.Cells = append(a.Cells, int(c))
			}
			l.Arrays = append(l.Arrays, a)
		}
	}
	return l
}

func exportZip(told io.Writer, path string, m *models.Model) error {
	file, err := newOutput(path)
	if err != nil {
		return err
	}
	defer file.discard()
	l := describeExport(m)
	err = file.commit(func(w io.Writer) error {
		z := zip.NewWriter(w)
		part, err := z.Create("layout.json")
		if err == nil {
			err = writeJSON(part, l)
		}
		for _, a := range l.Arrays {
			if err != nil {
				return err
			}
			if part, err = z.Create(a.Name + ".npy"); err == nil {
				err = writeArray(part, m, a)
			}
		}
		if err != nil {
			return err
		}
		return z.Close()
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(told, path)
	return err
}

func exportFolder(told io.Writer, folder string, m *models.Model) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return usagef("%s cannot be made: %w", folder, rootCause(err))
	}
	l := describeExport(m)
	write := func(name string, fill func(io.Writer) error) error {
		path := filepath.Join(folder, name)
		file, err := newOutput(path)
		if err != nil {
			return err
		}
		defer file.discard()
		if err := file.commit(fill); err != nil {
			return err
		}
		_, err = fmt.Fprintln(told, path)
		return err
	}
	for _, a := range l.Arrays {
		if err := write(a.Name+".npy", func(w io.Writer) error { return writeArray(w, m, a) }); err != nil {
			return err
		}
	}
	return write("layout.json", func(w io.Writer) error { return writeJSON(w, l) })
}

// writeArray writes one table in NumPy's format, version 1.0, the last cell's exponent
// running fastest; in memory tables have another order, see ntuple.Pattern.
func writeArray(w io.Writer, m *models.Model, a exportArray) error {
	p, table := m.Patterns[a.Pattern], m.Table(a.Stage, a.Pattern)
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", strings.Repeat("16,", len(p)))
	const front = 10                                            // bytes before the text
	head += strings.Repeat(" ", 63-(front+len(head))%64) + "\n" // all in all a multiple of 64
	text := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	out := bufio.NewWriterSize(w, 1<<16)
	_, err := out.Write(append(text, head...))
	exponents := make([]uint8, len(p))
	var word [4]byte
	for i := range table {
		for c := range exponents {
			exponents[c] = uint8(i >> (4 * (len(p) - 1 - c)) & 15)
		}
		binary.LittleEndian.PutUint32(word[:], math.Float32bits(table[p.Index(exponents)]))
		if _, err = out.Write(word[:]); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return out.Flush()
}
