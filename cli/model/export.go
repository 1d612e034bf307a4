package model

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/cli/internal/program"
	"github.com/afterstate2048/afterstate/cli/internal/usage"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple/numpy"
	"github.com/afterstate2048/afterstate/internal/inputfile"
)

const exportHelp = `Write the weights as arrays that NumPy reads: a .npy file for each stage and pattern
into DIR, or all in one FILE that ends in .npz; and layout.json beside them (in the .npz
too), which describes them.

An array has one dimension of 16 for each cell of its pattern, in the order of layout.json's
"cells", which number the board row by row from the top left. Indices are exponents: 0 an
empty cell, 1 a tile of 2, 15 a tile of 32768. So a pattern of the cells 0 1 2 4 5 6 is

  w = np.load("stage0-pattern0.npy")      # or np.load("all.npz")["stage0-pattern0"]
  w[a, b, c, d, e, f]

The value of a board is bias plus the sum of w over all patterns and the 8 symmetries of
the board (4 for boards that are not square, each counted twice). The stage of a board is
the last one whose tiles it has. A weight of 0 in a later stage means the weight of the stage before
it; if that is 0 in all stages, the weight is stage_bias[stage] / (8 x patterns). If downgrade is
not 0, boards with that exponent or a larger one are viewed with smaller tiles first
(docs/training.md).`

func newExport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "export FILE|RUN -o DIR|FILE.npz",
		Short:   "Export a model's weights as NumPy arrays",
		Long:    exportHelp,
		Example: "afterstate model export 4x6-1 -o weights.npz",
		Args:    usage.Args(1, 1, oneModel),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usage.Errorf("missing --out: want a folder, or a file that ends in .npz")
			}
			_, m, err := program.OpenModel(args[0], out)
			if err != nil {
				return err
			}
			defer m.Close()
			if strings.HasSuffix(out, ".npz") {
				err := output.Write(out, func(w io.Writer) error { return numpy.WriteZip(w, m.Network) })
				if err == nil {
					_, err = fmt.Fprintln(cmd.OutOrStdout(), out)
				}
				return err
			}
			return exportFolder(cmd.OutOrStdout(), out, m)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write to `DIR`, or to a file that ends in .npz")
	return cmd
}

func exportFolder(told io.Writer, folder string, m *models.Model) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return usage.Errorf("%s cannot be made: %w", folder, inputfile.Cause(err))
	}
	l := numpy.Describe(m.Network)
	write := func(name string, fill func(io.Writer) error) error {
		path := filepath.Join(folder, name)
		if err := output.Write(path, fill); err != nil {
			return err
		}
		_, err := fmt.Fprintln(told, path)
		return err
	}
	for _, a := range l.Arrays {
		if err := write(a.Name+".npy", func(w io.Writer) error { return numpy.WriteArray(w, m.Network, a) }); err != nil {
			return err
		}
	}
	return write("layout.json", l.WriteJSON)
}
