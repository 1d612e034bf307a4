package search_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/search"
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
							o.DeathValue = &dead
						}
						got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
						want := plainExpectimax{worth: worth{e.Evaluator, dead}, leaf: leaf, p4: p4}.answer(p, n)
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

// A node is a board made, after a move or after a spawn, so the number can be counted by hand.
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

// margins are such that some moves are pruned, but not all except one.
func margins(e eval.Evaluator, p *eval.Position) float64 {
	minimum, maximum := inf, -inf
	for _, s := range steps(*p) {
		v := e.Value(&s.after)
		minimum, maximum = min(minimum, v), max(maximum, v)
	}
	return max((maximum-minimum)/2, 0.5)
}

// narrowed returns options that make trees smaller, chosen for a position.
func narrowed(deal dealer, o search.ExpectimaxOptions, p *eval.Position) search.ExpectimaxOptions {
	o.MinProb = []float64{0, 0.2, 0.05, 0.01, 0.001}[deal.IntN(5)]
	if o.MinProb == 0 || deal.IntN(2) == 0 {
		o.PruneMargin = margins(o.Eval, p)
	}
	return o
}

func TestCutAndMarginEqualThePlainSearch(t *testing.T) {
	deal := newDealer(400)
	smaller := 0
	for _, e := range everyEvaluator(t) {
		for i := range 36 {
			p := deal.position(smallSizes[i%len(smallSizes)])
			o := search.ExpectimaxOptions{Eval: e.Evaluator, Leaf: search.Leaf(deal.IntN(2)), P4: []float64{0, -1, 1, 0.3}[deal.IntN(4)]}
			o.Plies = plies(&p, o.Leaf, 4000, 4)
			whole := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			o = narrowed(deal, o, &p)
			got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			if got.Nodes < whole.Nodes {
				smaller++
			}
			p4 := map[float64]float64{0: 0.1, -1: 0}[o.P4] + max(o.P4, 0)
			want := plainExpectimax{worth{e.Evaluator, -inf}, o.Leaf, p4, o.MinProb, o.PruneMargin, nil}.answer(p, o.Plies)
			sameAnswer(t, fmt.Sprintf("%s, %+v, %v", e.name, o, p.Board), got, want)
		}
	}
	if smaller < soak.Pick(20, 50) {
		t.Errorf("only %d trees became smaller", smaller)
	}
}

// With DepthByTiles the depth is the number of distinct tiles minus the option.
func TestPhase(t *testing.T) {
	for _, c := range []struct {
		text         string
		plies, phase int
		want         int
	}{
		{"2,2/0,4", 0, 0, 2}, {"2,2/0,4", 0, 1, 1}, {"2,2/0,4", 0, 5, 1}, {"2,2/0,4", 3, 1, 3}, {"2,2/0,4", 2, -2, 4},
		{"2,4,8/16,0,2/0,0,0", 1, 1, 3}, {"131072,65536,8/16,0,0/0,0,0", 1, 2, 2},
	} {
		q := query(parse(t, c.text), 0)
		dead := -1.0
		o := search.ExpectimaxOptions{Eval: coins, Plies: c.plies, DepthByTiles: &c.phase, DeathValue: &dead}
		r := mustSearch(t, search.NewExpectimax(o), q)
		same := mustSearch(t, search.NewExpectimax(search.ExpectimaxOptions{Eval: coins, Plies: c.want, DeathValue: &dead}), q)
		must.Equal(t, r, same, c)
		o.Time = time.Hour // deepening ends there too
		if r := mustSearch(t, search.NewExpectimax(o), q); r.Plies != c.want || r.Moves != same.Moves {
			t.Errorf("%+v, deepening: %+v, want %+v", c, r, same)
		}
	}
}

// Deepening ends when no line is cut off by the depth, since deeper trees are equal.
func TestDeepeningEndsWithTheTree(t *testing.T) {
	deal := newDealer(401)
	dead := -3.0
	ended := map[int]int{}
	for i := range soak.Pick(100, 150) {
		p := deal.position(smallSizes[i%5])
		o := search.ExpectimaxOptions{Eval: []eval.Evaluator{coins, points}[i%2], MinProb: 0.06, Nodes: 100000, DeathValue: &dead, Leaf: search.Leaf(i / 2 % 2)}
		if p.Board.Size() == smallSizes[0] {
			o.MinProb, o.TT, o.TTExact = 0, 1, true // whole games of 2x2
		}
		got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
		if !got.OK || got.Nodes >= o.Nodes {
			continue
		}
		if ended[got.Plies]++; got.Plies > 40 {
			t.Fatalf("%+v does not end at %v", o, p.Board)
		}
		o.Nodes = 0
		for _, more := range []int{0, 1, 3} {
			o.Plies = got.Plies + more
			if want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p}); got.Moves != want.Moves {
				t.Fatalf("%+v ends after %d plies at %v with %+v; after %d it is %+v", o, got.Plies, p.Board, got, o.Plies, want)
			}
		}
	}
	if len(ended) < 10 {
		t.Errorf("searches end after %v plies", ended)
	}
}
