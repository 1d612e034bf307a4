package search_test

import (
	"fmt"
	"testing"

	"afterstate/eval"
	"afterstate/search"
)

// p4Option is how ExpectimaxOptions writes a probability.
func p4Option(p4 float64) float64 {
	if p4 == 0 {
		return -1
	}
	return p4
}

func TestExpectimaxEqualsThePlainSearch(t *testing.T) {
	seed := uint64(0)
	for _, e := range everyEvaluator(t) {
		for _, leaf := range []search.Leaf{search.LeafAfterstate, search.LeafSpawn} {
			for _, p4 := range []float64{0, 0.1, 1} {
				for _, dead := range []float64{-inf, -50, 1e6} {
					seed++
					deal := newDealer(seed)
					for _, size := range smallSizes {
						p := deal.position(size)
						n := plies(&p, leaf, 2000, 4)
						o := search.ExpectimaxOptions{Eval: e.Evaluator, Plies: n, Leaf: leaf, P4: p4Option(p4)}
						if dead != -inf {
							o.Dead = &dead
						}
						got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
						want := plainExpectimax{worth{e.Evaluator, dead}, leaf, p4}.answer(p, n)
						what := fmt.Sprintf("%s, leaf %v, p4 %v, dead %v, %d plies of %v score %d", e.name, leaf, p4, dead, n, p.Board, p.Score)
						sameAnswer(t, what, got, want)
						if got.OK && got.Plies != n {
							t.Fatalf("%s: answer of %d plies", what, got.Plies)
						}
					}
				}
			}
		}
	}
}

// The options' zero values: three plies, a tenth of 4s, death minus infinity.
func TestExpectimaxDefaults(t *testing.T) {
	deal := newDealer(1)
	for range 100 {
		p := deal.position(smallSizes[1])
		got := mustSearch(t, search.NewExpectimax(search.ExpectimaxOptions{Eval: coins}), search.Query{Position: p})
		sameAnswer(t, p.Board, got, plainExpectimax{worth{coins, -inf}, search.LeafAfterstate, 0.1}.answer(p, 3))
	}
}

// A node is a board made, after a move or after a spawn, so their number can be
// told: 2,0/0,0 has two moves with two spawns' cells each... counted by hand below.
func TestExpectimaxNodes(t *testing.T) {
	// Right and down are legal; each afterstate has 3 empty cells: 6 spawns.
	p := eval.Position{Board: parse(t, "2,0/0,0")}
	for _, c := range []struct {
		plies int
		leaf  search.Leaf
		nodes int64
	}{
		{1, search.LeafAfterstate, 2},
		{1, search.LeafSpawn, 2 + 2*6},
	} {
		s := search.NewExpectimax(search.ExpectimaxOptions{Eval: coins, Plies: c.plies, Leaf: c.leaf})
		if r := mustSearch(t, s, search.Query{Position: p}); r.Nodes != c.nodes {
			t.Errorf("%d plies, leaf %v: %d nodes, want %d", c.plies, c.leaf, r.Nodes, c.nodes)
		}
	}
}
