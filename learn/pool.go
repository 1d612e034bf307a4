package learn

import (
	"math/rand/v2"
	"sync"

	"afterstate/bitboard"
)

// A late game is cut into stretches by the sum of its tiles, which only grows: from
// one multiple of half the restart tile to the next. A milestone of a game is the first
// board of a stretch after a move that scored that half or more: large tiles have just
// merged, and what comes next is all still to be played. With a restart tile of 16384
// these are a 16384 alone, one with an 8192 besides, and so on.
const (
	milestones   = 32      // the last one stands for all that follow
	perMilestone = 1 << 12 // boards
	enough       = 16      // boards of a milestone to choose from
)

// pool keeps boards of all milestones to start games from, so that the rare end of
// long games is seen often. The choice of a milestone is uniform: each is trained as
// much as the others, however few games came there by themselves.
type pool struct {
	mutex  sync.Mutex
	tile   uint8 // the exponent of the restart tile
	boards [milestones][]bitboard.Board
}

// milestone of a board; ok is false for one without a tile that is large enough.
func (p *pool) milestone(b bitboard.Board) (number int, ok bool) {
	if largest(b) < int(p.tile) {
		return 0, false
	}
	return int(min(tileSum(b)>>(p.tile-1)-2, milestones-1)), true
}

// sum is what the tiles of a milestone's boards sum to at least.
func (p *pool) sum(milestone int) uint64 { return uint64(milestone+2) << (p.tile - 1) }

// put stores a board. Among many it takes the place of a random old one.
func (p *pool) put(milestone int, b bitboard.Board, r *rand.PCG) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	boards := &p.boards[milestone]
	if len(*boards) < perMilestone {
		*boards = append(*boards, b)
	} else {
		(*boards)[r.Uint64()%uint64(len(*boards))] = b
	}
}

// take is a stored board of a random milestone, if one has enough of them.
func (p *pool) take(r *rand.PCG) (b bitboard.Board, milestone int, ok bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var choice [milestones]int
	n := uint64(0)
	for m := range p.boards {
		if len(p.boards[m]) >= enough {
			choice[n] = m
			n++
		}
	}
	if n == 0 {
		return 0, 0, false
	}
	milestone = choice[r.Uint64()%n]
	boards := p.boards[milestone]
	return boards[r.Uint64()%uint64(len(boards))], milestone, true
}

// all are the boards as checkpoints have them: by milestone.
func (p *pool) all() (words []uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, boards := range p.boards {
		for _, b := range boards {
			words = append(words, uint64(b))
		}
	}
	return words
}

// fill takes boards of a checkpoint, whatever restart tile they were stored for.
func (p *pool) fill(words []uint64) {
	for _, w := range words {
		if m, ok := p.milestone(bitboard.Board(w)); ok {
			p.boards[m] = append(p.boards[m], bitboard.Board(w))
		}
	}
}

// tileSum adds up all tiles.
func tileSum(b bitboard.Board) (sum uint64) {
	for ; b != 0; b >>= 4 {
		sum += 1 << (b & 15) &^ 1
	}
	return sum
}
