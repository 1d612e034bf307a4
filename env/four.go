package env

import (
	"math"
	"math/bits"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// 4x4 boards as packed nibbles. The steps of different environments are independent, so a processor
// can overlap several of them, unless branches are mispredicted or the dependency chain of one step
// is long. Therefore this code has no branches, and Vector works in blocks.

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

// legalFour returns a set with bit d for each legal direction d. A direction is legal if a tile has
// an empty cell or an equal tile before it; this includes two 32768.
func legalFour(b bitboard.Board) uint8 {
	x := uint64(b)
	t := tiles(x)
	next, below := t>>4, t>>16
	across := tiles(x^x>>4) ^ firstBits // equal to the next cell
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

// pushed is the lookup table of slides for every line of four cells: bits 0 to 15 are the change
// (XOR) of a slide towards the first cell, bits 16 to 31 towards the last, and the reward begins at
// bit 36. Entries of four lines can be added: carries of the lower bits do not reach the rewards.
var pushed [1 << 16]uint64

const rewardBit = 36

func init() {
	for line := range pushed {
		first, last := bitboard.SlideLine(uint16(line))
		pushed[line] = uint64(first) | uint64(last)<<16 | uint64(bitboard.Reward(uint16(line)))<<rewardBit
	}
}

// slide is bitboard's slide without branches, which would be mispredicted.
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

// spawn adds the tile selected by the random number u, as game.Random does, but without branches.
// The board must have a tile and an empty cell.
//
// Nibble i of counts is the number of empty cells up to i. The n-th empty cell, from 0, is the
// first with count n+1; it is found as the lowest zero nibble of a difference.
func (r *rules) spawn(b bitboard.Board, u uint64) bitboard.Board {
	free := b.EmptyMask()
	counts := free * firstBits
	n := (u >> 32) * (counts >> 60) >> 32
	x := counts ^ (n+1)*firstBits
	cell := uint(bits.TrailingZeros64((x-firstBits)&^x&lastBits)) - 3
	four := (u&math.MaxUint32 - r.fours) >> 63
	return b | bitboard.Board(1+four)<<(cell&63)
}
