package review

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// On a solved size the losses are exact: what the move gives away, as a share of the worth of the tiles and
// the expected points to come.
func TestExactLosses(t *testing.T) {
	m := maker(t, "auto")
	b := must.Get(board.Parse("0,2,4/2,8,4"))(t)
	p := Position{Position: eval.Position{Board: b, Score: 24}, Played: board.Left}
	moves, err := By(m).Review(t.Context(), []Position{p}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := 12.515525 / (float64(game.Worth(&b)) + 458.654167) // docs/solved.md
	if r := NewReport(By(m), []Position{p}, nil, moves, 1); !r.Exact || !moves[0].Exact || math.Abs(moves[0].Loss-want) > 1e-6 || moves[0].Best != board.Down {
		t.Errorf("%+v, want a loss of %v", moves[0], want)
	}
	if moves, err = By(maker(t, "greedy")).Review(t.Context(), []Position{p}, Options{}); err != nil || AllExact(moves) || AllExact(nil) {
		t.Errorf("greedy is no exact judge: %v", err)
	}
}
