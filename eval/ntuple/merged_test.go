package ntuple

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Merge does not change the values of a network, alone and in a batch.
func TestMerge(t *testing.T) {
	l := must.Get(Named(bitboard.Size, "5x4"))(t)
	n := must.Get(NewInt16(Head{Layout: l, Bias: 1000}, 0.5))(t)
	defer n.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for p := range n.Patterns {
		for i := range n.Int16Table(0, p) {
			n.Int16Table(0, p)[i] = int16(random.Uint32())
		}
	}
	plain := *n
	if !n.Merge() || n.merged == nil {
		t.Fatal("not merged")
	}
	batch := n.NewBatch()
	for range 5000 {
		b := bitboard.Board(random.Uint64())
		batch.N, batch.Boards = 2, [4]bitboard.Board{b.Mirror().Transpose(), b}
		n.Evaluate(batch)
		for _, got := range []float32{n.Value(b), batch.Values[0], batch.Values[1]} {
			if want := plain.Value(b); got != want {
				t.Fatalf("%016x: %v, want %v", uint64(b), got, want)
			}
		}
	}
}

func TestNotMerged(t *testing.T) {
	for size, patterns := range map[board.Size]string{bitboard.Size: "0123 4567 0145 1256", {Rows: 3, Cols: 4}: "0123 0145"} {
		n := must.Get(NewInt16(Head{Layout: must.Get(ParseNetwork(size, patterns))(t)}, 1))(t)
		defer n.Close()
		if n.Merge() {
			t.Error(patterns)
		}
	}
}
