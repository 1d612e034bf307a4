package search

import (
	"math"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Parallel search: the spawns after each root move are tasks. Each thread has its own search; all threads share the
// transposition table.
//
// Each thread starts at a different place in the list of tasks. Adjacent tasks reach the same boards, and the table has
// no value for a board that another thread is still searching: with one queue, two threads search a fifth to a quarter
// more nodes than one.

// cacheLine is at least the size of a cache line in bytes. A cache line that two threads write, or that one thread
// reads and another writes, moves between their caches each time.
const cacheLine = 128

// shareSpawns divides the spawns after the given moves among all searchers and returns the average value of each
// move. p holds the probabilities of a 2 and of a 4. The function spawns appends to list the boards after move d and
// a tile of 2^exponent, in the order of cells. The function search returns the value of such a board, which is
// reached with probability q.
func shareSpawns[W, B any](searchers []W, p [2]float64, moves []board.Direction,
	spawns func(d board.Direction, exponent uint8, list []B) []B, search func(w W, b *B, q float64) float64) (averages [4]float64) {
	type task struct {
		taken atomic.Bool
		board B
		move  board.Direction
		tile  int
		value float64
	}
	tasks, boards := make([]task, 0, 4*2*16), make([]B, 0, bitboard.MaxCells)
	var empty [4]int
	for tile := range p { // 2s first: they are the larger tasks when 4s are rare
		for _, d := range moves {
			if p[tile] > 0 {
				boards = spawns(d, uint8(tile+1), boards[:0])
				empty[d] = len(boards)
				for _, b := range boards {
					tasks = append(tasks, task{board: b, move: d, tile: tile})
				}
			}
		}
	}
	workers.Run(len(searchers), func(k int) {
		first := k * len(tasks) / len(searchers)
		for i := range tasks {
			t := &tasks[(first+i)%len(tasks)]
			if t.taken.Swap(true) {
				continue
			}
			t.value = search(searchers[k], &t.board, p[t.tile]/float64(empty[t.move]))
		}
	})
	var sums [4][2]float64
	for i := range tasks { // in the order of a search with one thread, for equal rounding
		sums[tasks[i].move][tasks[i].tile] += tasks[i].value
	}
	for _, d := range moves {
		averages[d] = mean(p[0], sums[d][0], p[1], sums[d][1], empty[d])
	}
	return averages
}

// parallel reports whether the search uses several threads. With pruning it uses one, since the window
// of a spawn depends on the spawns before it.
func (s *Expectimax) parallel() bool {
	return s.o.Threads > 1 && s.o.NewEval != nil && s.bounder == nil
}

// shareMoves searches the given root moves with all threads and sets their values.
func (s *Expectimax) shareMoves(q *Query, plies int, r *Result, order []board.Direction) {
	s.clock.count(int64(len(order)))
	helpers := s.threads[1:]
	for _, h := range helpers {
		h.cutShort = false
		h.clock.begin(&s.limits, checkEvery)
	}
	averages := shareSpawns(s.threads, [2]float64{s.p2, s.p4}, order, func(d board.Direction, exponent uint8, list []eval.Position) []eval.Position {
		after, reward, _ := q.Board.Slide(d)
		for i := range after.Size().Cells() {
			if after.Cell(i) == 0 {
				placed := eval.Position{Board: after, Score: q.Score + reward}
				placed.Board.Set(i, exponent)
				list = append(list, placed)
			}
		}
		return list
	}, func(w *Expectimax, p *eval.Position, q float64) float64 {
		if w.clock.stopped {
			return 0
		}
		return w.spawned(p, plies-1, q, math.Inf(-1), math.Inf(1))
	})
	for _, h := range helpers {
		h.clock.end()
		s.clock.stopped = s.clock.stopped || h.clock.stopped
		s.cutShort = s.cutShort || h.cutShort
	}
	for _, d := range order {
		_, reward, _ := q.Board.Slide(d)
		r.Moves[d].Value = s.gain(&q.Board, d, reward) + averages[d]
	}
}

// moves searches the legal root moves with all searchers and sets their values, without the rewards
// of these moves.
func (s *Expectimax4) moves(after *[4]bitboard.Afterstate, legal []board.Direction, plies int, r *Result) {
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
	averages := shareSpawns(s.searchers, [2]float64{s.reference.p2, s.reference.p4}, legal, func(d board.Direction, exponent uint8, list []bitboard.Board) []bitboard.Board {
		for f := after[d].Board.EmptyMask(); f != 0; f &= f - 1 {
			list = append(list, after[d].Board|bitboard.Board(f&-f)<<(exponent-1))
		}
		return list
	}, func(w *searcher4, b *bitboard.Board, q float64) float64 {
		w.clock.count(5)
		return w.choice(*b, plies-1, q)
	})
	for _, d := range legal {
		r.Moves[d].Value = averages[d]
	}
}
