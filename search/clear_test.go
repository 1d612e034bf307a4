package search_test

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// lead returns by how much the value of the best move exceeds the values of the others.
func lead(r *search.Result) float64 {
	second := math.Inf(-1)
	for d, m := range r.Moves {
		if m.Legal && board.Direction(d) != r.Move {
			second = max(second, m.Value)
		}
	}
	return r.Best() - second
}

// With a clear margin, deepening ends at the first iteration from 4 plies on at which one move leads by
// more; nothing else changes.
func TestClearMargin(t *testing.T) {
	const first = 4
	nodes := soak.Pick[int64](20000, 60000)
	network := untamed(t)
	for name, c := range map[string]struct {
		margin float64
		build  func(search.ExpectimaxOptions) searcher
	}{
		"network":  {150, func(o search.ExpectimaxOptions) searcher { return search.NewNetwork4(o, network) }},
		"bitboard": {200, func(o search.ExpectimaxOptions) searcher { o.Eval = evaluator(t, "gradient"); return compiled(t, o) }},
		"generic": {200, func(o search.ExpectimaxOptions) searcher {
			o.Eval = evaluator(t, "gradient")
			return search.NewExpectimax(o)
		}},
	} {
		o := search.ExpectimaxOptions{Nodes: nodes, MinProb: 0.01}
		whole := c.build(o)
		o.ClearMargin = c.margin
		short := c.build(o)
		ended, went := 0, 0
		for _, p := range played(t, 7, soak.Pick(40, 60)) {
			q := search.Query{Position: p}
			got, want := mustSearch(t, short, q), mustSearch(t, whole, q)
			for plies := first; plies < want.Plies; plies++ {
				fixed := mustSearch(t, c.build(search.ExpectimaxOptions{Plies: plies, MinProb: o.MinProb}), q)
				if lead(&fixed) > c.margin {
					want = fixed
					ended++
					break
				}
				went++
			}
			if want.Nodes = got.Nodes; got != want {
				t.Errorf("%s, %v:\n got %+v\nwant %+v", name, p.Board, got, want)
			}
		}
		if ended < soak.Pick(1, 3) || went < 3 {
			t.Errorf("%s: %d searches ended early, %d iterations did not", name, ended, went)
		}
	}
}

// If only one move is legal, deepening ends too.
func TestClearMarginOfOneMove(t *testing.T) {
	o := search.ExpectimaxOptions{Nodes: 1 << 20, MinProb: 0.01, ClearMargin: 1e9}
	r := mustSearch(t, search.NewNetwork4(o, untamed(t)), query(parse(t, "2,4,8,16/32,64,2,4/8,16,32,64/0,0,0,0"), 0))
	if !r.OK || r.Plies != 4 {
		t.Errorf("%+v", r)
	}
}
