package learn

import (
	"math/rand/v2"
	"sync"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
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

// pool holds the boards that restarts draw from; see the package documentation (Restarts).
type pool[B any] struct {
	mutex  sync.Mutex
	boards [][]B // by milestone
	// milestone returns the milestone of a board; ok is false for a board that is not stored.
	milestone func(b B) (number int, ok bool)
	// width is the number of words that a board takes in a checkpoint; write appends them, and read is its inverse.
	width int
	write func(words []uint64, b B) []uint64
	read  func(words []uint64) B
}

// put stores a board. In a full milestone it replaces a random board.
func (p *pool[B]) put(milestone int, b B, r *rand.PCG) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	boards := &p.boards[milestone]
	if len(*boards) < perMilestone {
		*boards = append(*boards, b)
	} else {
		(*boards)[r.Uint64()%uint64(len(*boards))] = b
	}
}

// take draws a board: a uniform milestone of those from the given one on with at least minStored, then a uniform board
// of it. ok is false while every milestone has fewer.
func (p *pool[B]) take(from int, r *rand.PCG) (b B, milestone int, ok bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var choice [milestones]int
	n := uint64(0)
	for m := range choice {
		if len(p.boards[from+m]) >= minStored {
			choice[n] = from + m
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

// all returns all boards for a checkpoint, ordered by milestone.
func (p *pool[B]) all() (words []uint64) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, boards := range p.boards {
		for _, b := range boards {
			words = p.write(words, b)
		}
	}
	return words
}

// fill adds the boards of a checkpoint, which may have been stored with another restart tile.
func (p *pool[B]) fill(words []uint64) {
	for ; len(words) >= p.width; words = words[p.width:] {
		b := p.read(words)
		if m, ok := p.milestone(b); ok {
			p.boards[m] = append(p.boards[m], b)
		}
	}
}

// milestoneOf returns the milestone of a board with this largest tile and sum, given the exponent of the restart tile.
func milestoneOf(tile, largest uint8, sum int64) (number int, ok bool) {
	return int(min(sum>>(tile-1)-2, milestones-1)), largest >= tile
}

// milestoneSum is the lower bound of the sum of a milestone's boards.
func milestoneSum(milestone int, tile uint8) uint64 { return uint64(milestone+2) << (tile - 1) }

func newPool(tile uint8) *pool[bitboard.Board] {
	return &pool[bitboard.Board]{
		boards:    make([][]bitboard.Board, milestones),
		milestone: func(b bitboard.Board) (int, bool) { return milestoneOf(tile, uint8(largest(b)), b.Sum()) },
		width:     1,
		write:     func(words []uint64, b bitboard.Board) []uint64 { return append(words, uint64(b)) },
		read:      func(words []uint64) bitboard.Board { return bitboard.Board(words[0]) },
	}
}

// newWidePool is newPool for boards that do not fit into a word.
func newWidePool(size board.Size, tile uint8) *pool[board.Board] {
	return &pool[board.Board]{
		boards:    make([][]board.Board, milestones),
		milestone: func(b board.Board) (int, bool) { return milestoneOf(tile, b.Largest(), b.Sum()) },
		width:     storedWords(size),
		write: func(words []uint64, b board.Board) []uint64 {
			for r := range size.Rows {
				words = append(words, b.Row(r))
			}
			return words
		},
		read: func(words []uint64) board.Board {
			b := board.New(size)
			for i := range size.Cells() {
				b.Set(i, uint8(words[i/size.Cols]>>(8*(i%size.Cols)))&63)
			}
			return b
		},
	}
}

// storedWords is how many words a stored board of a size takes in a checkpoint: one a row, with a byte a
// cell, if it does not fit into one.
func storedWords(size board.Size) int {
	if ntuple.Packs(size) {
		return 1
	}
	return size.Rows
}
