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
var ErrUnknownSpawns = errors.New("foresight must know the coming tiles: give a game whose spawn rule is random, or a board with its seed and score")

// ForesightOptions configures a foresight search. Only Eval is required.
type ForesightOptions struct {
	Eval  eval.Evaluator
	Depth int `key:"depth" unit:"plies" range:"1:10000" default:"4" help:"number of the player's moves; up to 10 without a beam"` // depth in moves; 0: 4
	// Beam is the beam width: the number of boards kept in each layer, those with the best values.
	// Zero keeps all boards.
	Beam int `key:"beam" unit:"positions" range:"0:1048576" guest:"4096" default:"0" help:"beam width: positions kept at each depth; 0: all"`
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
// It is not safe for concurrent use.
type Foresight struct {
	o           ForesightOptions
	layer, next []foreseen  // the deepest complete layer, and the layer being built from it
	random      game.Random // state of the game's spawner after the spawns of layer
	nodes       int64
	position    eval.Position // the evaluator's argument, kept here to save allocations

	// Buffers, used only with a beam.
	seen  map[board.Board]int32 // index of each board in its layer
	order []ranked
	best  []foreseen
}

// foreseen is a node of the tree.
type foreseen struct {
	eval.Position
	value  float64 // minus infinity if the board is dead; without a beam, set in the deepest layer only
	firsts uint8   // the first moves that lead here, one bit each
}

// ranked holds the value of a node and the node's index in its layer.
type ranked struct {
	value float64
	index int32
}

// NewForesight returns a foresight search with the given options.
func NewForesight(o ForesightOptions) *Foresight {
	o.Depth = cmp.Or(o.Depth, 4)
	f := &Foresight{o: o}
	if o.Beam > 0 {
		f.seen = map[board.Board]int32{}
	}
	return f
}

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
	f.nodes, f.random = 0, random
	f.layer = append(f.layer[:0], foreseen{Position: q.Position})
	deepest := 0
	for alive := true; alive && deepest < f.o.Depth; deepest++ {
		yield.Point()
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if alive = f.grow(deepest); len(f.next) == 0 {
			break
		}
		f.layer, f.next = f.next, f.layer
	}
	r, _ := newResult(&q.Position)
	r.Plies, r.Nodes = deepest, f.nodes
	if deepest == 0 {
		return r, nil
	}
	for i := range f.layer {
		n := &f.layer[i]
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

// grow builds layer k+1 in f.next from layer k in f.layer. It reports whether any board of the new layer has a legal
// move. With a beam, it keeps dead boards only if no board is alive.
func (f *Foresight) grow(k int) (alive bool) {
	clear(f.seen)
	draw := f.random.Draw()
	valued, beam := f.o.Beam > 0 || k+1 == f.o.Depth, f.o.Beam > 0
	to := slices.Grow(f.next[:0], 4*len(f.layer))
	var after [4]board.Afterstate
	for i := range f.layer {
		n := &f.layer[i]
		n.Board.Afterstates(&after)
		for d := range after {
			a := &after[d]
			if !a.Moved {
				continue
			}
			_, empty := f.random.Place(&a.Board, draw)
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
				to = to[:0]
				clear(f.seen)
			}
			alive = alive || !dead
			if beam {
				if index, ok := f.seen[a.Board]; ok {
					to[index].firsts |= firsts
					continue
				}
				f.seen[a.Board] = int32(len(to))
			}
			to = append(to, foreseen{Position: eval.Position{Board: a.Board, Score: n.Score + a.Reward},
				value: math.Inf(-1), firsts: firsts})
			if child := &to[len(to)-1]; valued && !dead {
				f.position = child.Position
				child.value = f.o.Eval.Value(&f.position)
			}
		}
	}
	if beam && alive && k+1 < f.o.Depth {
		to = f.cut(to)
	}
	f.next = to
	return alive
}

// cut returns the Beam best nodes of a layer. Among nodes with equal values it keeps the first.
func (f *Foresight) cut(nodes []foreseen) []foreseen {
	if len(nodes) <= f.o.Beam {
		return nodes
	}
	f.order, f.best = f.order[:0], f.best[:0]
	for i := range nodes {
		f.order = append(f.order, ranked{nodes[i].value, int32(i)})
	}
	slices.SortFunc(f.order, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(y.value, x.value), cmp.Compare(x.index, y.index))
	})
	for _, o := range f.order[:f.o.Beam] {
		f.best = append(f.best, nodes[o.index])
	}
	kept := f.best
	f.best = nodes
	return kept
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
