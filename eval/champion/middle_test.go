package champion

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The embedded networks can be decoded, are small, and have their training history and measurements. The quick suite
// decodes only the first.
func TestMiddle(t *testing.T) {
	total := 0
	for i, size := range Sizes() {
		file := must.Get(Of(size).File())(t)
		total += len(file)
		s, err := Of(size).Info()
		if err != nil || s.Size != size || s.Info.Measured == nil || len(s.Info.History) == 0 {
			t.Fatalf("%v says %+v; %v", size, s, err)
		}
		if i > 0 && !soak.Wanted() {
			continue
		}
		n := must.Get(quant.DequantizeInt16(file))(t)
		b := board.New(size)
		for i, e := range []uint8{8, 7, 6, 5} { // the largest tiles in a row
			b.Set(i%size.Cols, e)
		}
		if v := n.ValueOf(&b); v < 1000 {
			t.Errorf("%v: value %v", size, v)
		}
		n.Close()
	}
	if total > 6_000_000 {
		t.Errorf("%d bytes", total)
	}
}

// A network plays its board size and the transposed size.
func TestOf(t *testing.T) {
	for _, size := range Sizes() {
		if a, b := Of(size), Of(size.Turned()); !a.Embedded() || !slices.Equal(a.names, b.names) {
			t.Errorf("%v is played by %v, its turn by %v", size, a.names, b.names)
		}
	}
	if n := Of(board.Size{Rows: 2, Cols: 6}); n.Embedded() {
		t.Errorf("2x6 is played by %v", n.names)
	}
}

// Other files in the folder are not listed as networks.
func TestSizes(t *testing.T) {
	files := fstest.MapFS{"middle/networks/README.md": {}, "middle/networks/3x5.model": {}, "middle/networks/9x9.model": {}, "middle/networks/5x5.txt": {}}
	if got := sizes(files); !slices.Equal(got, []board.Size{{Rows: 3, Cols: 5}}) {
		t.Errorf("%v", got)
	}
}
