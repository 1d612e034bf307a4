package cli_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// trained makes a small model with two stages and returns its file.
func trained(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "tiny.model")
	succeeds(t, "train", "012 345 0134", "--size", "3x3", "--games", "300", "-j", "1",
		"--optimistic-init", "100", "--stages", "64", "--out", path)
	return path
}

// layoutFile is the contents of layout.json.
type layoutFile struct {
	Bias   float32
	Stages []ntuple.Stage
	Arrays []struct {
		Name    string
		Stage   int
		Pattern int
		Cells   []int
	}
}

// array is the contents of a .npy file.
type array struct {
	cells int
	data  []byte
}

// readArray reads a .npy file by the format's definition.
func readArray(t *testing.T, file []byte) array {
	t.Helper()
	if !bytes.HasPrefix(file, []byte("\x93NUMPY\x01\x00")) {
		t.Fatalf("no NumPy array: %q", file[:8])
	}
	length := int(binary.LittleEndian.Uint16(file[8:]))
	head := string(file[10 : 10+length])
	m := regexp.MustCompile(`^\{'descr': '<f4', 'fortran_order': False, 'shape': \(((?:16,)+)\), \} *\n$`).FindStringSubmatch(head)
	if m == nil || (10+length)%64 != 0 {
		t.Fatalf("header %q of %d bytes", head, length)
	}
	a := array{strings.Count(m[1], ","), file[10+length:]}
	if len(a.data) != 4<<(4*a.cells) {
		t.Fatalf("%d bytes for %d cells", len(a.data), a.cells)
	}
	return a
}

// at is w[exponents...].
func (a array) at(exponents ...int) float32 {
	i := 0
	for _, e := range exponents {
		i = 16*i + e
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(a.data[4*i:]))
}

// Exported arrays, used as the help describes, give the network's values.
func TestModelExport(t *testing.T) {
	path := trained(t)
	dir := t.TempDir()
	for _, out := range []string{dir + "/arrays", dir + "/all.npz"} {
		succeeds(t, "model", "export", path, "-o", out)
	}
	files := map[string][]byte{}
	z := must.Get(zip.OpenReader(dir + "/all.npz"))(t)
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		beside, err := os.ReadFile(dir + "/arrays/" + f.Name)
		if err != nil || !bytes.Equal(beside, files[f.Name]) {
			t.Errorf("%s differs in the folder: %v", f.Name, err)
		}
	}
	var l layoutFile
	if err := json.Unmarshal(files["layout.json"], &l); err != nil || len(l.Arrays) != 6 || len(files) != 7 {
		t.Fatalf("%d arrays, %d files, %v", len(l.Arrays), len(files), err)
	}
	arrays := make([][]array, 2)
	for _, a := range l.Arrays {
		arrays[a.Stage] = append(arrays[a.Stage], readArray(t, files[a.Name+".npy"]))
	}
	m := must.Get(models.Open(path))(t)
	defer m.Close()
	for _, text := range []string{"2,4,0/8,16,2/0,0,2", "2,0,0/0,0,0/0,0,4", "64,4,2/16,8,4/2,2,0", "32,64,8/8,16,4/2,4,2", "1024,512,128/0,0,0/0,0,0"} {
		b := must.Get(board.Parse(text))(t)
		word, _ := ntuple.Pack(&b)
		want, got := float64(m.Value(word)), exported(&b, &l, arrays)
		if math.Abs(want-got) > 1e-3*max(1, math.Abs(want)) {
			t.Errorf("%s has value %v by the arrays, want %v", text, got, want)
		}
	}
}

// exported evaluates a 3x3 board with exported arrays.
func exported(b *board.Board, l *layoutFile, arrays [][]array) float64 {
	var cells [9]int
	stage := 0
	for i := range cells {
		cells[i] = int(b.At(i/3, i%3))
		if cells[i] >= int(l.Stages[1][0]) {
			stage = 1
		}
	}
	sum := float64(l.Bias)
	for range 2 {
		for range 4 {
			for k, a := range l.Arrays[:len(arrays[0])] {
				var at []int
				for _, c := range a.Cells {
					at = append(at, cells[c])
				}
				w := arrays[stage][k].at(at...)
				if w == 0 && stage == 1 {
					w = arrays[0][k].at(at...)
				}
				sum += float64(w)
			}
			var turned [9]int
			for i := range cells {
				turned[3*(i%3)+2-i/3] = cells[i]
			}
			cells = turned
		}
		for r := range 3 {
			cells[3*r], cells[3*r+2] = cells[3*r+2], cells[3*r]
		}
	}
	return sum
}
