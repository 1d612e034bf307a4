package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// treeSearch is a search that captures its tree.
type treeSearch interface {
	searcher
	Tree(ctx context.Context, q search.Query, o search.TreeOptions) (*search.Tree, error)
}

func mustTree(t testing.TB, s treeSearch, p eval.Position, o search.TreeOptions) *search.Tree {
	t.Helper()
	return must.Get(s.Tree(bg, search.Query{Position: p}, o))(t)
}

// walk visits all boards of a tree, parents first.
func walk(n *search.TreeNode, visit func(n *search.TreeNode)) {
	visit(n)
	for _, c := range n.Children {
		walk(c, visit)
	}
}

// same reports whether two values are equal to the last bit.
func same(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x == y }

// backedUp is the reference value of a board from those of all its children, with sums in the
// search's order.
func backedUp(n *search.TreeNode) float64 {
	children := slices.Clone(n.Children)
	slices.SortFunc(children, func(x, y *search.TreeNode) int {
		return (x.Spawn.Cell-y.Spawn.Cell)*8 + int(x.Spawn.Exponent) - int(y.Spawn.Exponent)
	})
	switch n.Turn {
	case protocol.TurnOpponent:
		worst := inf
		for _, c := range children {
			worst = min(worst, c.Value)
		}
		return worst
	case protocol.TurnChance:
		empty := float64(n.Board.Empty())
		var chances, sums [3]float64 // by exponent
		for _, c := range children {
			chances[c.Spawn.Exponent] = math.Round(c.Probability*empty*1e9) / 1e9
			sums[c.Spawn.Exponent] += c.Value
		}
		total := 0.0
		for k, chance := range chances {
			if chance > 0 {
				total += float64(chance * sums[k])
			}
		}
		return total / empty
	}
	best := math.NaN()
	for _, c := range children {
		if math.IsNaN(best) || c.Value > best {
			best = c.Value
		}
	}
	return best
}

// checkValues checks a completely captured tree: leaves against the evaluator, and every other
// board against the values of its children. Then all values are those of the unpruned search.
func checkValues(t *testing.T, what string, tree *search.Tree, e eval.Evaluator, dead float64) {
	t.Helper()
	walk(tree.Root, func(n *search.TreeNode) {
		if n.OmittedChildren > 0 {
			t.Fatalf("%s: %d children of %v are hidden", what, n.OmittedChildren, n.Board)
		}
		want := 0.0
		switch {
		case n.Pruned:
			if !math.IsNaN(n.Value) || len(n.Children) > 0 || n.Best {
				t.Fatalf("%s: %v was dropped and has value %v", what, n.Board, n.Value)
			}
			return
		case n.Terminal:
			want = dead
		case len(n.Children) > 0:
			want = backedUp(n)
		case n.Leaf:
			want = e.Value(&n.Position)
		default:
			t.Fatalf("%s: %v is no leaf and has no children", what, n.Board)
		}
		if e.Unit() == eval.Points && n.ByMove {
			want += float64(n.Reward)
		}
		if !same(n.Value, want) {
			t.Fatalf("%s: %v (score %d, %v) has value %v, want %v", what, n.Board, n.Score, n.Turn, n.Value, want)
		}
	})
}

// checkAnswer compares a tree's root with the search's result.
func checkAnswer(t *testing.T, what string, tree *search.Tree, r search.Result) {
	t.Helper()
	if tree.OK != r.OK || tree.Move != r.Move || tree.Plies != r.Plies {
		t.Fatalf("%s: %v (%v) at %d plies, the search says %v (%v) at %d", what, tree.Move, tree.OK, tree.Plies, r.Move, r.OK, r.Plies)
	}
	legal := 0
	for d, m := range r.Moves {
		if got := tree.Moves[d]; got.Legal != m.Legal || got.Bound != m.Bound || !same(got.Value, m.Value) {
			t.Fatalf("%s: %v is %+v, the search says %+v", what, board.Direction(d), got, m)
		}
		if m.Legal {
			legal++
		}
	}
	if len(tree.Root.Children) != legal {
		t.Fatalf("%s: %d moves at the root, want %d", what, len(tree.Root.Children), legal)
	}
	for _, c := range tree.Root.Children {
		if !same(c.Value, r.Moves[c.Move].Value) || c.Best != (c.Move == r.Move) || c.Chosen != c.Best {
			t.Fatalf("%s: %v has value %v (chosen %v), the search says %v and %v", what, c.Move, c.Value, c.Chosen, r.Moves[c.Move].Value, r.Move)
		}
	}
}

func TestExpectimaxTree(t *testing.T) {
	d := newDealer(61)
	for _, e := range everyEvaluator(t) {
		for i, size := range smallSizes {
			p := d.position(size)
			o := search.ExpectimaxOptions{Eval: e.Evaluator, Leaf: search.Leaf(d.IntN(2)), Star1: d.IntN(2) == 0, P4: []float64{0, -1, 1, 0.3}[d.IntN(4)]}
			o.Plies = plies(&p, o.Leaf, 4000, 3)
			if i%4 == 3 {
				o.Nodes = 2000 // and as deep as that goes, up to the plies
			}
			dead := -inf
			if d.IntN(3) == 0 {
				dead = -25
				o.DeathValue = &dead
			}
			if e.Unit() == eval.Points {
				dead = 0
			}
			what := fmt.Sprintf("%s, %+v, %v", e.name, o, p.Board)
			s := search.NewExpectimax(o)
			tree := mustTree(t, s, p, search.TreeOptions{Boards: 1 << 20})
			checkAnswer(t, what, tree, mustSearch(t, s, search.Query{Position: p, All: true}))
			checkValues(t, what, tree, e.Evaluator, dead)
		}
	}
}

func TestMinimaxTree(t *testing.T) {
	d := newDealer(62)
	for _, e := range everyEvaluator(t) {
		for i, size := range smallSizes {
			p := d.position(size)
			o := search.MinimaxOptions{Eval: e.Evaluator, AlphaBeta: d.IntN(2) == 0}
			for boards := 4.0; boards < 4000 && o.Layers < 5; o.Layers++ {
				if o.Layers%2 == 0 {
					boards *= 2
				}
				boards *= float64(max(p.Board.Empty(), 4))
			}
			dead := -inf
			if e.Unit() == eval.Points {
				dead = 0
			}
			what := fmt.Sprintf("%s, %+v, %v", e.name, o, p.Board)
			s := search.NewMinimax(o)
			r := mustSearch(t, s, search.Query{Position: p, All: true})
			if i%4 == 3 {
				o.Time = time.Hour // deepens to the same layers, unless all is lost
				if s = search.NewMinimax(o); math.IsInf(r.Best(), -1) {
					r = mustSearch(t, s, search.Query{Position: p, All: true})
				}
			}
			tree := mustTree(t, s, p, search.TreeOptions{Boards: 1 << 20})
			checkAnswer(t, what, tree, r)
			checkValues(t, what, tree, e.Evaluator, dead)
		}
	}
}

// chosenLine returns the boards on the chosen line after the root.
func chosenLine(tree *search.Tree) (line []*search.TreeNode) {
	n := tree.Root
	for n != nil {
		var next *search.TreeNode
		for _, c := range n.Children {
			if c.Chosen {
				next = c
				line = append(line, c)
			}
		}
		n = next
	}
	return line
}

// Under any limits, boards shown have the values of the whole tree, boards left out are counted,
// and the chosen line is present.
func TestTreeLimits(t *testing.T) {
	d := newDealer(63)
	for range 60 {
		p := d.position(smallSizes[d.IntN(len(smallSizes))])
		var s treeSearch = search.NewExpectimax(search.ExpectimaxOptions{Eval: coins, Plies: plies(&p, search.LeafSpawn, 4000, 3), Leaf: search.LeafSpawn, Star1: true})
		if d.IntN(2) == 0 {
			s = search.NewMinimax(search.MinimaxOptions{Eval: wild, Layers: 1 + d.IntN(2), AlphaBeta: true})
		}
		whole := mustTree(t, s, p, search.TreeOptions{Boards: 1 << 20})
		o := search.TreeOptions{Depth: d.IntN(4), Width: d.IntN(5), Boards: 8 + d.IntN(300)}
		tree := mustTree(t, s, p, o)
		what := fmt.Sprintf("%+v of %v", o, p.Board)
		checkAnswer(t, what, tree, whole.Result)
		compareTrees(t, what, tree.Root, whole.Root)
		checkLimits(t, what, tree, o)
	}
}

// compareTrees finds every board of a partial tree in the whole one.
func compareTrees(t *testing.T, what string, part, whole *search.TreeNode) {
	t.Helper()
	if part.Board != whole.Board || !same(part.Value, whole.Value) || part.Best != whole.Best || part.Chosen != whole.Chosen || part.Terminal != whole.Terminal || part.Leaf != whole.Leaf {
		t.Fatalf("%s: %+v, in the whole tree %+v", what, part, whole)
	}
	if len(part.Children) > 0 && len(part.Children)+part.OmittedChildren != len(whole.Children) {
		t.Fatalf("%s: %d children and %d hidden, in the whole tree %d", what, len(part.Children), part.OmittedChildren, len(whole.Children))
	}
	for _, c := range part.Children {
		i := slices.IndexFunc(whole.Children, func(w *search.TreeNode) bool {
			return w.ByMove == c.ByMove && w.Move == c.Move && w.Spawn == c.Spawn
		})
		if i < 0 {
			t.Fatalf("%s: %v is not in the whole tree", what, c.Board)
		}
		compareTrees(t, what, c, whole.Children[i])
	}
}

func checkLimits(t *testing.T, what string, tree *search.Tree, o search.TreeOptions) {
	t.Helper()
	boards, hidden := 0, 0
	walk(tree.Root, func(n *search.TreeNode) {
		boards++
		hidden += n.OmittedChildren
		if n.Turn != protocol.TurnPlayer && o.Width > 0 && len(n.Children) > o.Width {
			t.Fatalf("%s: %d spawns shown", what, len(n.Children))
		}
	})
	if boards != tree.Boards || boards > o.Boards || hidden != tree.BeyondWidth+tree.BeyondBoards {
		t.Fatalf("%s: %d boards (said %d), %d hidden (said %d and %d)", what, boards, tree.Boards, hidden, tree.BeyondWidth, tree.BeyondBoards)
	}
	if tree.BeyondBoards == 0 && o.Depth == 0 && o.Width == 0 && hidden != 0 {
		t.Fatalf("%s: %d hidden without a reason", what, hidden)
	}
	moves := 0
	line := chosenLine(tree)
	for _, c := range line {
		if c.ByMove {
			moves++
		}
	}
	if deep := tree.Depth; tree.BeyondBoards == 0 && moves != deep && !line[len(line)-1].Terminal {
		t.Fatalf("%s: the chosen line has %d moves, want %d", what, moves, deep)
	}
}

// The first spawns shown are the most informative ones: at chance nodes a probable one, the worst
// and the best; at an opponent's the worst.
func TestTreeShowsTheTellingSpawns(t *testing.T) {
	p := eval.Position{Board: parse(t, "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2")}
	e := evaluator(t, "weighted-snake")
	for _, s := range []treeSearch{
		search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 2}),
		search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: 2}),
	} {
		whole := mustTree(t, s, p, search.TreeOptions{})
		few := mustTree(t, s, p, search.TreeOptions{Width: 3})
		for i, c := range few.Root.Children {
			all := whole.Root.Children[i].Children
			first, last := all[0], all[len(all)-1]
			if got := c.Children; c.Turn == protocol.TurnChance {
				if got[0].Board != first.Board || got[2].Board != last.Board || got[1].Spawn.Exponent != 1 || got[1].Chosen != c.Chosen {
					t.Errorf("%v shows %v, %v, %v", c.Board, got[0].Board, got[1].Board, got[2].Board)
				}
				checkMiddle(t, got[1], all)
			} else if got[2].Value != last.Value || got[0].Value != all[len(all)-3].Value {
				t.Errorf("%v shows %v, %v, %v", c.Board, got[0].Value, got[1].Value, got[2].Value)
			}
		}
	}
}

// checkMiddle requires a 2 whose value is the median of all 2s.
func checkMiddle(t *testing.T, got *search.TreeNode, all []*search.TreeNode) {
	t.Helper()
	var twos []float64
	for _, c := range all {
		if c.Spawn.Exponent == 1 {
			twos = append(twos, c.Value)
		}
	}
	slices.Sort(twos)
	if n := len(twos); got.Value < twos[(n-1)/2] || got.Value > twos[n/2] {
		t.Errorf("the likely spawn shown has value %v, in the middle of %v", got.Value, twos)
	}
}

// Boards without a legal move are trees of one board.
func TestTreeOfADeadBoard(t *testing.T) {
	for _, text := range []string{"2,4/4,2", "0,0/0,0", "2,4,8,16/32,64,128,256/2,4,8,16/32,64,128,256"} {
		p := eval.Position{Board: parse(t, text)}
		for _, s := range []treeSearch{
			search.NewExpectimax(search.ExpectimaxOptions{Eval: coins, Plies: 2, Star1: true}),
			search.NewExpectimax(search.ExpectimaxOptions{Eval: coins, Nodes: 100}),
			search.NewMinimax(search.MinimaxOptions{Eval: coins, Layers: 4}),
		} {
			tree := mustTree(t, s, p, search.TreeOptions{Depth: 3})
			if tree.OK || tree.Boards != 1 || !tree.Root.Terminal || !tree.Root.Lost() || tree.Root.OmittedChildren != 0 {
				t.Errorf("%T on %s: %+v", s, text, tree.Root)
			}
		}
	}
}

func TestTreeFails(t *testing.T) {
	p := eval.Position{Board: parse(t, "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2")}
	ended, cancel := context.WithCancel(bg)
	cancel()
	midway, stop := context.WithCancel(bg)
	calls, searched := 0, math.MaxInt
	leaf := stub{eval.Heuristic, func(*eval.Position) float64 {
		if calls++; calls > searched+9 {
			stop()
		}
		return 1
	}}
	late := search.NewExpectimax(search.ExpectimaxOptions{Eval: leaf, Plies: 3})
	mustSearch(t, late, search.Query{Position: p, All: true})
	calls, searched = 0, calls // the context ends while the tree is being captured
	for what, c := range map[string]struct {
		err  error
		tree func() (*search.Tree, error)
	}{
		"ended": {context.Canceled, func() (*search.Tree, error) {
			return search.NewExpectimax(search.ExpectimaxOptions{Eval: coins}).Tree(ended, search.Query{Position: p}, search.TreeOptions{})
		}},
		"midway": {context.Canceled, func() (*search.Tree, error) {
			return late.Tree(midway, search.Query{Position: p}, search.TreeOptions{Boards: 1 << 30})
		}},
	} {
		if tree, err := c.tree(); !errors.Is(err, c.err) || tree != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
