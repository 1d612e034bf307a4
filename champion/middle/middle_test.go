package middle

import (
	"slices"
	"testing"
	"testing/fstest"

	"afterstate/board"
	"afterstate/ntuple/quant"
)

// What is embedded can be decoded, is small, and says how it was made and how it plays.
func TestEmbedded(t *testing.T) {
	total := 0
	for _, size := range Sizes() {
		file, err := File(size)
		if err != nil {
			t.Fatal(err)
		}
		total += len(file)
		s, err := Info(size)
		if err != nil || s.Size != size || s.Info.Measured == nil || len(s.Info.History) == 0 {
			t.Fatalf("%v says %+v; %v", size, s, err)
		}
		n, err := quant.DequantizeInt16(file)
		if err != nil {
			t.Fatal(err)
		}
		b := board.New(size)
		for i, e := range []uint8{8, 7, 6, 5} { // the largest tiles in a row
			b.Set(i%size.Cols, e)
		}
		if v := n.ValueOf(&b); v < 1000 {
			t.Errorf("%v: value %v", size, v)
		}
		n.Close()
	}
	if total > MaxSize {
		t.Errorf("%d bytes, more than %d", total, MaxSize)
	}
	if _, err := Info(board.Size{Rows: 4, Cols: 4}); err == nil {
		t.Error("a network for 4x4")
	}
}

// A network plays its size and the turn of it.
func TestOf(t *testing.T) {
	for _, size := range Sizes() {
		for _, s := range []board.Size{size, size.Turned()} {
			if of, ok := Of(s); !ok || of != size {
				t.Errorf("%v is played by %v, %v", s, of, ok)
			}
		}
	}
	if of, ok := Of(board.Size{Rows: 4, Cols: 4}); ok {
		t.Errorf("4x4 is played by %v", of)
	}
}

// Other files of the folder are no networks.
func TestSizes(t *testing.T) {
	files := fstest.MapFS{"networks/README.md": {}, "networks/3x5.model": {}, "networks/9x9.model": {}, "networks/5x5.txt": {}}
	if got := sizes(files); !slices.Equal(got, []board.Size{{Rows: 3, Cols: 5}}) {
		t.Errorf("%v", got)
	}
}
