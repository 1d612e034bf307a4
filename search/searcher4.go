package search

import (
	"math/bits"

	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// searcher4 searches the tree of Expectimax4 in one goroutine.
//
// Its nodes are afterstates, valued by the average over spawns, and post-spawn boards, valued by
// their best move. Most of a tree is its last layer; there lastMoves handles an afterstate with all
// its spawns and all moves after them at once.
type searcher4 struct {
	lines       *Lines
	net         *netLeaves // if not nil, used in place of lines
	table       *table4    // nil: none
	dead        float64
	p2, p4      float64
	minProb     float64
	pruneMargin float64
	leafSpawn   bool

	choices []*netChoices // scratch memory of netSpawns, by plies
	touched uint64        // see table4.touch

	clock    clock
	cutShort bool // a line ended at the depth limit
}

func (w *searcher4) begin(l *limits) {
	w.clock.begin(l, checkEvery4)
	w.cutShort = false
}

// after returns the value of an afterstate that is reached with probability q, with plies more of
// the player's moves to search.
func (w *searcher4) after(b bitboard.Board, plies int, q float64) float64 {
	if plies == 0 || q < w.minProb {
		w.cutShort = w.cutShort || q >= w.minProb
		return w.leaf(b)
	}
	if w.table == nil {
		return w.spawns(b, plies, q)
	}
	h := hash(b)
	if v, short, ok := w.table.get(h, plies, q); ok {
		w.cutShort = w.cutShort || short
		return v
	}
	before := w.cutShort
	w.cutShort = false
	v := w.spawns(b, plies, q)
	if !w.clock.stopped {
		w.table.put(h, plies, q, v, w.cutShort)
	}
	w.cutShort = w.cutShort || before
	return v
}

// spawns averages over the spawns on an afterstate that is not a leaf.
func (w *searcher4) spawns(b bitboard.Board, plies int, q float64) float64 {
	if w.clock.stopped {
		return 0
	}
	free := b.EmptyMask()
	n := bits.OnesCount64(free)
	q2, q4 := q*w.p2/float64(n), q*w.p4/float64(n)
	w.clock.count(int64(10 * n)) // a board and its four slides, for a 2 and for a 4
	var sum2, sum4 float64
	// Lines of the rarer tile reach MinProb first.
	last2, last4 := plies == 1 || q2 < w.minProb, plies == 1 || q4 < w.minProb
	switch {
	case w.leafSpawn || !last4:
		last2, last4 = false, false
	case w.net != nil:
		two, four := w.net.lastMoves(b, free, last2)
		w.noteLast(plies, q2, q4, n, two.dead, four.dead)
		sum2, sum4 = two.sum, four.sum
	case w.lines.even != nil:
		two, four := w.lines.even.lastMoves(b, b.Transpose(), last2)
		w.noteLast(plies, q2, q4, n, two.dead, four.dead)
		sum2, sum4 = w.total(two), w.total(four)
	default:
		last2, last4 = false, false
	}
	if w.net != nil && !(last2 && last4) {
		more2, more4 := w.netSpawns(b, free, plies, q2, q4, w.p2 > 0 && !last2, w.p4 > 0 && !last4)
		return mean(w.p2, sum2+more2, w.p4, sum4+more4, n)
	}
	for f := free; f != 0 && !(last2 && last4); f &= f - 1 {
		if w.p2 > 0 && !last2 {
			sum2 += w.choice(b|bitboard.Board(f&-f), plies, q2)
		}
		if w.p4 > 0 && !last4 {
			sum4 += w.choice(b|bitboard.Board(f&-f)<<1, plies, q4)
		}
	}
	return mean(w.p2, sum2, w.p4, sum4, n)
}

// noteLast sets cutShort if a line of a board that is alive ended here at the depth limit.
func (w *searcher4) noteLast(plies int, q2, q4 float64, n, dead2, dead4 int) {
	if plies == 1 && (w.p2 > 0 && q2 >= w.minProb && dead2 < n || w.p4 > 0 && q4 >= w.minProb && dead4 < n) {
		w.cutShort = true
	}
}

// total returns the sum over all boards of a leafSum, dead ones included.
func (w *searcher4) total(s leafSum) float64 {
	if s.dead == 0 {
		return float64(s.sum)
	}
	return float64(s.sum) + float64(s.dead)*w.dead
}

// choice returns the value of the best move on a post-spawn board; plies includes this move.
func (w *searcher4) choice(b bitboard.Board, plies int, q float64) float64 {
	if w.net != nil {
		return w.choiceOfPoints(b, plies, q)
	}
	var after [4]bitboard.Board
	b.Slides(&after)
	if w.prunesMoves(plies, q) {
		w.pruneMoves(b, &after)
	}
	best, legal := w.dead, false
	for d := range after {
		a := after[d]
		if a == b {
			continue
		}
		if v := w.after(a, plies-1, q); v > best || !legal {
			best, legal = v, true
		}
	}
	return best
}

// pruneMoves replaces the moves on b whose value is more than the margin below the best by b itself,
// as if they were illegal.
func (w *searcher4) pruneMoves(b bitboard.Board, after *[4]bitboard.Board) {
	var worth [4]float64
	top, some := 0.0, false
	for d, a := range after {
		if a == b {
			continue
		}
		worth[d] = w.lines.value(a, a.Transpose())
		if !some || worth[d] > top {
			top, some = worth[d], true
		}
	}
	for d := range after {
		if worth[d] < top-w.pruneMargin {
			after[d] = b
		}
	}
}

// leaf returns the value of an afterstate at the end of a line.
func (w *searcher4) leaf(b bitboard.Board) float64 {
	if !w.leafSpawn {
		return w.value(b)
	}
	free := b.EmptyMask()
	n := bits.OnesCount64(free)
	w.clock.count(int64(2 * n))
	var sum2, sum4 float64
	for ; free != 0; free &= free - 1 {
		if w.p2 > 0 {
			sum2 += w.alive(b | bitboard.Board(free&-free))
		}
		if w.p4 > 0 {
			sum4 += w.alive(b | bitboard.Board(free&-free)<<1)
		}
	}
	return mean(w.p2, sum2, w.p4, sum4, n)
}

// alive returns the value of a board, or that of death.
func (w *searcher4) alive(b bitboard.Board) float64 {
	if b.Terminal() {
		return w.dead
	}
	return w.value(b)
}

// value evaluates a board.
func (w *searcher4) value(b bitboard.Board) float64 {
	if w.net != nil {
		return float64(w.net.value(b))
	}
	return w.lines.value(b, b.Transpose())
}
