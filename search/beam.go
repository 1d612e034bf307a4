package search

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/internal/yield"
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
	seen      boardSet
	trace     *beamTrace // not nil while the tree is captured
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
	b.seen.reset(4 * len(b.now))
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
				b.seen.reset(4 * len(b.now))
			}
			if same, is := b.seen.find(&child.board, len(b.next)); is {
				b.next[same].firsts |= child.firsts
				continue
			}
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
		if x.value != y.value {
			return cmp.Compare(y.value, x.value)
		}
		return cmp.Compare(x.index, y.index)
	})
	b.next = b.next[:0]
	for _, o := range b.order[:width] {
		b.next = append(b.next, b.now[o.index])
	}
	b.now, b.next = b.next, b.now
}

// boardSet is a hash table from boards to their indices in a list, with a capacity set by reset.
// Slots of an earlier round count as free, so reset does not clear.
type boardSet struct {
	slots []setSlot
	round uint32
	mask  uint64
}

type setSlot struct {
	board board.Board
	place int32
	round uint32
}

func (s *boardSet) reset(n int) {
	size := 1 << bits.Len(uint(2*n))
	if size > len(s.slots) {
		s.slots = make([]setSlot, size)
		s.round = 0
	}
	s.mask = uint64(len(s.slots) - 1)
	s.round++
}

// find returns the index of a board and true, or stores place for a new board and returns false.
func (s *boardSet) find(b *board.Board, place int) (at int, is bool) {
	h := uint64(0)
	for r := range board.MaxSide {
		h = (h ^ b.Row(r)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for i := h & s.mask; ; i = (i + 1) & s.mask {
		slot := &s.slots[i]
		if slot.round != s.round {
			*slot = setSlot{*b, int32(place), s.round}
			return place, false
		}
		if slot.board == *b {
			return int(slot.place), true
		}
	}
}
