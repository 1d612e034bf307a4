package search

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Tree searches as Search does and captures the tree of the result. A board in it follows a move
// and its known spawn.
func (f *Foresight) Tree(ctx context.Context, q Query, oracle Oracle, o TreeOptions) (*Tree, error) {
	if f.o.Beam > 0 {
		return f.beamTree(ctx, q, oracle, o)
	}
	r, err := f.Search(ctx, q, oracle)
	if err != nil {
		return nil, err
	}
	return growTree(ctx, &q, &r, o, r.Plies, math.Inf(-1), f.layersTo(shownDepth(&r, o), r.Plies).expander())
}

// ErrTreeTooLarge is returned by Tree for a beam with too many boards to keep.
var ErrTreeTooLarge = errors.New("a beam this wide and deep is too large to keep its tree: want beam x depth up to 4194304")

const maxKept = 1 << 22

func (f *Foresight) beamTree(ctx context.Context, q Query, oracle Oracle, o TreeOptions) (*Tree, error) {
	if int64(f.o.Beam)*int64(f.o.Depth) > maxKept {
		return nil, ErrTreeTooLarge
	}
	kept := &trace{}
	f.beam.trace = kept
	r, err := f.Search(ctx, q, oracle)
	f.beam.trace = nil
	if err != nil {
		return nil, err
	}
	kept.backUp(shownDepth(&r, o))
	return growTree(ctx, &q, &r, o, r.Plies, math.Inf(-1), kept.expander())
}

// shownDepth returns the depth to which the tree of a result is captured, in moves.
func shownDepth(r *Result, o TreeOptions) int {
	if o.Depth > 0 {
		return min(r.Plies, o.Depth)
	}
	return r.Plies
}

// trace has the layers of a search whose tree is captured.
type trace struct {
	layers []keptLayer // after 1 move, 2 moves, ...
}

type keptLayer struct {
	random game.Random // the spawner before the spawns of this layer
	nodes  []beamNode
	values map[board.Board]backedUp
}

// backedUp is the best value of the boards of the deepest layer that a board leads to.
type backedUp struct {
	value float64 // of a beam NaN if it leads to none
	ends  bool    // of the full tree: it leads to none
}

// layersTo returns the layers of the full tree to a depth.
func (f *Foresight) layersTo(depth, deepest int) *trace {
	t := &trace{}
	for k := range depth {
		l := &f.layers[k+1]
		kept := keptLayer{random: f.layers[k].random, values: make(map[board.Board]backedUp, l.hi-l.lo)}
		for i := l.lo; i < l.hi; i++ {
			v, ends := f.below(k+1, i, deepest)
			kept.values[l.buffer[i].Board] = backedUp{v, ends}
		}
		t.layers = append(t.layers, kept)
	}
	return t
}

// keep records a layer after the beam was cut.
func (t *trace) keep(random game.Random, nodes []beamNode) {
	t.layers = append(t.layers, keptLayer{random: random, nodes: slices.Clone(nodes)})
}

// backUp sets the values of all kept boards from the deepest layer up: the best of the boards that
// they lead to there. It frees what lies deeper than depth.
func (t *trace) backUp(depth int) {
	for k := len(t.layers) - 1; k >= 0; k-- {
		l := &t.layers[k]
		l.values = make(map[board.Board]backedUp, len(l.nodes))
		for i := range l.nodes {
			n := &l.nodes[i]
			v := n.value
			if k+1 < len(t.layers) {
				v = t.best(n, k+1)
			}
			l.values[n.board] = backedUp{value: v}
		}
		l.nodes = nil
		if k+1 >= depth && k+1 < len(t.layers) {
			t.layers[k+1].values = nil
		}
	}
}

// best returns the highest value among the boards of a layer that follow a board of the layer
// before, NaN when no board follows.
func (t *trace) best(n *beamNode, layer int) float64 {
	best := math.NaN()
	for _, c := range t.after(&TreeNode{Position: eval.Position{Board: n.board}}, layer) {
		if math.IsNaN(best) || c.Value > best {
			best = c.Value
		}
	}
	return best
}

func (t *trace) expander() expander {
	return expander{children: func(n *TreeNode) []*TreeNode { return t.after(n, n.moves) }}
}

// after returns the boards that follow a board by one move and the known spawn of a layer.
func (t *trace) after(n *TreeNode, layer int) []*TreeNode {
	l := &t.layers[layer]
	random := l.random
	draw := random.Draw()
	return eachMove(n, func(c *TreeNode) {
		c.Spawn, _ = random.Place(&c.Board, draw)
		c.Probability = 1
		c.Terminal = c.Board.Terminal()
		if kept, ok := l.values[c.Board]; ok {
			c.Value, c.ends = kept.value, kept.ends
		} else {
			c.Value, c.Pruned = math.NaN(), !c.Terminal
		}
	})
}
