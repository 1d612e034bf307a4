package search_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// A search allocates almost nothing after its first queries.
func TestSearchesDoNotAllocate(t *testing.T) {
	const few = 4 // the list of the root's moves
	q := query(parse(t, "64,32,8,2/4,16,4,0/2,8,0,0/0,2,0,0"), 400)
	e := evaluator(t, "snake-empty")
	for name, s := range map[string]searcher{
		"expectimax":  search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 2}),
		"star1":       search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 2, Leaf: search.LeafSpawn, Star1: true}),
		"a sum":       search.NewExpectimax(search.ExpectimaxOptions{Eval: sum(t, []string{"smoothness", "monotonicity", "duplicates", "adjacency"}, []float64{1, 2, 3, 4}), Plies: 2}),
		"cut":         search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 3, MinProb: 0.01, PruneMargin: 1}),
		"table":       search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 3, TT: 1}),
		"bits":        compiled(t, search.ExpectimaxOptions{Eval: e, Plies: 4, MinProb: 0.01, PruneMargin: 1}),
		"bits, table": compiled(t, search.ExpectimaxOptions{Eval: e, Plies: 4, TT: 1}),
		"network":     search.NewNetwork4(search.ExpectimaxOptions{Plies: 4, MinProb: 0.01, PruneMargin: 100, TT: 1}, untamed(t)),
		"to node 900": search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Nodes: 900}),
		"minimax":     search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: 3}),
		"alphabeta":   search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: 4, AlphaBeta: true}),
	} {
		iterations := 1.0
		if name == "to node 900" || name == "star1" {
			iterations = 4
		}
		if n := testing.AllocsPerRun(5, func() { mustSearch(t, s, q) }); n > few*iterations {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// Foresight's layers stop growing during a game.
func TestForesightDoesNotAllocate(t *testing.T) {
	for name, o := range map[string]search.ForesightOptions{
		"tree": {Depth: 4}, "beam": {Depth: 20, Beam: 16},
	} {
		o.Eval = evaluator(t, "product")
		f := search.NewForesight(o)
		g := newGame(t, board.Size{Rows: 6, Cols: 6}, 1, 0, 0.1)
		move := func() {
			must.Do(t, g.Move(mustForesee(t, f, g).Move))
		}
		for range 100 {
			move()
		}
		// The game's own list of moves doubles now and then, as may a layer.
		if n := testing.AllocsPerRun(100, move); n > 3 {
			t.Errorf("%s: %v allocations a move", name, n)
		}
	}
}
