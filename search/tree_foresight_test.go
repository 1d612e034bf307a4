package search_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// seeing is a Foresight with the game it searches.
type seeing struct {
	*search.Foresight
	game *game.Game
}

func (s seeing) Search(ctx context.Context, q search.Query) (search.Result, error) {
	return s.Foresight.Search(ctx, q, s.game)
}

func (s seeing) Tree(ctx context.Context, q search.Query, o search.TreeOptions) (*search.Tree, error) {
	return s.Foresight.Tree(ctx, q, s.game, o)
}

// Over whole games: the result is the search's, values are backed up from the deepest layer, and
// the chosen line is what happens when it is played.
func TestForesightTree(t *testing.T) {
	for i, size := range smallSizes {
		for _, beam := range []int{0, 1, 3, 1000} {
			e := []named{{"product", evaluator(t, "product")}, {"coins", coins}, {"wild", unbound}}[i%3]
			g := newGame(t, size, uint64(i), 4, 0.1)
			o := search.ForesightOptions{Eval: e.Evaluator, Depth: 2 + i%3, Beam: beam}
			s, reference := seeing{search.NewForesight(o), g}, seeing{search.NewForesight(o), g}
			for n := 0; n < 40 && !g.Over(); n++ {
				what := fmt.Sprintf("%s, %+v, move %d of %v", e.name, o, n, g.Board())
				p := eval.Position{Board: g.Board(), Score: g.Score()}
				tree := mustTree(t, s, p, search.TreeOptions{})
				checkAnswer(t, what, tree, mustSearch(t, reference, search.Query{Position: p}))
				checkForeseen(t, what, tree, e.Evaluator, beam > 0)
				line := chosenLine(tree)
				for _, c := range line {
					if err := g.Move(c.Move); err != nil || g.Board() != c.Board || g.Score() != c.Score || g.Over() != c.Terminal {
						t.Fatalf("%s: %v leads to %v score %d, the tree says %v score %d, dead %v (%v)", what, c.Move, g.Board(), g.Score(), c.Board, c.Score, c.Terminal, err)
					}
					if want := g.LastSpawn(); c.Spawn != want {
						t.Fatalf("%s: spawn %v, want %v", what, c.Spawn, want)
					}
				}
				if last := line[len(line)-1]; !same(last.Value, tree.Best()) || len(line) != tree.Plies {
					t.Fatalf("%s: the line of %d moves ends at %v, want %v", what, len(line), last.Value, tree.Best())
				}
				for range line {
					g.Undo()
				}
				must.Do(t, g.Move(tree.Move))
			}
		}
	}
}

// checkForeseen is checkValues for Foresight, whose values all come from its deepest layer.
func checkForeseen(t *testing.T, what string, tree *search.Tree, e eval.Evaluator, beam bool) {
	t.Helper()
	var visit func(n *search.TreeNode, layer int)
	visit = func(n *search.TreeNode, layer int) {
		want := math.NaN()
		switch {
		case len(n.Children) > 0:
			want = backedUp(n)
		case n.Terminal && (!beam || layer == tree.Plies && !math.IsNaN(n.Value)):
			want = -inf
		case n.Pruned && !beam || n.Leaf && layer != tree.Plies:
			t.Fatalf("%s: %v: dropped %v, leaf %v in layer %d", what, n.Board, n.Pruned, n.Leaf, layer)
		case n.Leaf && !n.Pruned:
			want = e.Value(&n.Position)
		}
		if !same(n.Value, want) {
			t.Fatalf("%s: %v has value %v, want %v", what, n.Board, n.Value, want)
		}
		for _, c := range n.Children {
			visit(c, layer+1)
		}
	}
	visit(tree.Root, 0)
}
