package learn

import (
	"math/rand/v2"
	"sync"

	"afterstate/bitboard"
)

// poolSize is how many late positions are kept.
const poolSize = 1 << 14

// pool keeps late positions to start games from, so that the rare end of long games
// is seen often. A new one takes the place of a random old one.
type pool struct {
	mutex  sync.Mutex
	boards []bitboard.Board
}

func (p *pool) put(b bitboard.Board, r *rand.PCG) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.boards) < poolSize {
		p.boards = append(p.boards, b)
	} else {
		p.boards[r.Uint64()%poolSize] = b
	}
}

// take is a stored board, if there are enough to choose from.
func (p *pool) take(r *rand.PCG) (bitboard.Board, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.boards) < 16 {
		return 0, false
	}
	return p.boards[r.Uint64()%uint64(len(p.boards))], true
}
