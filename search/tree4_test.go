package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/search"
)

// checkDropped requires that exactly the moves that the margin prunes are dropped: below the first
// one, on boards whose moves are not leaves.
func checkDropped(t *testing.T, what string, tree *search.Tree, o search.ExpectimaxOptions) (dropped int) {
	t.Helper()
	e := plainExpectimax{worth: worth{eval: o.Eval}, margin: o.PruneMargin}
	walk(tree.Root, func(n *search.TreeNode) {
		if n.Turn != protocol.TurnPlayer || len(n.Children) == 0 {
			return
		}
		kept := map[string]bool{}
		for _, s := range e.good(steps(n.Position)) {
			kept[s.move.String()] = true
		}
		any := 0
		for _, c := range n.Children {
			if c.Pruned {
				any++
				if kept[c.Move.String()] || n == tree.Root || o.PruneMargin == 0 {
					t.Fatalf("%s: %v of %v was dropped", what, c.Move, n.Board)
				}
			}
		}
		if dropped += any; any > 0 && any+len(kept) != len(n.Children) {
			t.Fatalf("%s: %d moves of %v were dropped, want %d", what, any, n.Board, len(n.Children)-len(kept))
		}
	})
	return dropped
}

// Trees of searches that prune: every board has the value that its line gives it.
func TestNarrowTrees(t *testing.T) {
	d := newDealer(64)
	cut, dropped := 0, 0
	for _, e := range everyEvaluator(t) {
		for i, size := range smallSizes {
			p := d.position(size)
			o := search.ExpectimaxOptions{Eval: e.Evaluator, Leaf: search.Leaf(d.IntN(2)), Star1: d.IntN(2) == 0, P4: []float64{0, -1, 1, 0.3}[d.IntN(4)]}
			o.Plies = plies(&p, o.Leaf, 4000, 4)
			whole := mustTree(t, search.NewExpectimax(o), p, search.TreeOptions{Boards: 1 << 20})
			o = narrowed(d, o, &p)
			plain := o
			if i%3 == 0 {
				o.TT, o.TTExact, o.TTRootMove = 1, d.IntN(2) == 0, d.IntN(3) == 0
			}
			if i%4 == 0 {
				o.Nodes = 1 << 40
			}
			s := search.NewExpectimax(o)
			for range 2 { // a search that was used before returns the same
				tree := mustTree(t, s, p, search.TreeOptions{Boards: 1 << 20})
				what := fmt.Sprintf("%s, %+v, %v", e.name, o, p.Board)
				if tree.OK {
					plain.Plies = tree.Plies
				}
				checkAnswer(t, what, tree, mustSearch(t, search.NewExpectimax(plain), search.Query{Position: p, All: true}))
				checkValues(t, what, tree, e.Evaluator, worth{e.Evaluator, -inf}.ofDead())
				dropped += checkDropped(t, what, tree, o)
				if tree.Boards < whole.Boards {
					cut++
				}
			}
		}
	}
	if cut < soak.Pick(10, 30) || dropped < soak.Pick(12, 80) {
		t.Errorf("%d trees are smaller and %d moves were dropped", cut, dropped)
	}
}

func TestExpectimax4Tree(t *testing.T) {
	d := newDealer(65)
	for name, e := range linewise(t) {
		l := lines(t, e)
		for i := range soak.Pick(8, 24) {
			p := d.any()
			o := search.ExpectimaxOptions{Eval: e, Leaf: search.Leaf(d.IntN(2)), P4: []float64{0, 0, -1, 0.3}[d.IntN(4)]}
			o.Plies = plies(&p, o.Leaf, 4000, 3)
			if i%2 == 0 {
				o = narrowed(d, o, &p)
			}
			if i%3 == 0 {
				o.TT, o.Nodes = search.MinTT, 1<<40
			}
			what := fmt.Sprintf("%s, %+v, %v", name, o, p.Board)
			fast := mustTree(t, search.NewExpectimax4(o, l), p, search.TreeOptions{Boards: 1 << 20})
			checkValues(t, what, fast, e, -inf)
			checkDropped(t, what, fast, o)
			o.TT, o.Nodes, o.Plies = 0, 0, max(fast.Plies, 1)
			plain := search.NewExpectimax(o)
			checkAnswer(t, what, fast, mustSearch(t, plain, search.Query{Position: p}))
			slow := mustTree(t, plain, p, search.TreeOptions{Boards: 1 << 20})
			compareTrees(t, what, fast.Root, slow.Root)
			if fast.Boards != slow.Boards || fast.Depth != slow.Depth {
				t.Fatalf("%s: %d boards to depth %d, want %d to %d", what, fast.Boards, fast.Depth, slow.Boards, slow.Depth)
			}
		}
	}
}

// A tree has the depth that was reached under limits, and its capture takes at most a few times as
// long as the search.
func TestExpectimax4TreeUnderLimits(t *testing.T) { synctest.Test(t, treeUnderLimits) }

func treeUnderLimits(t *testing.T) {
	p := query(parse(t, open), 0).Position
	e := everyLinewise(t)["lines"]
	for _, o := range []search.ExpectimaxOptions{{Nodes: 1e6}, {Time: 20 * tick}, {Time: 20 * tick, TT: search.MinTT, MinProb: 0.001}} {
		o.Eval = e
		s := compiled(t, o)
		tree, err := s.Tree(ticking{bg}, search.Query{Position: p}, search.TreeOptions{Depth: 2, Width: 2})
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		if tree.Plies < 2 || tree.Depth != 2 || !tree.OK || tree.Best() != tree.Root.Value || math.IsNaN(tree.Best()) {
			t.Errorf("%+v: %+v", o, tree.Result)
		}
		// The root's values are those of a search without limits and table.
		o.Time, o.Nodes, o.TT, o.Plies = 0, 0, 0, tree.Plies
		checkAnswer(t, fmt.Sprintf("%+v", o), tree, mustSearch(t, compiled(t, o), search.Query{Position: p}))
		ended, cancel := context.WithCancel(bg)
		cancel()
		if got, err := compiled(t, search.ExpectimaxOptions{Eval: e, Plies: 20}).Tree(ended, search.Query{Position: p}, search.TreeOptions{}); !errors.Is(err, context.Canceled) || got != nil {
			t.Errorf("ended: %v", err)
		}
		midway, stop := context.WithTimeout(bg, 30*tick)
		if got, err := compiled(t, search.ExpectimaxOptions{Eval: e, Nodes: 1e6}).Tree(ticking{midway}, search.Query{Position: p}, search.TreeOptions{Boards: 1 << 30}); err == nil {
			t.Errorf("midway: %d boards", got.Boards)
		}
		stop()
	}
}
