package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Beam search: only the best nodes of each layer are kept, so the cost is linear in the depth.
// Different move orders often end in the same board. As every node of a layer has had the same
// number of the same spawns, such nodes have equal scores and futures, so one is kept; it records
// all first moves that lead to it.

type beamNode struct {
	board  board.Board
	score  int64
	value  float64
	firsts uint8 // the first moves that lead here, one bit each
}

// beam holds the buffers of a beam search, reused from move to move.
type beam struct {
	now, next []beamNode
	order     []ranked
	seen      map[board.Board]int32 // the indices of the boards of next
	trace     *trace                // not nil while the tree is captured
}

// ranked is a node's value and its index in its layer.
type ranked struct {
	value float64
	index int32
}

func (f *Foresight) searchBeam(ctx context.Context, q Query, random game.Random) (Result, error) {
	b := &f.beam
	b.now = append(b.now[:0], beamNode{board: q.Board, score: q.Score})
	var r Result
	for depth := 1; depth <= f.o.Depth; depth++ {
		yield.Point()
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		before := random
		alive := f.expand(&random, depth == 1, &r)
		if len(b.next) == 0 {
			break
		}
		r.Plies = depth
		b.now, b.next = b.next, b.now
		if alive && depth < f.o.Depth {
			b.cut(f.o.Beam)
		}
		if b.trace != nil {
			b.trace.keep(before, b.now)
		}
		if !alive {
			break
		}
	}
	r.Nodes = f.nodes
	for i := range b.now {
		n := &b.now[i]
		for d := range r.Moves {
			if m := &r.Moves[d]; n.firsts>>d&1 != 0 && !(m.Value >= n.value) {
				m.Value = n.value
			}
		}
	}
	r.choose()
	return r, nil
}

// expand builds the layer after b.now in b.next and reports whether one of its boards is alive.
// Dead boards are kept only if none is.
func (f *Foresight) expand(random *game.Random, root bool, r *Result) (alive bool) {
	b := &f.beam
	b.next = b.next[:0]
	clear(b.seen)
	draw := random.Draw()
	var after [4]board.Afterstate
	for i := range b.now {
		n := &b.now[i]
		n.board.Afterstates(&after)
		for d := range after {
			if !after[d].Moved {
				continue
			}
			child := beamNode{board: after[d].Board, score: n.score + after[d].Reward, firsts: n.firsts, value: math.Inf(-1)}
			if root {
				child.firsts = 1 << d
				r.Moves[d] = MoveValue{Legal: true, Value: math.NaN()}
			}
			_, empty := random.Place(&child.board, draw)
			f.nodes++
			dead := empty == 0 && child.board.Terminal()
			switch {
			case dead && alive:
				continue
			case !dead && !alive:
				b.next, alive = b.next[:0], true
				clear(b.seen)
			}
			if same, is := b.seen[child.board]; is {
				b.next[same].firsts |= child.firsts
				continue
			}
			b.seen[child.board] = int32(len(b.next))
			if !dead {
				f.asked = eval.Position{Board: child.board, Score: child.score}
				child.value = f.o.Eval.Value(&f.asked)
			}
			b.next = append(b.next, child)
		}
	}
	return alive
}

// cut keeps the width best nodes of b.now; among equals the first ones.
func (b *beam) cut(width int) {
	if len(b.now) <= width {
		return
	}
	b.order = b.order[:0]
	for i := range b.now {
		b.order = append(b.order, ranked{b.now[i].value, int32(i)})
	}
	slices.SortFunc(b.order, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(y.value, x.value), cmp.Compare(x.index, y.index))
	})
	b.next = b.next[:0]
	for _, o := range b.order[:width] {
		b.next = append(b.next, b.now[o.index])
	}
	b.now, b.next = b.next, b.now
}
