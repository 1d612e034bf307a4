package ntuple

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The value of a network with fixed patterns is the sum of their weights at their own cells, by every implementation, on
// boards of words and on wide ones, from a file and in 16 bits.
func TestFixedPatterns(t *testing.T) {
	for _, size := range []board.Size{{Rows: 4, Cols: 4}, {Rows: 3, Cols: 4}, {Rows: 5, Cols: 4}} {
		l := must.Get(ParseLayout(size, "012 123 04 8b 45"))(t)
		l.Fixed = true
		n := must.Get(New(l))(t)
		defer n.Close()
		r := rand.New(rand.NewPCG(3, 4))
		weights := make([]map[[3]uint8]float64, len(l.Patterns)) // by the exponents of a pattern
		for p := range weights {
			weights[p] = map[[3]uint8]float64{}
		}
		path := filepath.Join(t.TempDir(), "fixed")
		boards := make([]board.Board, 200)
		want := make([]float64, len(boards))
		for k := range boards {
			b := board.New(size)
			for i := range size.Cells() {
				b.Set(i, uint8(r.IntN(12)))
			}
			for p, cells := range l.Patterns {
				var key [3]uint8
				exponents := make([]uint8, len(cells))
				for i, c := range cells {
					key[i] = b.Cell(int(c))
					exponents[i] = key[i]
				}
				w, ok := weights[p][key]
				if !ok {
					w = r.NormFloat64() * 100
					weights[p][key] = w
					n.Table(0, p)[l.Patterns[p].Index(exponents)] = float32(w / 8)
				}
				want[k] += w
			}
			boards[k] = b
		}
		must.Do(t, Save(path, n, Info{}))
		loaded := must.Get(Load(path))(t)
		defer loaded.Close()
		if !loaded.Fixed || !loaded.Layout.Equal(&l) || loaded.SamePatterns(&Layout{Size: size, Patterns: l.Patterns}) {
			t.Errorf("%v: the file has the layout %+v", size, loaded.Layout)
		}
		short := must.Get(n.Int16())(t)
		defer short.Close()
		plain := *n
		reader := *n.reader
		reader.fast = false
		plain.reader = &reader
		for k, b := range boards {
			for name, m := range map[string]*Network{"kernel": n, "plain": &plain, "file": loaded.Network, "16 bits": short} {
				e := Evaluator{Network: m}
				tolerance := 0.001
				if m == short {
					tolerance = float64(n.Features()) * float64(short.Int16Scale())
				}
				if got := e.Value(&eval.Position{Board: b}); math.Abs(got-want[k]) > tolerance || e.Symmetric() {
					t.Fatalf("%s: %v is worth %v, want %v; symmetric: %v", name, b, got, want[k], e.Symmetric())
				}
			}
		}
	}
	if named := network(t, bitboard.Size, "4x6"); !(Evaluator{Network: named}).Symmetric() {
		t.Error("4x6 is not symmetric")
	}
}
