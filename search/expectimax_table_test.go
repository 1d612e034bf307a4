package search_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/search"
)

// A table changes no value without MinProb, nor for evaluators that use the
// score.
func TestBoardTableChangesNothing(t *testing.T) {
	deal := newDealer(500)
	fewer := 0
	for _, e := range everyEvaluator(t) {
		for i := range 3 * len(smallSizes) {
			p := deal.position(smallSizes[i%len(smallSizes)])
			o := search.ExpectimaxOptions{Eval: e.Evaluator, Leaf: search.Leaf(deal.IntN(2)), P4: []float64{0, -1, 1, 0.3}[deal.IntN(4)]}
			o.Plies = plies(&p, o.Leaf, 20000, 5)
			if deal.IntN(3) == 0 {
				o.PruneMargin = margins(o.Eval, &p)
			}
			if i%4 == 0 {
				o.Nodes = 1 << 40
			}
			want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			o.TT, o.TTExact, o.TTRootMove = 1, deal.IntN(2) == 0, deal.IntN(2) == 0
			o.Star1 = deal.IntN(2) == 0
			got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			if got.Nodes < want.Nodes {
				fewer++
			}
			if got.Nodes > want.Nodes {
				t.Fatalf("%s, %+v: %d nodes, without table %d", e.name, o, got.Nodes, want.Nodes)
			}
			if got.Nodes = want.Nodes; got != want && !(eval.IsSymmetric(o.Eval) && sameButRounding(&got, &want)) {
				t.Fatalf("%s, %+v of %v:\n got %+v\nwant %+v", e.name, o, p.Board, got, want)
			}
		}
	}
	if fewer < soak.Pick(20, 100) {
		t.Errorf("the table made only %d trees smaller", fewer)
	}
}

// eachTable runs a test on both searches.
func eachTable(t *testing.T, o search.ExpectimaxOptions, check func(t *testing.T, o search.ExpectimaxOptions, fresh func(search.ExpectimaxOptions) searcher)) {
	for name, fresh := range map[string]func(search.ExpectimaxOptions) searcher{
		"boards": func(o search.ExpectimaxOptions) searcher { return search.NewExpectimax(o) },
		"bits":   func(o search.ExpectimaxOptions) searcher { return compiled(t, o) },
	} {
		for _, rootMove := range []bool{false, true} {
			for _, strict := range []bool{false, true} {
				o := o
				o.TTRootMove, o.TTExact = rootMove, strict
				t.Run(fmt.Sprintf("%s, root move %v, strict %v", name, rootMove, strict), func(t *testing.T) { check(t, o, fresh) })
			}
		}
	}
}

// Earlier queries do not affect the result.
func TestTablesForget(t *testing.T) {
	positions := played(t, 5, 40) // more than table4 has generations
	o := search.ExpectimaxOptions{Eval: evaluator(t, "weighted-snake"), Plies: 3, MinProb: 0.002, TT: 1}
	eachTable(t, o, func(t *testing.T, o search.ExpectimaxOptions, fresh func(search.ExpectimaxOptions) searcher) {
		used := fresh(o)
		for i, p := range positions {
			q := search.Query{Position: p}
			first := mustSearch(t, used, q)
			if i%8 == 0 {
				if want := mustSearch(t, fresh(o), q); first != want {
					t.Fatalf("position %d: a used search says %+v\na new one %+v", i, first, want)
				}
			}
			again := mustSearch(t, used, q)
			if again != first {
				t.Fatalf("position %d: first %+v\nthen %+v", i, first, again)
			}
		}
	})
}

// A table's hits must not end deepening: a value found at a lower depth may still be cut off by that depth.
func TestDeepeningGoesOnThroughTheTable(t *testing.T) {
	o := search.ExpectimaxOptions{Eval: evaluator(t, "weighted-snake"), Plies: 4, Nodes: 1 << 40, TT: 8 << 20}
	positions := played(t, 6, 3)
	eachTable(t, o, func(t *testing.T, o search.ExpectimaxOptions, fresh func(search.ExpectimaxOptions) searcher) {
		used := fresh(o)
		for _, p := range positions {
			for range 3 {
				if r := mustSearch(t, used, search.Query{Position: p}); r.Plies != o.Plies {
					t.Fatalf("%v: searched to %d plies, want %d", p.Board, r.Plies, o.Plies)
				}
			}
		}
	})
}
