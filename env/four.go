package env

import (
	"math"
	"math/bits"

	"afterstate/bitboard"
	"afterstate/board"
)

// What 4x4 boards in nibbles do. Environments that are stepped one after another have
// nothing to do with each other, so a processor can work on several at a time, unless
// a branch goes another way than it foresaw or what it has to do for one is long.
// Hence no branches here, and hence the blocks of Vector.

const (
	firstBits = 0x1111111111111111 // the lowest bit of every nibble
	lastBits  = 0x8888888888888888
	notLast   = 0x0111011101110111 // of every cell but those of the last column
	notBottom = 0x0000111111111111
)

// tiles has the lowest bit of every nibble that is not zero set.
func tiles(x uint64) uint64 {
	x |= x >> 2
	x |= x >> 1
	return x & firstBits
}

// pairOf32768 reports whether two 32768 or more might meet, which nibbles cannot merge.
func pairOf32768(b bitboard.Board) bool {
	x := b & (b >> 2)
	x &= x >> 1 & firstBits
	return x&(x-1) != 0
}

// legalFour has bit d set if direction d moves something. Two 32768 that meet do move.
// A slide moves something where a tile has an empty cell or its equal before it.
func legalFour(b bitboard.Board) uint8 {
	x := uint64(b)
	t := tiles(x)
	next, below := t>>4, t>>16
	across := tiles(x^x>>4) ^ firstBits // equal to the next one
	along := tiles(x^x>>16) ^ firstBits
	right, left := t&(across|^next)&notLast, next&(across|^t)&notLast
	down, up := t&(along|^below)&notBottom, below&(along|^t)&notBottom
	return one(up) | one(right)<<1 | one(down)<<2 | one(left)<<3
}

// one is 1 unless x is 0.
func one(x uint64) (bit uint8) {
	if x != 0 {
		bit = 1
	}
	return bit
}

// pushed says for every line of four cells all that a slide needs: in bits 0 to 15
// what changes (XOR) when it is pushed towards its first cell, in bits 16 to 31 towards
// its last one, and from bit 36 on the reward. So four of them can be added up, and
// what the lower bits carry over does not reach the rewards.
var pushed [1 << 16]uint64

const rewardBit = 36

func init() {
	for line := range pushed {
		first, last := bitboard.Push(uint16(line))
		pushed[line] = uint64(first) | uint64(last)<<16 | uint64(bitboard.Reward(uint16(line)))<<rewardBit
	}
}

// slide is bitboard's without a branch, since nobody foresees which way it goes.
func slide(b bitboard.Board, d board.Direction) (after bitboard.Board, reward int64) {
	upright := uint64(d&1) - 1 // all ones for up and down
	off, far := offDiagonal&upright, farBlocks&upright
	lines := transpose(uint64(b), off, far)
	p0, p1, p2, p3 := pushed[uint16(lines)], pushed[uint16(lines>>16)], pushed[uint16(lines>>32)], pushed[uint16(lines>>48)]
	end := uint(d^d>>1) & 1 * 16 // 16 for right and down
	change := p0>>end&0xffff | p1>>end&0xffff<<16 | p2>>end&0xffff<<32 | p3>>end<<48
	return b ^ bitboard.Board(transpose(change, off, far)), int64((p0 + p1 + p2 + p3) >> rewardBit)
}

// Masks for transpose: the upper one of the two cells off the diagonal in every 2x2
// block, and the upper one of the two blocks off it.
const (
	offDiagonal = 0x0000f0f00000f0f0
	farBlocks   = 0x00000000ff00ff00
)

// transpose mirrors a board along its main diagonal, with the masks above, or, with
// masks of 0, leaves it as it is.
func transpose(x, off, far uint64) uint64 {
	t := (x ^ x>>12) & off
	x ^= t ^ t<<12
	t = (x ^ x>>24) & far
	return x ^ t ^ t<<24
}

// spawn puts the tile on a board that the random number u stands for, as game.Random
// does, and without a branch. The board must have a tile and an empty cell.
//
// Nibble i of counts is how many cells up to i are empty. The n-th empty cell is the
// first one where it is n+1, which the lowest zero nibble of a difference tells.
func (r *rules) spawn(b bitboard.Board, u uint64) bitboard.Board {
	free := b.EmptyMask()
	counts := free * firstBits
	n := (u >> 32) * (counts >> 60) >> 32
	x := counts ^ (n+1)*firstBits
	cell := uint(bits.TrailingZeros64((x-firstBits)&^x&lastBits)) - 3
	four := (u&math.MaxUint32 - r.fours) >> 63
	return b | bitboard.Board(1+four)<<(cell&63)
}
