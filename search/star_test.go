package search_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/search"
)

// bounded is the evaluators whose bounds prune, with sums of either sign.
func bounded(t testing.TB) []named {
	t.Helper()
	all := []named{{"coins", coins}, {"wild", wild}}
	for _, name := range []string{"snake", "snake-empty", "weighted-snake", "edges", "gradient"} {
		all = append(all, named{name, evaluator(t, name)})
	}
	return append(all, named{"sum", sum(t, []string{"gradient", "edges", "snake"}, []float64{1, -0.3, 1e-3})})
}

func sum(t testing.TB, names []string, weights []float64) eval.Evaluator {
	t.Helper()
	return must.Get(eval.NewSum(names, weights))(t)
}

// Pruning at chance nodes changes neither the best move nor its value.
func TestStarEqualsItsReference(t *testing.T) {
	seed := uint64(0)
	for _, e := range bounded(t) {
		for _, leaf := range []search.Leaf{search.LeafAfterstate, search.LeafSpawn} {
			for _, p4 := range []float64{0, 0.1, 0.5, 1} {
				for _, dead := range []float64{-inf, -50, 1e6} {
					seed++
					starCases(t, fmt.Sprintf("%s, leaf %v, p4 %v, dead %v", e.name, leaf, p4, dead), newDealer(seed), dead, search.ExpectimaxOptions{Eval: e.Evaluator, Leaf: leaf, P4: p4Option(p4)})
				}
			}
		}
	}
}

func starCases(t *testing.T, what string, deal dealer, dead float64, o search.ExpectimaxOptions) {
	t.Helper()
	if dead != -inf {
		o.DeathValue = &dead
	}
	whole := o
	for i, size := range smallSizes {
		p := deal.position(size)
		if o = whole; i%2 == 1 {
			o = narrowed(deal, o, &p)
		}
		o.Plies = plies(&p, o.Leaf, 2500, 5)
		o.Star1 = false
		want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
		first := mustSearch(t, search.NewExpectimax(search.ExpectimaxOptions{Eval: o.Eval, Leaf: o.Leaf, P4: o.P4, Plies: 1}), search.Query{Position: p}).Nodes
		o.Star1 = true
		s := search.NewExpectimax(o)
		for _, all := range []bool{false, true} {
			got := mustSearch(t, s, search.Query{Position: p, All: all})
			context := fmt.Sprintf("%s, all %v, cut %v, margin %v, %d plies of %v", what, all, o.MinProb, o.PruneMargin, o.Plies, p.Board)
			sameChoice(t, context, got, want, all)
			if got.Nodes > want.Nodes+first { // pruning only omits nodes, except that it first searches the root moves to one ply
				t.Fatalf("%s: %d nodes, without pruning %d", context, got.Nodes, want.Nodes)
			}
		}
	}
}

// Without bounds every value is exact: evaluators without bounds, sums with such a term, and
// points.
func TestStarWithoutBoundsIsThePlainSearch(t *testing.T) {
	for _, e := range []named{{"unbound", unbound}, {"sum", sum(t, []string{"snake", "smoothness"}, []float64{1, 1})}, {"points", points}, {"points with bounds", fewPoints}} {
		deal := newDealer(7)
		for _, size := range smallSizes {
			for range soak.Pick(6, 20) {
				p := deal.position(size)
				o := search.ExpectimaxOptions{Eval: e.Evaluator, Plies: plies(&p, 0, 2000, 3)}
				want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
				o.Star1 = true
				got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
				if got.Nodes > want.Nodes+4 {
					t.Fatalf("%s, %d plies of %v: %d nodes, want %d", e.name, o.Plies, p.Board, got.Nodes, want.Nodes)
				}
				if got.Nodes = want.Nodes; got != want {
					t.Fatalf("%s, %d plies of %v: %+v, want %+v", e.name, o.Plies, p.Board, got, want)
				}
			}
		}
	}
}
