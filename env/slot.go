package env

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// slot is the state of one environment.
type slot struct {
	random       rand.PCG
	board        bitboard.Board // 4x4: the lower four bits of every exponent
	score        int64
	steps        int64
	seed, game   uint64
	wide         *board.Board // the board of other sizes; nil on 4x4
	tall         uint16       // 4x4: cells whose exponent needs a fifth bit
	slow         bool         // 4x4: a slide of the nibbles may be wrong
	legal        uint8        // bit d is set if direction d is legal
	terminated   bool
	truncated    bool
	separateSeed bool // in a Vector: the environment has a separate seed; see [Vector.Begin]
}

// bigReward is the smallest reward of a move that makes a 32768 or more.
const bigReward = 1 << bitboard.MaxExponent

func (s *slot) ended() bool { return s.terminated || s.truncated }

// begin starts a game: two spawns on an empty board.
func (r *rules) begin(s *slot, seed, game uint64) {
	s.random.Seed(seed, game)
	s.seed, s.game = seed, game
	if r.four && r.Spawner == nil {
		u := s.random.Uint64()
		first := bitboard.Board(1 + (u&math.MaxUint32-r.fours)>>63)
		s.board, s.tall, s.slow = r.spawn(first<<(u>>60*4), s.random.Uint64()), 0, false
		s.legal = legalFour(s.board)
	} else {
		b := board.New(r.Size)
		r.addTile(s, &b)
		r.addTile(s, &b)
		r.set(s, &b)
	}
	s.score, s.steps, s.terminated, s.truncated = 0, 0, false, false
}

// step makes one step of an episode that has not ended, for any board. moved is false for an illegal move. moveBlock
// is the fast version for legal moves on 4x4 boards that nibbles represent exactly.
func (r *rules) step(s *slot, d board.Direction) (reward float64, moved bool) {
	if s.legal>>d&1 == 0 {
		r.count(s)
		s.terminated = r.Illegal == Terminate
		return r.Penalty, false
	}
	merged := r.moveSlow(s, d)
	r.finish(s, merged)
	return r.reward(merged), true
}

func (r *rules) count(s *slot) {
	s.steps++
	s.truncated = s.steps >= r.limit
}

// finish updates the state after a legal move, for any board size.
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

// moveSlow makes a move with package board: on sizes other than 4x4, on 4x4 boards that nibbles may not represent
// exactly, and with a Spawner.
func (r *rules) moveSlow(s *slot, d board.Direction) (merged int64) {
	b := s.full()
	after, merged, _ := b.Slide(d)
	r.addTile(s, &after)
	r.set(s, &after)
	return merged
}

// addTile adds the next tile of a slot's game to a board with an empty cell.
func (r *rules) addTile(s *slot, b *board.Board) {
	if r.Spawner == nil {
		r.random.Place(b, s.random.Uint64())
		return
	}
	given := *b // it escapes to the heap, unlike *b
	if spawn, err := r.Spawner.Spawn(&given); err == nil {
		b.Set(spawn.Cell, spawn.Exponent)
	}
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
// 32768 tiles may merge.
func (s *slot) tooTall() bool { return s.tall != 0 || s.board.PairOfLargest() }

// full returns the slot's board, of any size.
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

// legal returns a set of bits for a board of any size: bit d is set if direction d is legal.
// legalFour is the fast version for 4x4; TestLegal checks both.
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
			before := (above + lows) & highs
			along := ^((x ^ above) + lows) & t & highs
			down |= before&^t | along
			up |= t&^before | along
		}
		above = x
	}
	return one(up)<<board.Up | one(right)<<board.Right | one(down)<<board.Down | one(left)<<board.Left
}

// The code below works on 4x4 boards packed into nibbles. The steps of different environments are
// independent, so a processor can overlap several of them, unless it mispredicts branches or the
// dependency chain of one step is long. Therefore this code has no branches, and Vector works in
// blocks.

const (
	firstBits = 0x1111111111111111 // the lowest bit of every nibble
	lastBits  = 0x8888888888888888
	notLast   = 0x0111011101110111 // every cell except the last column
	notBottom = 0x0000111111111111
)

// tiles returns a word with the lowest bit set in every nibble that is not zero.
func tiles(x uint64) uint64 {
	x |= x >> 2
	x |= x >> 1
	return x & firstBits
}

// legalFour returns a set of bits: bit d is set if direction d is legal. A direction is legal if a tile has an empty
// cell or an equal tile next to it in that direction. Two 32768 tiles count as equal, although a nibble cannot hold
// their sum.
func legalFour(b bitboard.Board) uint8 {
	x := uint64(b)
	t := tiles(x)
	next, below := t>>4, t>>16
	across := tiles(x^x>>4) ^ firstBits // bit set: the cell equals its right neighbour
	along := tiles(x^x>>16) ^ firstBits
	right, left := t&(across|^next)&notLast, next&(across|^t)&notLast
	down, up := t&(along|^below)&notBottom, below&(along|^t)&notBottom
	return one(up) | one(right)<<1 | one(down)<<2 | one(left)<<3
}

// one returns 1 if x is not 0, else 0.
func one(x uint64) (bit uint8) {
	if x != 0 {
		bit = 1
	}
	return bit
}

// pushed is the lookup table of slides for every line of four cells: bits 0 to 15 hold the change
// (XOR) of a slide towards the first cell, bits 16 to 31 the change towards the last, and the bits
// from 36 on the reward. Entries of four lines can be added: carries of the lower bits do not reach
// the rewards.
var pushed [1 << 16]uint64

const rewardBit = 36

func init() {
	for line := range pushed {
		first, last := bitboard.SlideLine(uint16(line))
		pushed[line] = uint64(first) | uint64(last)<<16 | uint64(bitboard.Reward(uint16(line)))<<rewardBit
	}
}

// slide returns what the method Slide of package bitboard returns, but has no branches, because the processor would
// often mispredict them. TestSlide compares the two.
func slide(b bitboard.Board, d board.Direction) (after bitboard.Board, reward int64) {
	upright := uint64(d&1) - 1 // all ones for up and down
	off, far := offDiagonal&upright, farBlocks&upright
	lines := transpose(uint64(b), off, far)
	p0, p1, p2, p3 := pushed[uint16(lines)], pushed[uint16(lines>>16)], pushed[uint16(lines>>32)], pushed[uint16(lines>>48)]
	end := uint(d^d>>1) & 1 * 16 // 16 for right and down
	change := p0>>end&0xffff | p1>>end&0xffff<<16 | p2>>end&0xffff<<32 | p3>>end<<48
	return b ^ bitboard.Board(transpose(change, off, far)), int64((p0 + p1 + p2 + p3) >> rewardBit)
}

// Masks for transpose: the upper of the two off-diagonal cells in every 2x2 block, and the upper of
// the two off-diagonal blocks.
const (
	offDiagonal = 0x0000f0f00000f0f0
	farBlocks   = 0x00000000ff00ff00
)

// transpose transposes a board with the masks above; with masks of 0 it returns the board
// unchanged.
func transpose(x, off, far uint64) uint64 {
	t := (x ^ x>>12) & off
	x ^= t ^ t<<12
	t = (x ^ x>>24) & far
	return x ^ t ^ t<<24
}

// spawn adds the tile that the random number u determines, as game.Random does, but without
// branches (TestSpawn compares the two). The board must have a tile and an empty cell.
//
// Nibble i of counts is the number of empty cells among cells 0 to i. The n-th empty cell, counted
// from 0, is the first cell whose count is n+1. It is the lowest zero nibble of counts XOR a word
// with n+1 in every nibble.
func (r *rules) spawn(b bitboard.Board, u uint64) bitboard.Board {
	free := b.EmptyMask()
	counts := free * firstBits
	n := (u >> 32) * (counts >> 60) >> 32
	x := counts ^ (n+1)*firstBits
	cell := uint(bits.TrailingZeros64((x-firstBits)&^x&lastBits)) - 3
	four := (u&math.MaxUint32 - r.fours) >> 63
	return b | bitboard.Board(1+four)<<(cell&63)
}

// State is a snapshot of an environment: everything that its future depends on.
type State struct {
	Board      board.Board
	Score      int64
	Steps      int64
	Seed, Game uint64
	Random     rand.PCG // the generator of the spawns
	Terminated bool
	Truncated  bool
	Own        bool // in a Vector: the environment has a separate seed; see [Vector.Begin]
}

func (r *rules) snapshot(s *slot) State {
	return State{s.full(), s.score, s.steps, s.seed, s.game, s.random, s.terminated, s.truncated, s.separateSeed}
}

// MaxScore is the largest score, and the largest number of steps, that a state may contain. It
// leaves enough headroom that no game overflows an int64.
const MaxScore = 1 << 62

// restore sets the slot to a state. On an error the slot is unchanged.
func (r *rules) restore(s *slot, from *State) error {
	if err := r.check(&from.Board); err != nil {
		return err
	}
	if from.Score < 0 || from.Steps < 0 || from.Score > MaxScore || from.Steps > MaxScore {
		return fmt.Errorf("score %d after %d steps: both must be from 0 to %d", from.Score, from.Steps, int64(MaxScore))
	}
	r.set(s, &from.Board)
	s.score, s.steps, s.seed, s.game, s.random = from.Score, from.Steps, from.Seed, from.Game, from.Random
	s.terminated, s.truncated, s.separateSeed = from.Terminated || s.legal == 0, from.Truncated, from.Own
	return nil
}

func (r *rules) place(s *slot, b *board.Board, score int64) error {
	if legal(b) == 0 {
		return fmt.Errorf("board %v: no move is legal on it", b)
	}
	return r.restore(s, &State{Board: *b, Score: score, Seed: s.seed, Game: s.game, Random: s.random, Own: s.separateSeed})
}

// StateBytes is the length of an encoded State.
const StateBytes = 4 + maxCells + 4*8 + 16

const (
	maxCells     = board.MaxSide * board.MaxSide
	stateVersion = 1
	pcgBytes     = 16
	pcgFront     = "pcg:" // prefix of an encoded PCG in math/rand/v2, before the pcgBytes bytes of its state
)

// AppendBinary appends the state in StateBytes bytes: a version, rows, columns, flags, 36
// exponents, score, steps, seed, game, and the random generator. Numbers are little-endian.
func (s State) AppendBinary(to []byte) ([]byte, error) {
	size := s.Board.Size()
	flags := byte(0)
	for bit, set := range [...]bool{s.Terminated, s.Truncated, s.Own} {
		if set {
			flags |= 1 << bit
		}
	}
	to = append(to, stateVersion, byte(size.Rows), byte(size.Cols), flags)
	var cells [maxCells]uint8
	if size.Valid() {
		writeExponents(&s.Board, cells[:])
	}
	to = append(to, cells[:]...)
	for _, x := range [...]uint64{uint64(s.Score), uint64(s.Steps), s.Seed, s.Game} {
		to = binary.LittleEndian.AppendUint64(to, x)
	}
	var random [len(pcgFront) + pcgBytes]byte
	if _, err := s.Random.AppendBinary(random[:0]); err != nil {
		return nil, err
	}
	return append(to, random[len(pcgFront):]...), nil
}

// UnmarshalBinary decodes the output of AppendBinary.
func (s *State) UnmarshalBinary(data []byte) error {
	if len(data) != StateBytes {
		return fmt.Errorf("a state of %d bytes: must be %d", len(data), StateBytes)
	}
	size := board.Size{Rows: int(data[1]), Cols: int(data[2])}
	if data[0] != stateVersion || !size.Valid() || data[3] > 7 {
		return errors.New("these bytes are not a state of this version")
	}
	read := State{Board: board.New(size), Terminated: data[3]&1 != 0, Truncated: data[3]&2 != 0, Own: data[3]&4 != 0}
	for i := range size.Cells() {
		e := data[4+i]
		if e > board.MaxExponent {
			return fmt.Errorf("a state with a tile of 2^%d: must be at most 2^%d", e, board.MaxExponent)
		}
		read.Board.Set(i, e)
	}
	rest := data[4+maxCells:]
	number := func(k int) uint64 { return binary.LittleEndian.Uint64(rest[8*k:]) }
	read.Score, read.Steps, read.Seed, read.Game = int64(number(0)), int64(number(1)), number(2), number(3)
	if err := read.Random.UnmarshalBinary(append([]byte(pcgFront), rest[4*8:]...)); err != nil {
		return err
	}
	*s = read
	return nil
}
