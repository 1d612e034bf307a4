package search

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// ErrUnknownSpawns is returned by Foresight if the spawns to come are not known.
var ErrUnknownSpawns = errors.New("foresight needs tiles it can foresee: a game with random spawns, or for a bare board its seed and score")

// ForesightOptions configures a foresight search. Only Eval is required.
type ForesightOptions struct {
	Eval  eval.Evaluator
	Depth int // depth in moves; 0: 4
	// Beam is the number of boards kept in a layer, the best by the evaluator; 0: all.
	Beam int
	// Rebuild builds the whole tree at every move, instead of keeping the subtree of the move that
	// was made: the reference.
	Rebuild bool
}

// Foresight searches the tree of move sequences with the spawns that will really come, after the
// program "2048 AI". A node is the board after its move and spawn. Every spawn takes one random
// number, so all nodes of a layer share it, and a tree needs one draw per layer.
//
// The best leaf of the deepest layer decides the move. It is for one goroutine and one game at a
// time.
type Foresight struct {
	o      ForesightOptions
	layers []layer // of the full tree; layers[k] lies k moves from the root
	beam   beam
	nodes  int64
	asked  eval.Position // the evaluator's argument, kept here to save allocations
}

// node is a board in the tree. Its children are nodes [from, to) of the next layer, whose nodes are
// in the order of their parents.
type node struct {
	eval.Position
	from, to int32
	move     board.Direction
	dead     bool
}

// layer is the part [lo, hi) of a buffer. Keeping a subtree narrows it.
type layer struct {
	buffer []node
	lo, hi int32
	random game.Random // the spawner after the spawns of this layer
}

// NewForesight returns a search.
func NewForesight(o ForesightOptions) *Foresight {
	if o.Depth == 0 {
		o.Depth = 4
	}
	return &Foresight{o: o, layers: make([]layer, o.Depth+1), beam: beam{seen: map[board.Board]int32{}}}
}

// Search answers a query with the spawns of the oracle. It returns ErrUnknownSpawns if the oracle is nil or
// not random, and the error of ctx.
func (f *Foresight) Search(ctx context.Context, q Query, oracle Oracle) (Result, error) {
	if oracle == nil {
		return Result{}, ErrUnknownSpawns
	}
	random, ok := oracle.Foresee()
	if !ok {
		return Result{}, ErrUnknownSpawns
	}
	f.nodes = 0
	if f.o.Beam > 0 {
		return f.searchBeam(ctx, q, random)
	}
	grown := 0
	if f.o.Rebuild || !f.reroot(&q.Position, &random) {
		f.plant(&q.Position, random)
	} else {
		grown = f.depth()
	}
	for k := grown; k < f.o.Depth; k++ {
		yield.Point()
		if err := ctx.Err(); err != nil {
			f.plant(&q.Position, random) // an incomplete tree must not be reused
			return Result{}, err
		}
		if !f.grow(k) {
			break
		}
	}
	return f.judge(), nil
}

// plant resets the tree to its root.
func (f *Foresight) plant(p *eval.Position, random game.Random) {
	for k := range f.layers {
		f.layers[k].clear()
	}
	root := &f.layers[0]
	root.buffer = append(root.buffer, node{Position: *p, dead: p.Board.Terminal()})
	root.hi = 1
	root.random = random
}

func (l *layer) clear() { l.buffer, l.lo, l.hi = l.buffer[:0], 0, 0 }

// depth returns the deepest layer with nodes.
func (f *Foresight) depth() int {
	k := 0
	for k+1 < len(f.layers) && f.layers[k+1].lo < f.layers[k+1].hi {
		k++
	}
	return k
}

// reroot makes the child with position p the root and drops all nodes that are not below it. The
// descendants of one node are adjacent in every layer, so each layer is only narrowed. It returns
// false if there is no such child.
func (f *Foresight) reroot(p *eval.Position, random *game.Random) bool {
	if len(f.layers) < 2 || f.layers[1].random != *random {
		return false
	}
	first := &f.layers[1]
	for i := first.lo; i < first.hi; i++ {
		child := &first.buffer[i]
		if child.Position != *p {
			continue
		}
		lo, hi := i, i+1
		old := f.layers[0]
		for k := 1; k < len(f.layers); k++ {
			l := &f.layers[k]
			l.lo, l.hi = lo, hi
			if lo < hi {
				lo, hi = l.buffer[lo].from, l.buffer[hi-1].to
			}
			f.layers[k-1] = *l
		}
		old.clear()
		f.layers[len(f.layers)-1] = old
		return true
	}
	return false
}

// grow adds the layer below layer k. It returns false if there is no node in it.
func (f *Foresight) grow(k int) bool {
	from, to := &f.layers[k], &f.layers[k+1]
	to.clear()
	to.random = from.random
	draw := to.random.Draw()
	to.buffer = slices.Grow(to.buffer, 4*int(from.hi-from.lo))
	room := to.buffer[:cap(to.buffer)]
	var after [4]board.Afterstate
	for i := from.lo; i < from.hi; i++ {
		parent := &from.buffer[i]
		parent.from, parent.to = to.hi, to.hi
		if parent.dead {
			continue
		}
		parent.Board.Afterstates(&after)
		for d := range after {
			if !after[d].Moved {
				continue
			}
			child := &room[to.hi]
			child.Board = after[d].Board
			_, empty := to.random.Place(&child.Board, draw)
			child.Score, child.move = parent.Score+after[d].Reward, board.Direction(d)
			child.dead = empty == 0 && child.Board.Terminal()
			child.from, child.to = 0, 0
			to.hi++
		}
		parent.to = to.hi
	}
	to.buffer = room[:to.hi]
	f.nodes += int64(to.hi)
	return to.hi > 0
}

// judge gives each first move the value of its best leaf in the deepest layer. A move without one
// is lost.
func (f *Foresight) judge() Result {
	deepest := f.depth()
	r := Result{Plies: deepest, Nodes: f.nodes}
	if deepest == 0 {
		return r
	}
	first := &f.layers[1]
	for i := first.lo; i < first.hi; i++ {
		v, ends := f.below(1, i, deepest)
		d := first.buffer[i].move
		r.Moves[d] = MoveValue{Legal: true, Value: v}
		if !ends && (!r.OK || v > r.Moves[r.Move].Value) {
			r.Move, r.OK = d, true
		}
	}
	return r
}

// below returns the value of the best leaf in the deepest layer below node i of layer k; ends is
// true if that layer has no leaf below it.
func (f *Foresight) below(k int, i int32, deepest int) (value float64, ends bool) {
	lo, hi := i, i+1
	for ; k < deepest && lo < hi; k++ {
		lo, hi = f.layers[k].buffer[lo].from, f.layers[k].buffer[hi-1].to
	}
	value = math.Inf(-1)
	for j := lo; j < hi; j++ {
		value = max(value, f.leaf(&f.layers[deepest].buffer[j]))
	}
	return value, lo == hi
}

func (f *Foresight) leaf(n *node) float64 {
	if n.dead {
		return math.Inf(-1)
	}
	return f.o.Eval.Value(&n.Position)
}

// Oracle gives access to the spawns to come. A game.Game is one. Only Foresight uses it.
type Oracle interface {
	// Foresee returns a copy of the random spawner before its next spawn; ok is false if spawns are
	// not random.
	Foresee() (copied game.Random, ok bool)
}

// Future is an Oracle that holds a copy of a random spawner, so the game may continue meanwhile.
type Future struct {
	Random game.Random
	OK     bool // false if spawns are not random
}

// Foresee returns the spawner.
func (f Future) Foresee() (game.Random, bool) { return f.Random, f.OK }
