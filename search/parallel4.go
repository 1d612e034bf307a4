package search

import (
	"math/bits"
	"sync/atomic"

	"afterstate/bitboard"
)

// spawned4 is a board after a first move and a spawn, to be searched. q is the probability of the
// spawn.
type spawned4 struct {
	board bitboard.Board
	q     float64
	value *float64
}

// moves sets the values of the legal first moves, searched by all searchers, without the rewards of
// these moves.
func (s *Expectimax4) moves(after *[4]bitboard.Afterstate, legal []int, plies int, r *Result) {
	if w := s.searchers[0]; plies == 1 && w.net != nil && !w.leafSpawn {
		w.cutShort = len(legal) > 0
		w.net.leaves(after, legal, r)
		return
	}
	if len(s.searchers) == 1 || plies < 3 {
		for _, d := range legal {
			r.Moves[d].Value = s.searchers[0].after(after[d].Board, plies-1, 1)
		}
		return
	}
	p := [2]float64{s.reference.p2, s.reference.p4}
	var values [4][2][16]float64 // by move, tile, empty cell
	tasks := make([]spawned4, 0, 4*2*16)
	for tile := range p { // 2s first: they are the larger tasks when 4s are rare
		for _, d := range legal {
			n := after[d].Board.Empty()
			for i, f := 0, after[d].Board.EmptyMask(); f != 0 && p[tile] > 0; i, f = i+1, f&(f-1) {
				spawned := after[d].Board | bitboard.Board(f&-f)<<tile
				tasks = append(tasks, spawned4{spawned, p[tile] / float64(n), &values[d][tile][i]})
			}
		}
	}
	s.share(tasks, plies-1)
	for _, d := range legal {
		n := bits.OnesCount64(after[d].Board.EmptyMask())
		var sums [2]float64
		for tile := range sums { // in the order of one searcher, for equal rounding
			for i := range n {
				sums[tile] += values[d][tile][i]
			}
		}
		r.Moves[d].Value = mean(p[0], sums[0], p[1], sums[1], n)
	}
}

// share runs the tasks on all searchers.
func (s *Expectimax4) share(tasks []spawned4, plies int) {
	var next atomic.Int64
	work := func(w *searcher4) {
		for i := next.Add(1); int(i) <= len(tasks); i = next.Add(1) {
			t := &tasks[i-1]
			w.clock.count(5)
			*t.value = w.choice(t.board, plies, t.q)
		}
	}
	runParallel(s.searchers[1:], work, func() { work(s.searchers[0]) })
}
