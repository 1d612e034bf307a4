//go:build !js

package models

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/memory"
)

// OpenArrays reads a model that WriteArrays or another program wrote: layout.json and the arrays that it names, in
// an .npz file or a folder. In place of layout.json, there may be layout.json.npy, an array that contains one
// string. Missing fields of the layout are zero; without stages, the network has one stage. Weights are float32 or
// float64. A network that gymnasium-2048 saved needs no layout.json. The caller closes the model.
func OpenArrays(path string) (m *Model, err error) {
	files := os.DirFS(path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		z, err := zip.OpenReader(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: must be an .npz file, or a folder with layout.json", path, inputfile.Cause(err))
		}
		defer z.Close()
		files = z
	}
	if m, err = readArrays(files); err != nil && !errors.As(err, new(*memory.Error)) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return m, err
}

func readArrays(files fs.FS) (*Model, error) {
	l, err := layoutOf(files)
	if err != nil {
		return nil, err
	}
	h, err := l.head()
	if err != nil {
		return nil, fmt.Errorf("layout.json: %w", err)
	}
	if err := memory.Check(4 * int64(h.Weights())); err != nil {
		return nil, err
	}
	n, err := ntuple.New(h.Layout)
	if err != nil {
		return nil, err
	}
	n.Head = h
	scale := 1.0
	if h.Fixed {
		scale = 1. / 8 // the network adds each weight of a fixed pattern eight times
	}
	for _, a := range l.Arrays {
		if err := readArray(files, a.Name, h.Patterns[a.Pattern], n.Table(a.Stage, a.Pattern), scale); err != nil {
			n.Close()
			return nil, fmt.Errorf("%s.npy: %w", a.Name, err)
		}
	}
	return &Model{Network: n, Info: ntuple.Info{History: l.History}}, nil
}

// layoutOf reads layout.json, or returns the layout of a network that gymnasium-2048 saved.
func layoutOf(files fs.FS) (*ArrayLayout, error) {
	const name = "layout.json"
	var text []byte
	f, err := files.Open(name)
	if err == nil {
		defer f.Close()
		text, err = io.ReadAll(io.LimitReader(f, maxLayout+1))
	} else if errors.Is(err, fs.ErrNotExist) {
		if l := gymnasiumLayout(files); l != nil {
			return l, nil
		}
		text, err = readText(files, name+".npy")
	}
	if len(text) > maxLayout {
		err = fmt.Errorf("layout.json has more than %d bytes", maxLayout)
	}
	if err != nil {
		return nil, err
	}
	l := new(ArrayLayout)
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

// maxLayout limits the size of layout.json, in bytes: a few bytes of an archive may expand to gigabytes.
const maxLayout = 1 << 20

// head returns the ntuple.Head of the network. It fails unless there is exactly one array for each pattern in each
// stage.
func (l *ArrayLayout) head() (h ntuple.Head, err error) {
	if len(l.Stages) == 0 {
		l.Stages = []ntuple.Stage{{}}
	}
	n := len(l.Arrays) / len(l.Stages)
	h = ntuple.Head{
		Layout: ntuple.Layout{
			Size: l.Size, Name: l.Name, Stages: l.Stages, Walls: l.Walls, Fixed: l.Fixed, Patterns: make([]ntuple.Pattern, n),
		},
		Bias: l.Bias, Downgrade: l.Downgrade,
	}
	seen := map[[2]int]bool{}
	for _, a := range l.Arrays {
		cells := ntuple.Pattern{}
		for _, c := range a.Cells {
			cells = append(cells, uint8(min(uint(c), math.MaxUint8)))
		}
		at := [2]int{a.Stage, a.Pattern}
		if uint(a.Stage) >= uint(len(l.Stages)) || uint(a.Pattern) >= uint(n) || seen[at] || h.Patterns[a.Pattern] != nil && !slices.Equal(cells, h.Patterns[a.Pattern]) {
			return h, fmt.Errorf("array %q has stage %d and pattern %d: each of the %d stages must have one array for each pattern, numbered from 0, with the same cells in all stages", a.Name, a.Stage, a.Pattern, len(l.Stages))
		}
		seen[at], h.Patterns[a.Pattern] = true, cells
	}
	return h, h.Validate()
}

// npyHead matches the header of an array.
var npyHead = regexp.MustCompile(`^\{'descr': '([^']+)', 'fortran_order': (True|False), 'shape': \(([0-9, ]*)\), *\} *\n$`)

// npy is an open file in NumPy's .npy format.
type npy struct {
	fs.File
	*bufio.Reader        // positioned at the values
	kind, order   string // type of the values, such as <f4; order is True if the first index varies fastest
	shape         string // such as 16,16,16,16
}

func openNPY(files fs.FS, name string) (*npy, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(f, 1<<16)
	front, _ := r.Peek(8)
	if !strings.HasPrefix(string(front), "\x93NUMPY") || len(front) < 8 {
		return nil, errors.Join(errors.New("not a NumPy array (.npy file)"), f.Close())
	}
	// the length of the header has two bytes in version 1 of the format, and four in later versions
	_, _ = r.Discard(8 + 2*min(2, int(front[6])))
	text, _ := r.ReadSlice('\n')
	m := npyHead.FindStringSubmatch(string(text))
	if m == nil {
		return nil, errors.Join(fmt.Errorf("header %q: must contain descr, fortran_order and shape", text), f.Close())
	}
	return &npy{f, r, m[1], m[2], strings.Trim(strings.ReplaceAll(m[3], " ", ""), ",")}, nil
}

// readText reads an array that holds one string. It stops as soon as the text is longer than maxLayout bytes.
func readText(files fs.FS, name string) (text []byte, err error) {
	a, err := openNPY(files, name)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	if !strings.HasPrefix(a.kind, "<U") || a.shape != "" {
		return nil, fmt.Errorf("%s has type %s and shape (%s): must be a single string", name, a.kind, a.shape)
	}
	var letter uint32 // a character in UTF-32
	for len(text) <= maxLayout && binary.Read(a.Reader, binary.LittleEndian, &letter) == nil {
		if letter != 0 {
			text = utf8.AppendRune(text, rune(letter))
		}
	}
	return text, nil
}

// readArray reads one array into a table, and multiplies its weights by scale. It is the inverse of WriteArray, and
// also accepts arrays of other programs, which may have fewer than 16 weights in each dimension: the weights of larger
// tiles are then 0.
func readArray(files fs.FS, name string, p ntuple.Pattern, table []float32, scale float64) error {
	a, err := openNPY(files, name+".npy")
	if err != nil {
		return err
	}
	defer a.Close()
	cells, size := len(p), map[string]int{"<f4": 4, "<f8": 8}[a.kind]
	shape := func(side string) string { return strings.TrimSuffix(strings.Repeat(side+",", cells), ",") }
	first, _, _ := strings.Cut(a.shape, ",")
	side, _ := strconv.Atoi(first)
	if size == 0 || a.shape != shape(first) || side < 2 || side > 16 {
		return fmt.Errorf("type %s and shape (%s): must be type <f4 or <f8 and shape (%s); each 16 may be replaced by the same number from 2 to 15", a.kind, a.shape, shape("16"))
	}
	weights := 1
	for range cells {
		weights *= side
	}
	exponents, word := make([]uint8, cells), make([]byte, 8)
	for i := range weights {
		if _, err := io.ReadFull(a.Reader, word[:size]); err != nil {
			return fmt.Errorf("truncated: %d of %d weights: %w", i, weights, err)
		}
		w := math.Float64frombits(binary.LittleEndian.Uint64(word))
		if size == 4 {
			w = float64(math.Float32frombits(binary.LittleEndian.Uint32(word)))
		}
		if !(math.Abs(w) <= math.MaxFloat32) {
			return fmt.Errorf("weight %d is %v: must be a finite number of 32 bits", i, w)
		}
		if w == 0 {
			continue // do not write zeros: pages of the table that are never written take no memory
		}
		for c, rest := cells-1, i; c >= 0; c, rest = c-1, rest/side {
			exponents[c] = uint8(rest % side)
		}
		if a.order == "True" {
			slices.Reverse(exponents)
		}
		table[p.Index(exponents)] = float32(w * scale)
	}
	return nil
}
