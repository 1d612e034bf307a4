package quant

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// A sparse network has the values of the 16-bit network of the same file, bit for bit, however they are
// asked for, and also of boards whose weights are not known.
func TestSparse(t *testing.T) {
	for _, stages := range [][]ntuple.Stage{nil, {{}, {4}, {6}}} {
		n := learned(t, layout(t, "5x4", stages...))
		n.Bias, n.Downgrade = 10, 9
		file, _ := requantized(t, n, Options{})
		dense := must.Get(DequantizeInt16(file))(t)
		defer dense.Close()
		sparse := must.Get(DequantizeSparse(file))(t)
		defer sparse.Close()
		r := rand.New(rand.NewPCG(1, 2))
		at, batch := make([]ntuple.SymIndices, len(n.Patterns)), sparse.NewBatch()
		values := map[float32]bool{}
		for range soak.Pick(4000, 20_000) {
			b := bitboard.Board(r.Uint64() & r.Uint64())
			want := dense.Value(b)
			values[want] = true
			dense.Indices(at, b)
			batch.N, batch.Boards = 3, [4]bitboard.Board{b, b.Transpose(), b ^ 1}
			sparse.Evaluate(batch)
			if v, sum := sparse.Value(b), sparse.Sum(dense.Stage(dense.DowngradeBoard(b)), at); v != want || sum != want {
				t.Fatalf("%016x: %v, by indices %v, want %v", uint64(b), v, sum, want)
			}
			for i, b := range batch.Boards[:batch.N] {
				if v := dense.Value(b); batch.Values[i] != v {
					t.Fatalf("%016x in a batch: %v, want %v", uint64(b), batch.Values[i], v)
				}
			}
		}
		if len(values) < soak.Pick(2000, 10_000) {
			t.Errorf("%d different values", len(values))
		}
	}
}
