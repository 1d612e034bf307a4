package search

import (
	"afterstate/bitboard"
	"afterstate/ntuple"
)

// netLeaves values leaves by a pattern network.
//
// A network's weights lie all over a large memory, and waiting for it is most of
// the work. So where a leaf reads is found out, and memory asked for it, while the
// leaves before it are still on their way: they go round in a ring of batches, one
// for each board after a spawn, with its afterstates.
type netLeaves struct {
	net  *ntuple.Network
	ring [ringSize]netSpawn
	next int // where the next one goes
	held int // how many are on their way
}

// ringSize is how many boards are under way. More are no faster.
const ringSize = 4

// netSpawn is a board after a spawn with a last move to choose.
type netSpawn struct {
	batch   *ntuple.Batch
	rewards [4]int32
	into    *netBottom
}

// netBottom is the sum of the best last moves over the spawns of one tile. Boards
// without a move add nothing.
type netBottom struct {
	sum  float64
	dead int
}

func newNetLeaves(n *ntuple.Network) *netLeaves {
	l := &netLeaves{net: n}
	for i := range l.ring {
		l.ring[i].batch = n.NewBatch()
	}
	return l
}

// lastMoves looks at every spawn on b and the best move after it, the last one
// before the leaves: at spawns of a 4, and with twos also at those of a 2.
func (l *netLeaves) lastMoves(b bitboard.Board, free uint64, twos bool) (two, four netBottom) {
	for f := free; f != 0; f &= f - 1 {
		if twos {
			l.ask(b|bitboard.Board(f&-f), &two)
		}
		l.ask(b|bitboard.Board(f&-f)<<1, &four)
	}
	for l.held > 0 {
		l.answer()
	}
	return two, four
}

// ask starts valuing the moves of a board after a spawn.
func (l *netLeaves) ask(b bitboard.Board, into *netBottom) {
	if l.held == ringSize {
		l.answer()
	}
	s := &l.ring[l.next]
	if !s.moves(b) {
		into.dead++
		return
	}
	s.into = into
	l.net.Locate(s.batch)
	l.next = (l.next + 1) % ringSize
	l.held++
}

// answer finishes the board that was asked about first.
func (l *netLeaves) answer() {
	s := &l.ring[(l.next-l.held+ringSize)%ringSize]
	l.held--
	l.net.Sums(s.batch)
	s.into.sum += s.best()
}

// moves fills the batch with the afterstates of a board; it returns false if there
// are none.
func (s *netSpawn) moves(b bitboard.Board) bool {
	var after [4]bitboard.Afterstate
	b.Afterstates(&after)
	n := 0
	for d := range after {
		if after[d].Moved {
			s.batch.Boards[n&3], s.rewards[n&3] = after[d].Board, after[d].Reward
			n++
		}
	}
	s.batch.N = n
	return n > 0
}

// best is the largest reward + value.
func (s *netSpawn) best() float64 {
	best := float64(s.rewards[0]) + float64(s.batch.Values[0])
	for i := 1; i < s.batch.N; i++ {
		best = max(best, float64(s.rewards[i&3])+float64(s.batch.Values[i&3]))
	}
	return best
}

// gain is what a reward adds to a move's value.
func (w *walker4) gain(reward int32) float64 {
	if w.net == nil {
		return 0
	}
	return float64(reward)
}

// choiceOfPoints is choice for a network: rewards count.
func (w *walker4) choiceOfPoints(b bitboard.Board, plies int, q float64) float64 {
	var after [4]bitboard.Afterstate
	b.Afterstates(&after)
	if w.margin > 0 && plies > 1 && q >= w.cut {
		w.leaveOutByPoints(&after)
	}
	best, legal := w.dead, false
	for d := range after {
		a := &after[d]
		if !a.Moved {
			continue
		}
		if v := float64(a.Reward) + w.after(a.Board, plies-1, q); v > best || !legal {
			best, legal = v, true
		}
	}
	return best
}

// leaveOutByPoints takes away the moves that the network finds worse than the best
// one by more than the margin.
func (w *walker4) leaveOutByPoints(after *[4]bitboard.Afterstate) {
	s := &w.net.ring[0] // nothing is on its way now
	n := 0
	for d := range after {
		if after[d].Moved {
			s.batch.Boards[n&3] = after[d].Board
			n++
		}
	}
	if n < 2 {
		return
	}
	s.batch.N = n
	w.net.net.Evaluate(s.batch)
	var worth [4]float64
	top := 0.0
	n = 0
	for d := range after {
		if after[d].Moved {
			worth[d] = float64(after[d].Reward) + float64(s.batch.Values[n&3])
			if n++; n == 1 || worth[d] > top {
				top = worth[d]
			}
		}
	}
	for d := range after {
		after[d].Moved = after[d].Moved && worth[d] >= top-w.margin
	}
}
