package bitboard

import (
	"math/bits"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Board is a 4x4 position. Bits 4i to 4i+3 hold the exponent of cell i, counted row-major.
type Board uint64

// Size is the size of every Board.
var Size = board.Size{Rows: 4, Cols: 4}

// MaxExponent is the largest exponent that a cell can hold: 15, the tile 32768.
const MaxExponent = 15

const firstBits = 0x1111111111111111 // the lowest bit of every nibble

// From converts a board.Board. The second result is false if the board is not 4x4 or has a tile
// above 32768.
func From(b *board.Board) (Board, bool) {
	if b.Size() != Size {
		return 0, false
	}
	var out Board
	for r := range 4 {
		row := b.Row(r)
		if row&^0x0f0f0f0f != 0 {
			return 0, false
		}
		row |= row >> 4 // four bytes to four nibbles
		row = row&0xff | row>>8&0xff00
		out |= Board(row << (16 * r))
	}
	return out, true
}

// Board returns the position as a board.Board.
func (b Board) Board() board.Board {
	full := board.New(Size)
	for i := range 16 {
		full.Set(i, b.Cell(i))
	}
	return full
}

// Cell returns the exponent in cell i, row-major.
func (b Board) Cell(i int) uint8 { return uint8(b>>(4*uint(i))) & 15 }

// Row returns row r, with its first cell in the lowest nibble.
func (b Board) Row(r int) uint16 { return uint16(b >> (16 * uint(r))) }

// EmptyMask returns a word with the lowest bit of every empty cell's nibble set.
func (b Board) EmptyMask() uint64 {
	x := uint64(b)
	x |= x >> 2
	x |= x >> 1
	return ^x & firstBits
}

// Empty returns the number of empty cells.
func (b Board) Empty() int { return bits.OnesCount64(b.EmptyMask()) }

// PlaceNth returns the board with the given exponent in the n-th empty cell, counted row-major from
// 0. The board must have more than n empty cells.
func (b Board) PlaceNth(n int, exponent uint8) Board {
	free := b.EmptyMask()
	for ; n > 0; n-- {
		free &= free - 1
	}
	return b | Board(exponent)<<(uint(bits.TrailingZeros64(free))&63)
}

// Sum returns the sum of all tile values.
func (b Board) Sum() (sum int64) {
	for ; b != 0; b >>= 4 {
		sum += board.Tile(uint8(b) & 15)
	}
	return sum
}

// Exponents returns a set of bits: bit e is set if a tile of exponent e, from 1 to 15, is on the
// board.
func (b Board) Exponents() (set uint16) {
	for ; b != 0; b >>= 4 {
		set |= 1 << (b & 15)
	}
	return set &^ 1
}

// Transpose returns the board mirrored along its main diagonal.
func (b Board) Transpose() Board {
	t := (b ^ b>>12) & 0x0000f0f00000f0f0 // swap the two cells off the diagonal in every 2x2 block
	b ^= t ^ t<<12
	t = (b ^ b>>24) & 0x00000000ff00ff00 // swap the two blocks off the diagonal
	return b ^ t ^ t<<24
}

// Mirror returns the board with every row reversed.
func (b Board) Mirror() Board {
	b = b>>4&0x0f0f0f0f0f0f0f0f | b&0x0f0f0f0f0f0f0f0f<<4
	return b>>8&0x00ff00ff00ff00ff | b&0x00ff00ff00ff00ff<<8
}

// Flip returns the board with the order of its rows reversed.
func (b Board) Flip() Board {
	b = b>>16&0x0000ffff0000ffff | b&0x0000ffff0000ffff<<16
	return b>>32 | b<<32
}

// Symmetries returns the eight rotations and reflections of the board, as [board.Board.Image] numbers them. Some of the
// eight are equal if the board is symmetric.
func (b Board) Symmetries() [8]Board {
	m := b.Mirror()
	t := b.Transpose()
	u := t.Mirror()
	return [8]Board{b, m, b.Flip(), m.Flip(), t, u, t.Flip(), u.Flip()}
}

// Canonical returns the smallest of the eight boards that Symmetries returns. It is the same for
// each of the eight.
func (b Board) Canonical() Board {
	all := b.Symmetries()
	return slices.Min(all[:])
}
