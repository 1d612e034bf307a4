package env

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// slot is the state of one environment.
type slot struct {
	random     rand.PCG
	board      bitboard.Board // 4x4: the lower four bits of every exponent
	score      int64
	steps      int64
	seed, game uint64
	wide       *board.Board // other sizes
	tall       uint16       // 4x4: cells whose exponent needs a fifth bit
	slow       bool         // 4x4: a slide of the nibbles may be wrong
	legal      uint8        // bit d: direction d is legal
	terminated bool
	truncated  bool
}

// bigReward is the smallest reward of a move that makes a 32768 or more.
const bigReward = 1 << bitboard.MaxExponent

func (s *slot) ended() bool { return s.terminated || s.truncated }

// begin starts a game: two spawns on an empty board.
func (r *rules) begin(s *slot, seed, game uint64) {
	s.random.Seed(seed, game)
	s.seed, s.game = seed, game
	if r.four {
		u := s.random.Uint64()
		first := bitboard.Board(1 + (u&math.MaxUint32-r.fours)>>63)
		s.board, s.tall, s.slow = r.spawn(first<<(u>>60*4), s.random.Uint64()), 0, false
		s.legal = legalFour(s.board)
	} else {
		b := board.New(r.Size)
		r.random.Place(&b, s.random.Uint64())
		r.random.Place(&b, s.random.Uint64())
		r.set(s, &b)
	}
	s.score, s.steps, s.terminated, s.truncated = 0, 0, false, false
}

// step makes one step of an episode that has not ended. moved is false for an illegal move.
func (r *rules) step(s *slot, d board.Direction) (reward float64, moved bool) {
	var merged int64
	switch {
	case s.legal>>d&1 == 0:
		r.count(s)
		s.terminated = r.Illegal == Terminate
		return r.Penalty, false
	case !r.four, s.slow:
		merged = r.moveSlow(s, d)
	default:
		s.board, merged = slide(s.board, d)
		s.board = r.spawn(s.board, s.random.Uint64())
		s.legal = legalFour(s.board)
	}
	r.finish(s, merged)
	return r.reward(merged), true
}

func (r *rules) count(s *slot) {
	s.steps++
	s.truncated = s.steps >= r.limit
}

// finish updates the state after a legal move, for boards of any size.
func (r *rules) finish(s *slot, merged int64) {
	r.count(s)
	s.score += merged
	s.terminated = s.legal == 0
	if merged >= bigReward {
		s.slow = s.tooTall()
	}
}

func (r *rules) reward(merged int64) float64 {
	if r.Reward == nil {
		return float64(merged)
	}
	return r.Reward(merged)
}

// moveSlow slides a board of another size, or one for which nibbles may be wrong, and spawns.
func (r *rules) moveSlow(s *slot, d board.Direction) (merged int64) {
	b := s.full()
	after, merged, _ := b.Slide(d)
	r.random.Place(&after, s.random.Uint64())
	r.set(s, &after)
	return merged
}

// set replaces the slot's board.
func (r *rules) set(s *slot, b *board.Board) {
	s.legal = legal(b)
	if !r.four {
		*s.wide = *b
		return
	}
	s.board, s.tall = 0, 0
	for i := range 16 {
		e := b.Cell(i)
		s.board |= bitboard.Board(e&15) << (4 * i)
		s.tall |= uint16(e>>4&1) << i
	}
	s.slow = s.tooTall()
}

// tooTall reports whether a slide of the nibbles may be wrong: a tile exceeds their range, or two
// 32768 may merge.
func (s *slot) tooTall() bool { return s.tall != 0 || s.board.PairOfLargest() }

// full returns the slot's board, for any size.
func (s *slot) full() board.Board {
	if s.wide != nil {
		return *s.wide
	}
	b := s.board.Board()
	for tall := s.tall; tall != 0; tall &= tall - 1 {
		i := bits.TrailingZeros16(tall)
		b.Set(i, b.Cell(i)|16)
	}
	return b
}

// legal is legalFour for any size.
func legal(b *board.Board) uint8 {
	const lows, highs = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	size := b.Size()
	inner := uint64(1)<<(8*size.Cols-8) - 1 // all cells except the last column
	var up, right, down, left, above uint64
	for r := range size.Rows {
		x := b.Row(r)
		t := (x + lows) & highs
		across := ^((x ^ x>>8) + lows) & t & inner
		right |= t&^(t>>8)&inner | across
		left |= t>>8&^t&inner | across
		if r > 0 {
			was := (above + lows) & highs
			along := ^((x ^ above) + lows) & t & highs
			down |= was&^t | along
			up |= t&^was | along
		}
		above = x
	}
	return one(up)<<board.Up | one(right)<<board.Right | one(down)<<board.Down | one(left)<<board.Left
}
