package search

import (
	"context"
	"errors"
	"math"
	"slices"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
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
	return growTree(ctx, &q, &r, o, r.Plies, math.Inf(-1), &fullTree{f, r.Plies})
}

// ErrTreeTooLarge is returned by Tree for a beam with too many boards to keep.
var ErrTreeTooLarge = errors.New("a beam this wide and deep is too large to keep its tree: want beam x depth up to 4194304")

const mostKept = 1 << 22

func (f *Foresight) beamTree(ctx context.Context, q Query, oracle Oracle, o TreeOptions) (*Tree, error) {
	if int64(f.o.Beam)*int64(f.o.Depth) > mostKept {
		return nil, ErrTreeTooLarge
	}
	trace := &beamTrace{}
	f.beam.trace = trace
	r, err := f.Search(ctx, q, oracle)
	f.beam.trace = nil
	if err != nil {
		return nil, err
	}
	depth := r.Plies
	if o.Depth > 0 {
		depth = min(depth, o.Depth)
	}
	trace.backUp(depth)
	return growTree(ctx, &q, &r, o, r.Plies, math.Inf(-1), trace)
}

// fullTree expands the tree that Foresight keeps. A board after k moves is in layer k.
type fullTree struct {
	f       *Foresight
	deepest int
}

func (t *fullTree) count(n *TreeNode) int { return countMoves(n) }

func (t *fullTree) children(n *TreeNode) (all []*TreeNode) {
	k := n.moves
	from, to := &t.f.layers[k], &t.f.layers[k+1]
	at := n.index
	if k == 0 {
		at = from.lo
	}
	parent := &from.buffer[at]
	for i := parent.from; i < parent.to; i++ {
		x := &to.buffer[i]
		c := &TreeNode{Position: x.Position, ByMove: true, Move: x.move, Reward: x.Score - n.Score, Probability: 1, Terminal: x.dead, index: i}
		after, _, _ := n.Board.Slide(x.move)
		c.Spawn = newTile(&after, &c.Board)
		c.Value, c.ends = t.f.below(k+1, i, t.deepest)
		all = append(all, c)
	}
	return all
}

// newTile returns the tile that is on after and not on before.
func newTile(before, after *board.Board) game.Spawn {
	for i := range after.Size().Cells() {
		if e := after.Cell(i); before.Cell(i) != e {
			return game.Spawn{Cell: i, Exponent: e}
		}
	}
	return game.Spawn{}
}

// beamTrace records the layers of a beam search while its tree is captured.
type beamTrace struct {
	layers []keptLayer // after 1 move, 2 moves, ...
}

type keptLayer struct {
	random game.Random // the spawner before the spawns of this layer
	nodes  []beamNode
	values map[board.Board]float64 // NaN: leads to no board of the deepest layer
}

// keep records a layer after the beam was cut.
func (t *beamTrace) keep(random game.Random, nodes []beamNode) {
	t.layers = append(t.layers, keptLayer{random: random, nodes: slices.Clone(nodes)})
}

// backUp sets the values of all kept boards from the deepest layer up: the best of the boards that
// they lead to there. It frees what lies deeper than depth.
func (t *beamTrace) backUp(depth int) {
	for k := len(t.layers) - 1; k >= 0; k-- {
		l := &t.layers[k]
		l.values = make(map[board.Board]float64, len(l.nodes))
		for i := range l.nodes {
			n := &l.nodes[i]
			v := n.value
			if k+1 < len(t.layers) {
				v = t.best(n, k+1)
			}
			l.values[n.board] = v
		}
		l.nodes = nil
		if k+1 >= depth && k+1 < len(t.layers) {
			t.layers[k+1].values = nil
		}
	}
}

// best returns the highest value among the boards of a layer that follow a board of the layer
// before, NaN when no board follows.
func (t *beamTrace) best(n *beamNode, layer int) float64 {
	best := math.NaN()
	for _, c := range t.after(&TreeNode{Position: eval.Position{Board: n.board}}, layer) {
		if math.IsNaN(best) || c.Value > best {
			best = c.Value
		}
	}
	return best
}

func (t *beamTrace) count(n *TreeNode) int { return countMoves(n) }

func (t *beamTrace) children(n *TreeNode) []*TreeNode { return t.after(n, n.moves) }

// after returns the boards that follow a board by one move and the known spawn of a layer.
func (t *beamTrace) after(n *TreeNode, layer int) []*TreeNode {
	l := &t.layers[layer]
	random := l.random
	draw := random.Draw()
	return eachMove(n, func(c *TreeNode) {
		c.Spawn, _ = random.Place(&c.Board, draw)
		c.Probability = 1
		c.Terminal = c.Board.Terminal()
		var kept bool
		if c.Value, kept = l.values[c.Board]; !kept {
			c.Value, c.Pruned = math.NaN(), !c.Terminal
		}
	})
}
