package explain

import (
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// No move takes points away: an estimate below 0 is shown as 0, with a note, and the differences
// between moves are unchanged.
func TestNoPointsBelowZero(t *testing.T) {
	d := player.Decision{
		Result: search.Result{OK: true, Move: board.Right, Moves: [4]search.MoveValue{
			board.Right: {Legal: true, Value: -42300}, board.Left: {Legal: true, Value: -42350},
		}},
		Board: board.New(board.Size{Rows: 2, Cols: 2}), Player: "champion", Unit: eval.Points, Source: "search",
	}
	for _, c := range []struct {
		unit eval.Unit
		want []string
		not  string
	}{
		{eval.Points, []string{"> right               0  best\n", "  left                0  blunder -100 %\n", "still to come, 0 where the estimate is below 0\n"}, "-42"},
		{eval.Heuristic, []string{"> right          -42300\n", "  left           -42350  loses 50\n"}, "estimate"},
	} {
		d.Unit = c.unit
		var out strings.Builder
		must.Do(t, WriteDecision(&out, &d))
		for _, want := range c.want {
			must.Contains(t, out.String(), want, c.unit)
		}
		if strings.Contains(out.String(), c.not) {
			t.Errorf("%s: %q is in\n%s", c.unit, c.not, out.String())
		}
	}
}
