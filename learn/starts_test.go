package learn

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Training games are games of package game with the same seed and index, board by
// board and in score.
func TestGames(t *testing.T) {
	for _, c := range []struct {
		size      board.Size
		name      string
		downgrade uint8
	}{{size4, "2x4", 0}, {size4, "2x4", 8}, {size3, "3x4", 0}, {board.Size{Rows: 3, Cols: 4}, "012 013", 0}, {board.Size{Rows: 2, Cols: 3}, "012 013", 0}} {
		t.Run(fmt.Sprint(c.size, c.downgrade), func(t *testing.T) {
			n := network(t, c.size, c.name)
			n.Downgrade = c.downgrade
			w := newThread(n, &plain{n, newShared(0.1 / float32(n.Features()))})
			var boards []bitboard.Board
			viewed := 0
			w.trace = func(b bitboard.Board) { boards = append(boards, b) }
			for i := range uint64(40) {
				boards = boards[:0]
				w.seed(5, i)
				o := w.play(w.fresh())
				follow(t, c.size, i, boards, &o)
				for _, b := range boards {
					if n.DowngradeBoard(b) != b {
						viewed++
					}
				}
			}
			if c.downgrade > 0 && viewed < 40 {
				t.Errorf("%d boards were downgraded", viewed)
			}
		})
	}
}

// follow plays a game again with package game and compares the boards.
func follow(t *testing.T, size board.Size, index uint64, boards []bitboard.Board, o *Outcome) {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(5, index, game.P4)}))(t)
	is := func(w bitboard.Board) bool {
		b := g.Board()
		have, ok := ntuple.Pack(&b)
		return ok && have == w
	}
	if !is(boards[0]) {
		t.Fatalf("game %d begins with %v, the trainer's with %016x", index, g.Board(), uint64(boards[0]))
	}
	for k, want := range boards[1:] {
		found := false
		for d := board.Direction(0); d < 4 && !found; d++ {
			if g.Move(d) != nil {
				continue
			}
			if found = is(want); !found {
				if !g.Undo() {
					t.Fatal("nothing to undo")
				}
			}
		}
		if !found {
			t.Fatalf("game %d, move %d: nothing leads from %v to %016x", index, k, g.Board(), uint64(want))
		}
	}
	if !g.Over() || g.Score() != o.Score || len(boards)-1 != o.Moves {
		t.Fatalf("game %d: over %v, score %d, want %d after %d moves", index, g.Over(), g.Score(), o.Score, o.Moves)
	}
}

// weights is a checksum of all weights and sums.
func weights(tr *Trainer) (sum uint64) {
	n := tr.o.Network
	add := func(w uint64) { sum = (sum ^ w) * 0x100000001b3 }
	for s := range n.StageCount() {
		for _, w := range allWeights(n, s) {
			add(uint64(math.Float32bits(w)))
		}
		if tr.sums != nil {
			for _, w := range slices.Concat(tr.sums.sums.Tables[s]...) {
				add(w)
			}
		}
	}
	return sum
}

// The assembly kernel and Go update equally, to the bit.
func TestKernel(t *testing.T) {
	stages := []ntuple.Stage{{}, {6}, {8, 7}}
	for _, name := range soak.Pick([]string{"2x4", "5x4"}, []string{"2x4", "5x4", "4x5"}) {
		for _, coherent := range []bool{false, true} {
			for _, stages := range [][]ntuple.Stage{nil, stages} {
				t.Run(fmt.Sprint(name, coherent, len(stages)), func(t *testing.T) {
					var sums []uint64
					for _, kernel := range []bool{true, false} {
						n := network(t, size4, name, stages...)
						if !kernel {
							n.DisableKernel()
						}
						tr := trainer(t, Options{Network: n, Coherent: coherent, Games: soak.Pick(uint64(20), 60), Seed: 3})
						must.Do(t, tr.Run(context.Background()))
						sums = append(sums, weights(tr))
					}
					must.Equal(t, sums[0], sums[1], "with machine code, and without")
				})
			}
		}
	}
}
