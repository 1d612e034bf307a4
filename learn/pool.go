package learn

import (
	"math/rand/v2"
	"sync"

	"afterstate/bitboard"
)

// Late positions are divided into milestones by the sum of their tiles, which only grows in a game;
// each milestone is as wide as half the restart tile. A board is stored when a game first enters a
// milestone by a move that scored half the restart tile or more: large tiles have just merged, and
// the milestone is still to be played. With a restart tile of 16384 the first two milestones are
// boards with a 16384, and with a 16384 and an 8192.
const (
	milestones   = 32      // the last one also holds all larger sums
	perMilestone = 1 << 12 // boards
	minStored    = 16      // boards that a milestone needs before restarts use it
)

// stored holds the boards of all milestones.
type stored[B any] struct {
	mutex  sync.Mutex
	boards [milestones][]B
}

// put stores a board. In a full milestone it replaces a random board.
func (p *stored[B]) put(milestone int, b B, r *rand.PCG) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	boards := &p.boards[milestone]
	if len(*boards) < perMilestone {
		*boards = append(*boards, b)
	} else {
		(*boards)[r.Uint64()%uint64(len(*boards))] = b
	}
}

// take draws a board: a uniform milestone of those with at least minStored, then a uniform board of it.
// ok is false while every milestone has fewer.
func (p *stored[B]) take(r *rand.PCG) (b B, milestone int, ok bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var choice [milestones]int
	n := uint64(0)
	for m := range p.boards {
		if len(p.boards[m]) >= minStored {
			choice[n] = m
			n++
		}
	}
	if n == 0 {
		return b, 0, false
	}
	milestone = choice[r.Uint64()%n]
	boards := p.boards[milestone]
	return boards[r.Uint64()%uint64(len(boards))], milestone, true
}

// pool holds the boards that restarts draw from; see the package documentation (Restarts).
type pool struct {
	stored[bitboard.Board]
	tile uint8 // exponent of the restart tile
}

// milestone returns the milestone of a board; ok is false for a board without a restart tile.
func (p *pool) milestone(b bitboard.Board) (number int, ok bool) {
	if largest(b) < int(p.tile) {
		return 0, false
	}
	return milestoneOf(tileSum(b), p.tile), true
}

// milestoneOf returns the milestone of a sum of tiles, at least 2^tile.
func milestoneOf(sum uint64, tile uint8) int { return int(min(sum>>(tile-1)-2, milestones-1)) }

// sum is the lower bound of the tile sum of a milestone's boards.
func (p *pool) sum(milestone int) uint64 { return milestoneSum(milestone, p.tile) }

// milestoneSum is the inverse of milestoneOf: the least sum of a milestone.
func milestoneSum(milestone int, tile uint8) uint64 { return uint64(milestone+2) << (tile - 1) }

// all returns all boards for a checkpoint, ordered by milestone.
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

// fill adds the boards of a checkpoint, which may have been stored with another restart tile.
func (p *pool) fill(words []uint64) {
	for _, w := range words {
		if m, ok := p.milestone(bitboard.Board(w)); ok {
			p.boards[m] = append(p.boards[m], bitboard.Board(w))
		}
	}
}

// tileSum returns the sum of all tiles.
func tileSum(b bitboard.Board) (sum uint64) {
	for ; b != 0; b >>= 4 {
		sum += 1 << (b & 15) &^ 1
	}
	return sum
}
