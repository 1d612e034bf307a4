package models

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// numbered is a network of two stages with a different weight at each index.
func numbered(t *testing.T) *Model {
	t.Helper()
	l := must.Get(ntuple.ParseLayout(bitboard.Size, "012 1256"))(t)
	l.Name, l.Stages = "own", []ntuple.Stage{{}, {10, 9}}
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	n.Bias, n.Downgrade = 3, 14
	for s := range l.Stages {
		at := 0
		for p := range n.Patterns {
			for i := range n.Table(s, p) {
				n.Table(s, p)[i] = float32(100_000*s + at)
				at++
			}
		}
	}
	return &Model{Network: n, Info: ntuple.Info{History: []ntuple.Training{{Games: 5, Options: "seed=1"}}}}
}

// What is written is read again, from a file and from a folder.
func TestArrays(t *testing.T) {
	m := numbered(t)
	var file bytes.Buffer
	must.Do(t, m.WriteArrays(&file))
	folder := t.TempDir()
	path := filepath.Join(folder, "all.npz")
	must.Do(t, os.WriteFile(path, file.Bytes(), 0o600))
	z := must.Get(zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len())))(t)
	must.Do(t, os.CopyFS(filepath.Join(folder, "arrays"), z))
	for _, from := range []string{path, filepath.Join(folder, "arrays")} {
		read := must.Get(OpenArrays(from))(t)
		defer read.Close()
		if got, want := fmt.Sprintf("%+v %+v", read.Head, read.Info), fmt.Sprintf("%+v %+v", m.Head, m.Info); got != want || read.Checksum() != m.Checksum() {
			t.Errorf("%s:\n%s, weights %08x, want\n%s, %08x", from, got, read.Checksum(), want, m.Checksum())
		}
	}
	_, err := OpenArrays(filepath.Join(folder, "no"))
	must.Contains(t, fmt.Sprint(err), "no: no such file or directory: must be an .npz file, or a folder with layout.json")
}

// array is a file in NumPy's format.
func array(version byte, kind, order, shape string, data ...any) *fstest.MapFile {
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }  \n", kind, order, shape)
	file := append([]byte("\x93NUMPY"), version, 0)
	if file = binary.LittleEndian.AppendUint16(file, uint16(len(head))); version > 1 {
		file = append(file, 0, 0)
	}
	file = append(file, head...)
	for _, d := range data {
		file, _ = binary.Append(file, binary.LittleEndian, d)
	}
	return &fstest.MapFile{Data: file}
}

// Arrays of other programs: both orders, both precisions, a layout in an array, and fields that are absent.
func TestForeignArrays(t *testing.T) {
	rows := make([]float64, 256)
	for i := range rows {
		rows[i] = float64(i) / 3
	}
	rows32 := make([]float32, 256)
	for i := range rows32 {
		rows32[i] = float32(16*(i%16) + i/16) // the first index runs fastest
	}
	const layout = `{"size":"2x2","arrays":[{"name":"á","stage":0,"pattern":1,"cells":[0,1]},{"name":"b","stage":0,"pattern":0,"cells":[3,0]}]}`
	text := array(2, fmt.Sprintf("<U%d", len([]rune(layout))), "False", "", []rune(layout))
	m, err := readArrays(fstest.MapFS{"layout.json.npy": text, "á.npy": array(1, "<f8", "False", "16, 16", rows), "b.npy": array(3, "<f4", "True", "16, 16", rows32)})
	must.Do(t, err)
	defer m.Close()
	if m.PatternText() != "30 01" || m.StageCount() != 1 || m.Bias != 0 || m.Downgrade != 0 || m.Size != (board.Size{Rows: 2, Cols: 2}) {
		t.Errorf("%+v", m.Head)
	}
	for i := range 256 {
		at := []uint8{uint8(i / 16), uint8(i % 16)}
		if got := m.Table(0, 1)[m.Patterns[1].Index(at)]; got != float32(float64(i)/3) {
			t.Fatalf("á%v is %v", at, got)
		}
		if got := m.Table(0, 0)[m.Patterns[0].Index(at)]; got != float32(i) {
			t.Fatalf("b%v is %v", at, got)
		}
	}
}

// Everything else is refused with its reason.
func TestArraysThatAreRefused(t *testing.T) {
	const begin, end = `{"size":"2x2","arrays":[`, `]}`
	one := begin + `{"name":"a","cells":[0,1]}` + end
	good := make([]float32, 256)
	nan := append([]float32{}, good...)
	nan[7] = float32(math.NaN())
	for want, files := range map[string]fstest.MapFS{
		"layout.json.npy: file does not exist":    {},
		"layout.json: invalid character":          {"layout.json": {Data: []byte("{,")}},
		"layout.json: network with 0 patterns":    {"layout.json": {Data: []byte(`{"size":"2x2"}`)}},
		"layout.json: no networks for 0x0 boards": {"layout.json": {Data: []byte(`{"arrays":[{"name":"a","cells":[0,1]}]}`)}},
		`layout.json: array "a" has stage 0 and pattern 1: each of the 1 stages must have one array for each pattern`: {"layout.json": {Data: []byte(begin + `{"name":"a","pattern":1,"cells":[0,1]}` + end)}},
		`: a 2x2 board has no cell`:                                 {"layout.json": {Data: []byte(begin + `{"name":"a","cells":[300,1]}` + end)}},
		`layout.json: pattern "04": a 2x2 board has no cell 4`:      {"layout.json": {Data: []byte(begin + `{"name":"a","cells":[0,4]}` + end)}},
		`layout.json: array "b" has stage 1 and pattern 0: each of`: {"layout.json": {Data: []byte(`{"size":"2x2","stages":[[],[5]],"arrays":[{"name":"a","cells":[0,1]},{"name":"b","stage":1,"cells":[0,2]}]}`)}},
		"a.npy: open a.npy: file does not exist":                    {"layout.json": {Data: []byte(one)}},
		"a.npy: not a NumPy array (.npy file)":                      {"layout.json": {Data: []byte(one)}, "a.npy": {Data: make([]byte, 100)}},
		"a.npy: not a NumPy array":                                  {"layout.json": {Data: []byte(one)}, "a.npy": {}},
		"a.npy: header ":                                            {"layout.json": {Data: []byte(one)}, "a.npy": array(1, "'", "False", "16,16,", good)},
		"a.npy: type <i4 and shape (16,16): must be":                {"layout.json": {Data: []byte(one)}, "a.npy": array(1, "<i4", "False", "16, 16", good)},
		"a.npy: type <f4 and shape (256): must be":                  {"layout.json": {Data: []byte(one)}, "a.npy": array(1, "<f4", "False", "256,", good)},
		"a.npy: truncated: 250 of 256 weights":                      {"layout.json": {Data: []byte(one)}, "a.npy": array(1, "<f4", "False", "16, 16", good[:250])},
		"a.npy: weight 7 is NaN: must be":                           {"layout.json": {Data: []byte(one)}, "a.npy": array(1, "<f4", "False", "16, 16", nan)},
		"layout.json.npy has type <f4 and shape (): must be":        {"layout.json.npy": array(1, "<f4", "False", "", float32(1))},
		"layout.json.npy has type <U1 and shape (1): must be ":      {"layout.json.npy": array(1, "<U1", "False", "1,", []rune("x"))},
	} {
		m, err := readArrays(files)
		if err == nil {
			m.Close()
		}
		must.Contains(t, fmt.Sprint(err), want)
	}
}

// A small archive whose layout has gigabytes costs little.
func TestHugeLayout(t *testing.T) {
	const size = 96 << 20 // more than Bounded allows
	for _, name := range []string{"layout.json", "layout.json.npy"} {
		var file bytes.Buffer
		z := zip.NewWriter(&file)
		z.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) { return flate.NewWriter(to, flate.BestSpeed) })
		w := must.Get(z.Create(name))(t)
		if name != "layout.json" {
			must.Get(w.Write(array(2, "<U1", "False", "").Data))(t)
		}
		spaces := bytes.Repeat([]byte(" \x00\x00\x00"), 1<<18)
		for range size / len(spaces) {
			must.Get(w.Write(spaces))(t)
		}
		must.Do(t, z.Close())
		path := filepath.Join(t.TempDir(), "huge.npz")
		must.Do(t, os.WriteFile(path, file.Bytes(), 0o600))
		testenv.Bounded(t, file.Len(), func() {
			_, err := OpenArrays(path)
			must.Contains(t, fmt.Sprint(err), "layout.json has more than 1048576 bytes")
		})
	}
}
