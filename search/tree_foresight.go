package search

import (
	"context"
	"errors"
	"math"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// ErrTreeTooLarge is returned by Foresight.Tree if the beam has too many boards to keep.
var ErrTreeTooLarge = errors.New("a beam this wide and deep is too large to keep its tree: must have beam x depth up to 4194304")

const maxKept = 1 << 22

// Tree searches as Search does and captures the tree of the result. Each step in it is a move with
// its known spawn.
func (f *Foresight) Tree(ctx context.Context, q Query, oracle Oracle, o TreeOptions) (*Tree, error) {
	if int64(f.o.Beam)*int64(f.o.Depth) > maxKept {
		return nil, ErrTreeTooLarge
	}
	t := &trace{full: f.o.Beam == 0}
	if !t.full {
		f.trace = t
	}
	r, err := f.Search(ctx, q, oracle)
	f.trace = nil
	if err != nil {
		return nil, err
	}
	for k := range r.Plies {
		if t.full {
			t.keep(f.layers[k].random, f.layers[k+1].nodes)
		}
	}
	shown := r.Plies
	if o.Depth > 0 {
		shown = min(shown, o.Depth)
	}
	t.backUp(shown)
	e := expander{children: func(n *TreeNode) []*TreeNode { return t.after(n, n.moves) }}
	return growTree(ctx, &q, &r, o, r.Plies, math.Inf(-1), e)
}

// trace holds the layers of a search whose tree is captured.
type trace struct {
	full   bool        // the search has no beam, so it kept all boards
	layers []keptLayer // the boards after 1 move, 2 moves, and so on
}

type keptLayer struct {
	random game.Random // the spawner before the spawns of this layer
	nodes  []foreseen
	// values holds, for each board, the best value among the boards of the deepest layer that it leads to; NaN if it
	// leads to none.
	values map[board.Board]float64
}

func (t *trace) keep(random game.Random, nodes []foreseen) {
	t.layers = append(t.layers, keptLayer{random: random, nodes: nodes})
}

// backUp sets the values of all kept boards, from the deepest layer up. The value of a board is the
// best value among the boards of the deepest layer that it leads to. backUp frees the values of the
// layers below depth.
func (t *trace) backUp(depth int) {
	for k := len(t.layers) - 1; k >= 0; k-- {
		l := &t.layers[k]
		l.values = make(map[board.Board]float64, len(l.nodes))
		for i := range l.nodes {
			n := &l.nodes[i]
			l.values[n.Board] = n.value
			if k+1 < len(t.layers) {
				l.values[n.Board] = t.best(n, k+1)
			}
		}
		l.nodes = nil
		if k+1 >= depth && k+1 < len(t.layers) {
			t.layers[k+1].values = nil
		}
	}
}

// best returns the highest value among the boards of the given layer that follow n, a board of the
// previous layer. It returns NaN if there are none.
func (t *trace) best(n *foreseen, layer int) float64 {
	best := math.NaN()
	for _, c := range t.after(&TreeNode{Position: eval.Position{Board: n.Board}}, layer) {
		if !c.ends && (math.IsNaN(best) || c.Value > best) {
			best = c.Value
		}
	}
	return best
}

// after returns the boards that follow a board by one move and the known spawn of the given layer.
func (t *trace) after(n *TreeNode, layer int) []*TreeNode {
	l := &t.layers[layer]
	random := l.random
	draw := random.Draw()
	return eachMove(n, func(c *TreeNode) {
		c.Spawn, _ = random.Place(&c.Board, draw)
		c.Probability = 1
		c.Terminal = c.Board.Terminal()
		value, kept := l.values[c.Board]
		switch {
		case kept && !math.IsNaN(value):
			c.Value = value
		case t.full:
			c.Value, c.ends = math.Inf(-1), true
		default:
			c.Value, c.Pruned = math.NaN(), !kept && !c.Terminal
		}
	})
}
