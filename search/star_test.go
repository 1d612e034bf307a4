package search_test

import (
	"fmt"
	"testing"

	"afterstate/eval"
	"afterstate/search"
)

// pruned is the evaluators whose bounds prune, with sums of either sign.
func pruned(t testing.TB) map[string]eval.Evaluator {
	all := map[string]eval.Evaluator{"coins": coins, "wild": wild}
	for _, name := range []string{"snake", "snake-empty", "weighted-snake", "edges", "gradient"} {
		all[name] = evaluator(t, name)
	}
	sum, err := eval.NewSum([]string{"gradient", "edges", "snake"}, []float64{1, -0.3, 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	all["sum"] = sum
	return all
}

// Pruning at chance nodes changes neither the best move nor its value.
func TestStarEqualsItsTwin(t *testing.T) {
	seed := uint64(0)
	for name, e := range pruned(t) {
		for _, leaf := range []search.Leaf{search.LeafAfterstate, search.LeafSpawn} {
			for _, p4 := range []float64{0, 0.1, 0.5, 1} {
				for _, dead := range []float64{-inf, -50, 1e6} {
					seed++
					starCases(t, fmt.Sprintf("%s, leaf %v, p4 %v, dead %v", name, leaf, p4, dead), newDealer(seed), dead, search.ExpectimaxOptions{Eval: e, Leaf: leaf, P4: p4Option(p4)})
				}
			}
		}
	}
}

func starCases(t *testing.T, what string, deal dealer, dead float64, o search.ExpectimaxOptions) {
	t.Helper()
	if dead != -inf {
		o.Dead = &dead
	}
	for range 2 {
		for _, size := range smallSizes {
			p := deal.position(size)
			o.Plies = plies(&p, o.Leaf, 4000, 5)
			o.Prune = search.PruneNone
			want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			for _, prune := range []search.Prune{search.PruneStar1, search.PruneStar2} {
				o.Prune = prune
				s := search.NewExpectimax(o)
				for _, all := range []bool{false, true} {
					got := mustSearch(t, s, search.Query{Position: p, All: all})
					sameChoice(t, fmt.Sprintf("%s, prune %v, all %v, %d plies of %v", what, prune, all, o.Plies, p.Board), got, want, all)
				}
			}
		}
	}
}

// What cannot be pruned costs no more than the plain search: evaluators without
// bounds, sums with such a term, and points.
func TestStarWithoutBoundsIsThePlainSearch(t *testing.T) {
	sum, err := eval.NewSum([]string{"snake", "smooth"}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]eval.Evaluator{"unbound": unbound, "sum": sum, "points": points, "points with bounds": fewPoints} {
		deal := newDealer(7)
		for _, size := range smallSizes {
			for range 20 {
				p := deal.position(size)
				o := search.ExpectimaxOptions{Eval: e, Plies: plies(&p, 0, 2000, 3)}
				want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
				for _, prune := range []search.Prune{search.PruneStar1, search.PruneStar2} {
					o.Prune = prune
					if got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p}); got != want {
						t.Fatalf("%s, prune %v, %d plies of %v: %+v, want %+v", name, prune, o.Plies, p.Board, got, want)
					}
				}
			}
		}
	}
}

// Over positions of a game pruning must save most of the work.
func TestStarSaves(t *testing.T) {
	positions := played(t, "snake", 1, 12)
	for _, c := range []struct {
		eval  string
		leaf  search.Leaf
		plies int
		share float64 // of the plain search's nodes, at most
	}{
		{"snake", search.LeafSpawn, 2, 0.6},
		{"weighted-snake", search.LeafAfterstate, 3, 0.6},
	} {
		o := search.ExpectimaxOptions{Eval: evaluator(t, c.eval), Plies: c.plies, Leaf: c.leaf}
		var nodes [3]int64
		for _, o.Prune = range []search.Prune{search.PruneNone, search.PruneStar1, search.PruneStar2} {
			s := search.NewExpectimax(o)
			for _, p := range positions {
				nodes[o.Prune] += mustSearch(t, s, search.Query{Position: p}).Nodes
			}
		}
		t.Logf("%s, %d plies: plain %d nodes, star1 %.3f of them, star2 %.3f", c.eval, c.plies, nodes[0], float64(nodes[1])/float64(nodes[0]), float64(nodes[2])/float64(nodes[0]))
		for _, n := range nodes[1:] {
			if float64(n) > c.share*float64(nodes[0]) {
				t.Errorf("%s, %d plies: %d nodes of %d", c.eval, c.plies, n, nodes[0])
			}
		}
	}
}

// played is positions along a game of 1-ply search with an evaluator.
func played(t testing.TB, name string, seed uint64, n int) (positions []eval.Position) {
	t.Helper()
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: evaluator(t, name), Plies: 1, Leaf: search.LeafSpawn})
	for index := uint64(0); len(positions) < n; index++ {
		g := newGame(t, smallSizes[6], seed, index, 0.1)
		for !g.Over() && len(positions) < n {
			p := eval.Position{Board: g.Board(), Score: g.Score()}
			if g.Moves()%20 == 10 {
				positions = append(positions, p)
			}
			if err := g.Move(mustSearch(t, s, search.Query{Position: p}).Move); err != nil {
				t.Fatal(err)
			}
		}
	}
	return positions
}
