package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// ErrUnknownSpawns is returned by Foresight if the future spawns are not known.
var ErrUnknownSpawns = errors.New("foresight needs tiles it can foresee: a game with random spawns, or for a bare board its seed and score")

// ForesightOptions configures a foresight search. Only Eval is required.
type ForesightOptions struct {
	Eval  eval.Evaluator
	Depth int `key:"depth" unit:"plies" range:"1:10000" default:"4" help:"number of the player's moves; up to 10 without a beam"` // depth in moves; 0: 4
	// Beam is the beam width: the number of boards kept in each layer, those with the best values.
	// Zero keeps all boards.
	Beam int `key:"beam" unit:"positions" range:"0:1048576" guest:"4096" default:"0" help:"beam width: positions kept at each depth; 0: all"`
	// Rebuild builds the whole tree for every query instead of keeping the subtree of the move that
	// was made. Tests use it as the reference. A search with a beam always rebuilds its tree.
	Rebuild bool `key:"reuse_tree" range:"yes|no" default:"yes" help:"reuse the subtree of the move that was made"`
}

// Foresight searches the tree of move sequences with the actual future spawns, as the program "2048
// AI" does. A node is a board after a move and its spawn. Every spawn takes one random number,
// which all nodes of a layer share, so a tree needs one draw per layer. The move that leads to the
// best leaf of the deepest layer is chosen.
//
// With a beam the cost is linear in the depth. Different move orders often end in the same board.
// In all nodes of a layer the same tiles have spawned, so nodes with the same board have equal
// scores and equal futures. A beam keeps one of them and records all first moves that lead to it.
//
// It is not safe for concurrent use, and it searches one game at a time.
type Foresight struct {
	o      ForesightOptions
	layers []layer // layer k is layers[k%len(layers)]; a search with a beam keeps the last two layers, others keep all
	nodes  int64
	asked  eval.Position // the evaluator's argument, kept here to save allocations

	// Used only with a beam. All but trace are buffers.
	seen  map[board.Board]int32 // index of each board in its layer
	order []ranked
	best  []foreseen
	trace *trace // not nil while the tree is captured
}

// foreseen is a node of the tree.
type foreseen struct {
	eval.Position
	value  float64 // minus infinity if the board is dead; without a beam, set in the deepest layer only
	path   uint64  // without a beam: the moves that lead here, two bits each, the last one lowest
	firsts uint8   // with a beam: the first moves that lead here, one bit each
}

// first returns the first of the moves that lead to a node of layer k.
func (n *foreseen) first(k int) board.Direction { return board.Direction(n.path >> (2*k - 2) & 3) }

// layer holds the nodes of one depth, in the order of their parents.
type layer struct {
	nodes  []foreseen
	random game.Random // the spawner after the spawns of this layer
}

// ranked holds the value of a node and the node's index in its layer.
type ranked struct {
	value float64
	index int32
}

// NewForesight returns a foresight search with the given options.
func NewForesight(o ForesightOptions) *Foresight {
	o.Depth = cmp.Or(o.Depth, 4)
	f := &Foresight{o: o, layers: make([]layer, o.Depth+1)}
	if o.Beam > 0 {
		f.layers, f.seen = make([]layer, 2), map[board.Board]int32{}
	}
	return f
}

func (f *Foresight) layer(k int) *layer { return &f.layers[k%len(f.layers)] }

// Search answers a query with the spawns that the oracle foresees. It returns ErrUnknownSpawns if the oracle is nil
// or its spawns are not random, and ctx.Err() if ctx ends. A move that leads to no node of the deepest layer is lost;
// with a beam, its value is unknown (NaN) instead.
func (f *Foresight) Search(ctx context.Context, q Query, oracle Oracle) (Result, error) {
	if oracle == nil {
		return Result{}, ErrUnknownSpawns
	}
	random, ok := oracle.Foresee()
	if !ok {
		return Result{}, ErrUnknownSpawns
	}
	f.nodes = 0
	deepest := f.reroot(&q.Position, &random)
	for alive := true; alive && deepest < f.o.Depth; deepest++ {
		yield.Point()
		if err := ctx.Err(); err != nil {
			f.plant(&q.Position, random) // an incomplete tree must not be reused
			return Result{}, err
		}
		if alive = f.grow(deepest); len(f.layer(deepest+1).nodes) == 0 {
			break
		}
	}
	r, _ := newResult(&q.Position)
	r.Plies, r.Nodes = deepest, f.nodes
	if deepest == 0 {
		return r, nil
	}
	leaves := f.layer(deepest).nodes
	for i := range leaves {
		n := &leaves[i]
		if f.o.Beam == 0 {
			n.firsts = 1 << n.first(deepest)
		}
		for d := range r.Moves {
			if m := &r.Moves[d]; n.firsts>>d&1 != 0 && !(m.Value >= n.value) {
				m.Value = n.value
			}
		}
	}
	r.Move, r.OK = BestMove(&r.Moves)
	for d := range r.Moves {
		if m := &r.Moves[d]; f.o.Beam == 0 && m.Legal && math.IsNaN(m.Value) {
			m.Value = math.Inf(-1)
		}
	}
	return r, nil
}

// plant resets the tree to a root with the position p.
func (f *Foresight) plant(p *eval.Position, random game.Random) {
	for k := range f.layers {
		f.layers[k].nodes = f.layers[k].nodes[:0]
	}
	f.layers[0].nodes = append(f.layers[0].nodes, foreseen{Position: *p})
	f.layers[0].random = random
}

// reroot makes p the root and returns the depth of the deepest layer with nodes. If p is a child of
// the old root, all nodes below it are kept; otherwise none are.
func (f *Foresight) reroot(p *eval.Position, random *game.Random) (deepest int) {
	child := -1
	if first := &f.layers[1]; f.o.Beam == 0 && !f.o.Rebuild && first.random == *random {
		child = slices.IndexFunc(first.nodes, func(n foreseen) bool { return n.Position == *p })
	}
	if child < 0 {
		f.plant(p, *random)
		return 0
	}
	move := f.layers[1].nodes[child].first(1)
	for k := range f.o.Depth {
		from, to := &f.layers[k+1], &f.layers[k]
		to.random, to.nodes = from.random, to.nodes[:0]
		for i := range from.nodes {
			if from.nodes[i].first(k+1) == move {
				to.nodes = append(to.nodes, from.nodes[i])
				deepest = k
			}
		}
	}
	return deepest
}

// grow makes the layer below layer k and reports whether any of its boards is alive. A beam keeps dead
// boards only if no board is alive.
func (f *Foresight) grow(k int) (alive bool) {
	from, to := f.layer(k), f.layer(k+1)
	to.nodes, to.random = to.nodes[:0], from.random
	clear(f.seen)
	draw := to.random.Draw()
	valued, beam := f.o.Beam > 0 || k+1 == f.o.Depth, f.o.Beam > 0
	to.nodes = slices.Grow(to.nodes, 4*len(from.nodes))
	var after [4]board.Afterstate
	for i := range from.nodes {
		n := &from.nodes[i]
		n.Board.Afterstates(&after)
		for d := range after {
			a := &after[d]
			if !a.Moved {
				continue
			}
			_, empty := to.random.Place(&a.Board, draw)
			f.nodes++
			dead := empty == 0 && a.Board.Terminal()
			firsts := n.firsts
			if k == 0 {
				firsts = 1 << d
			}
			if beam && dead && alive {
				continue
			}
			if beam && !dead && !alive {
				to.nodes = to.nodes[:0]
				clear(f.seen)
			}
			alive = alive || !dead
			if beam {
				if same, is := f.seen[a.Board]; is {
					to.nodes[same].firsts |= firsts
					continue
				}
				f.seen[a.Board] = int32(len(to.nodes))
			}
			to.nodes = append(to.nodes, foreseen{Position: eval.Position{Board: a.Board, Score: n.Score + a.Reward},
				value: math.Inf(-1), path: n.path<<2 | uint64(d), firsts: firsts})
			if child := &to.nodes[len(to.nodes)-1]; valued && !dead {
				f.asked = child.Position
				child.value = f.o.Eval.Value(&f.asked)
			}
		}
	}
	if beam && alive && k+1 < f.o.Depth {
		f.cut(to)
	}
	if f.trace != nil && len(to.nodes) > 0 {
		f.trace.keep(from.random, slices.Clone(to.nodes))
	}
	return alive
}

// cut reduces a layer to its Beam best nodes. Among nodes with equal values it keeps the first.
func (f *Foresight) cut(l *layer) {
	if len(l.nodes) <= f.o.Beam {
		return
	}
	f.order, f.best = f.order[:0], f.best[:0]
	for i := range l.nodes {
		f.order = append(f.order, ranked{l.nodes[i].value, int32(i)})
	}
	slices.SortFunc(f.order, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(y.value, x.value), cmp.Compare(x.index, y.index))
	})
	for _, o := range f.order[:f.o.Beam] {
		f.best = append(f.best, l.nodes[o.index])
	}
	l.nodes, f.best = f.best, l.nodes
}

// Oracle gives access to the future spawns of a game. *game.Game implements it. Only Foresight uses it.
type Oracle interface {
	// Foresee returns a copy of the random spawner before its next spawn; ok is false if spawns are
	// not random.
	Foresee() (copied game.Random, ok bool)
}

// Future is an Oracle that holds a copy of a game's random spawner, so the game may continue during a search.
type Future struct {
	Random game.Random
	OK     bool // false if spawns are not random
}

// Foresee returns Random and OK.
func (f Future) Foresee() (game.Random, bool) { return f.Random, f.OK }
