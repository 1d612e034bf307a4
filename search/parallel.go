package search

import (
	"math"
	"sync/atomic"

	"afterstate/board"
	"afterstate/eval"
)

// Threads of Expectimax: the spawns after each first move are tasks in a queue. Each thread is an
// Expectimax with an evaluator, hints and a clock of its own; all share the table.

// spawnedTask is a board after a first move and a spawn, to be searched.
type spawnedTask struct {
	eval.Position
	q     float64 // the probability of the spawn
	value *float64
}

// parallel reports whether other threads are used. With pruning a spawn's window depends on the
// spawns before it, so there is one thread.
func (s *Expectimax) parallel() bool {
	return s.o.Threads > 1 && s.o.NewEval != nil && s.bounder == nil
}

// prepareHelpers creates the helpers that are missing and resets them for a search.
func (s *Expectimax) prepareHelpers() {
	for len(s.helpers) < s.o.Threads-1 {
		o := s.o
		o.Threads, o.Eval = 0, s.o.NewEval()
		h := NewExpectimax(o)
		s.helpers = append(s.helpers, h)
	}
	for _, h := range s.helpers {
		h.table = s.table
		h.hints = [maxPlies + 1]uint8{}
	}
}

// shareMoves sets the values of the first moves in order, searched by all threads.
func (s *Expectimax) shareMoves(q *Query, plies int, r *Result, order []board.Direction) {
	p := [2]float64{s.p2, s.p4}
	var values [4][2][board.MaxSide * board.MaxSide]float64 // by move, tile, empty cell
	var tasks []spawnedTask
	for tile := range p { // 2s first: they are the larger tasks when 4s are rare
		for _, d := range order {
			if p[tile] == 0 {
				continue
			}
			after, reward, _ := q.Board.Slide(d)
			next, n := values[d][tile][:], float64(after.Empty())
			for i := range after.Size().Cells() {
				if after.Cell(i) != 0 {
					continue
				}
				placed := eval.Position{Board: after, Score: q.Score + reward}
				placed.Board.Set(i, uint8(tile+1))
				tasks = append(tasks, spawnedTask{placed, p[tile] / n, &next[0]})
				next = next[1:]
			}
		}
	}
	s.clock.count(int64(len(order)))
	s.share(tasks, plies-1)
	for _, d := range order {
		after, reward, _ := q.Board.Slide(d)
		n := after.Empty()
		var sums [2]float64
		for tile := range sums { // in the order of one thread, for equal rounding
			for _, v := range values[d][tile][:n] {
				sums[tile] += v
			}
		}
		r.Moves[d].Value = s.gain(&q.Board, d, reward) + mean(p[0], sums[0], p[1], sums[1], n)
	}
}

// share runs the tasks on all threads.
func (s *Expectimax) share(tasks []spawnedTask, plies int) {
	var next atomic.Int64
	work := func(w *Expectimax) {
		for i := next.Add(1); int(i) <= len(tasks) && !w.clock.stopped; i = next.Add(1) {
			t := &tasks[i-1]
			*t.value = w.spawned(&t.Position, plies, t.q, math.Inf(-1), math.Inf(1))
		}
	}
	for _, h := range s.helpers {
		h.cutShort = false
		h.clock.begin(&s.limits, checkEvery)
	}
	runParallel(s.helpers, work, func() { work(s) })
	for _, h := range s.helpers {
		h.clock.end()
		s.clock.stopped = s.clock.stopped || h.clock.stopped
		s.cutShort = s.cutShort || h.cutShort
	}
}
