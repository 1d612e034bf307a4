//go:build !js

package models

import (
	"archive/zip"
	"bytes"
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

// OpenArrays reads what WriteArrays wrote, or what others wrote in its place: layout.json and the arrays that it names, in
// an .npz file or a folder. layout.json may itself be an array of one text. Fields that are absent are zero, and without stages there is one.
// Weights are float32 or float64. The caller closes the model.
func OpenArrays(path string) (*Model, error) {
	files := os.DirFS(path)
	if isFile(path) {
		z, err := zip.OpenReader(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: must be an .npz file, or a folder with layout.json", path, inputfile.Cause(err))
		}
		defer z.Close()
		files = z
	}
	m, err := readArrays(files)
	if err != nil && !errors.As(err, new(*memory.Error)) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return m, err
}

const layoutName = "layout.json"

func readArrays(files fs.FS) (*Model, error) {
	text, err := fs.ReadFile(files, layoutName)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = readText(files, layoutName+".npy")
	}
	if err != nil {
		return nil, err
	}
	var l ArrayLayout
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, fmt.Errorf("%s: %w", layoutName, err)
	}
	h, err := l.head()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", layoutName, err)
	}
	if err := memory.Check(4 * int64(h.Weights())); err != nil {
		return nil, err
	}
	n, err := ntuple.New(h.Layout)
	if err != nil {
		return nil, err
	}
	n.Head = *h
	for _, a := range l.Arrays {
		if err := readArray(files, n, a); err != nil {
			n.Close()
			return nil, fmt.Errorf("%s.npy: %w", a.Name, err)
		}
	}
	return &Model{Network: n, Info: ntuple.Info{History: l.History}}, nil
}

// head returns what the layout says of a network that has all its arrays.
func (l *ArrayLayout) head() (*ntuple.Head, error) {
	if len(l.Stages) == 0 {
		l.Stages = []ntuple.Stage{{}}
	}
	h := &ntuple.Head{
		Layout: ntuple.Layout{Size: l.Size, Name: l.Name, Stages: l.Stages, Walls: l.Walls},
		Bias:   l.Bias, StageBias: l.StageBias, Downgrade: l.Downgrade,
	}
	if !slices.ContainsFunc(h.StageBias, func(points float32) bool { return points != 0 }) {
		h.StageBias = nil
	}
	patterns := len(l.Arrays) / len(l.Stages)
	seen := map[[2]int]bool{}
	h.Patterns = make([]ntuple.Pattern, patterns)
	for _, a := range l.Arrays {
		at := [2]int{a.Stage, a.Pattern}
		if a.Stage < 0 || a.Stage >= len(l.Stages) || a.Pattern < 0 || a.Pattern >= patterns || seen[at] || len(l.Arrays) != patterns*len(l.Stages) {
			return nil, fmt.Errorf("array %q is of stage %d and pattern %d: must be one array for each pattern of each of the %d stages, numbered from 0", a.Name, a.Stage, a.Pattern, len(l.Stages))
		}
		seen[at] = true
		p := ntuple.Pattern{}
		for _, c := range a.Cells {
			if c < 0 || c > math.MaxUint8 {
				return nil, fmt.Errorf("array %q has the cell %d: must be a cell of %v", a.Name, c, l.Size)
			}
			p = append(p, uint8(c))
		}
		if q := h.Patterns[a.Pattern]; q != nil && q.String() != p.String() {
			return nil, fmt.Errorf("array %q has the cells %v: must be those of pattern %d in the other stages, %v", a.Name, p, a.Pattern, q)
		}
		h.Patterns[a.Pattern] = p
	}
	return h, h.Validate()
}

// npyHead is the text that an array begins with.
var npyHead = regexp.MustCompile(`^\{'descr': '([^']+)', 'fortran_order': (True|False), 'shape': \(([0-9, ]*)\), *\} *\n$`)

// npy is an array whose values follow in the reader.
type npy struct {
	io.ReadCloser
	kind    string // of its values, such as <f4
	fortran bool   // the first index runs fastest
	shape   string // 16,16,16,16,
}

// openArray opens a file in NumPy's format.
func openArray(files fs.FS, name string) (*npy, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	a, err := &npy{ReadCloser: f}, error(nil)
	front := make([]byte, 8, 12)
	if _, err = io.ReadFull(f, front); err == nil && !bytes.HasPrefix(front, []byte("\x93NUMPY")) {
		err = errors.New("it does not begin as an array of NumPy")
	}
	if err == nil {
		length := 2 // bytes of the length, in version 1
		if front[6] > 1 {
			length = 4
		}
		size := make([]byte, 4)
		if _, err = io.ReadFull(f, size[:length]); err == nil {
			text := make([]byte, min(binary.LittleEndian.Uint32(size), 1<<16))
			_, err = io.ReadFull(f, text)
			if m := npyHead.FindSubmatch(text); m != nil {
				a.kind, a.fortran = string(m[1]), m[2][0] == 'T'
				a.shape = strings.ReplaceAll(string(m[3]), " ", "")
			} else if err == nil {
				err = fmt.Errorf("its header is %q: must say descr, fortran_order and shape", text)
			}
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if a.shape != "" && !strings.HasSuffix(a.shape, ",") {
		a.shape += ","
	}
	return a, nil
}

// readText reads an array of one text.
func readText(files fs.FS, name string) ([]byte, error) {
	a, err := openArray(files, name)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	data, err := io.ReadAll(io.LimitReader(a, 1<<24))
	if !strings.HasPrefix(a.kind, "<U") || a.shape != "" || err != nil {
		return nil, errors.Join(err, fmt.Errorf("%s: %s of shape (%s): must be one text", name, a.kind, a.shape))
	}
	var text []byte
	for ; len(data) >= 4; data = data[4:] { // UTF-32
		if r := rune(binary.LittleEndian.Uint32(data)); r != 0 {
			text = utf8.AppendRune(text, r)
		}
	}
	return text, nil
}

// readArray is the inverse of WriteArray.
func readArray(files fs.FS, n *ntuple.Network, array Array) error {
	a, err := openArray(files, array.Name+".npy")
	if err != nil {
		return err
	}
	defer a.Close()
	p, table := n.Patterns[array.Pattern], n.Table(array.Stage, array.Pattern)
	cells := len(p)
	bytes, _ := strconv.Atoi(strings.TrimPrefix(a.kind, "<f"))
	if bytes != 4 && bytes != 8 || a.shape != strings.Repeat("16,", cells) {
		return fmt.Errorf("%s of shape (%s): must be <f4 or <f8 of shape (%s), 16 for each cell", a.kind, a.shape, strings.Repeat("16,", cells))
	}
	exponents, block := make([]uint8, cells), make([]byte, bytes<<12)
	for i := range table {
		k := i * bytes % len(block)
		if k == 0 {
			if _, err := io.ReadFull(a, block[:min(len(block), (len(table)-i)*bytes)]); err != nil {
				return fmt.Errorf("truncated: %d of %d weights: %w", i, len(table), err)
			}
		}
		w := float64(math.Float32frombits(binary.LittleEndian.Uint32(block[k:])))
		if bytes == 8 {
			w = math.Float64frombits(binary.LittleEndian.Uint64(block[k:]))
		}
		if math.IsNaN(w) || math.Abs(w) > math.MaxFloat32 {
			return fmt.Errorf("weight %d is %v: must be a finite number of 32 bits", i, w)
		}
		for c := range exponents {
			place := cells - 1 - c
			if a.fortran {
				place = c
			}
			exponents[c] = uint8(i >> (4 * place) & 15)
		}
		if w != 0 { // a page without weights takes no memory
			table[p.Index(exponents)] = float32(w)
		}
	}
	return nil
}
