package eval_test

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"

	"pgregory.net/rapid"
)

func sizes() (all []board.Size) {
	for r := board.MinSide; r <= board.MaxSide; r++ {
		for c := board.MinSide; c <= board.MaxSide; c++ {
			all = append(all, board.Size{Rows: r, Cols: c})
		}
	}
	return all
}

// anyBoard draws a board of any size with at least one tile. Few distinct tiles
// make merges common, large ones make sums large.
func anyBoard(t *rapid.T) board.Board {
	b := board.New(rapid.SampledFrom(sizes()).Draw(t, "size"))
	largest := rapid.SampledFrom([]uint8{1, 2, 4, 11, 17}).Draw(t, "largest")
	tile := rapid.Uint8Range(0, largest)
	for i := range b.Size().Cells() {
		b.Set(i, tile.Draw(t, "tile"))
	}
	if b.Sum() == 0 {
		b.Set(rapid.IntRange(0, b.Size().Cells()-1).Draw(t, "cell"), 1)
	}
	return b
}

func anyPosition(t *rapid.T) *eval.Position {
	return &eval.Position{Board: anyBoard(t), Score: rapid.Int64Range(0, 4_000_000).Draw(t, "score")}
}

func evaluator(t testing.TB, name string) eval.Evaluator {
	t.Helper()
	return must.Get(eval.New(name))(t)
}

func parse(t testing.TB, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

// near compares up to rounding.
func near(x, y float64) bool {
	return x == y || math.Abs(x-y) <= 1e-12*math.Max(math.Abs(x), math.Abs(y))
}
