package bitboard

import "afterstate/board"

// Ranks says which exponent each nibble of a packed board stands for.
type Ranks [16]uint8

// Plain is the ranks of a board without tiles above 32768: every nibble is its
// own exponent.
var Plain = Ranks{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// Pack writes a 4x4 board into nibbles for a search that makes at most so many
// moves from it, each followed by a spawn. Every slide of the packed board does
// to it what the true slide does to the true board, and ranks says what the
// nibbles mean. ok is false where that cannot be promised.
//
// A tile is made of smaller ones. With S the sum of all tiles smaller than 2^m,
// no tile 2^m can come from them within n moves while S + 4n < 2^m. Where no 2^m
// is on the board either, the tiles above can all be written one exponent lower,
// and nothing will ever meet what it should not ("tile downgrading", TDL2048+).
// The same sum shows that no two 32768 will meet: S + 4n < 65536 over all tiles.
func Pack(b *board.Board, moves int) (packed Board, ranks Ranks, ok bool) {
	if b.Size() != Size {
		return 0, Ranks{}, false
	}
	var cells [16]uint8
	var on uint64 // exponents on the board
	for i := range cells {
		cells[i] = b.Cell(i)
		on |= 1 << (cells[i] & 63)
	}
	spawned := 4 * int64(moves)
	ranks = Plain
	for m := uint8(3); sum(&cells)+spawned >= 1<<(MaxExponent+1); {
		for ; m < 63 && (on>>m&1 != 0 || sumBelow(&cells, m)+spawned >= 1<<m); m++ {
		}
		if on>>m == 0 {
			return 0, Ranks{}, false // nothing larger is left to be written smaller
		}
		on = on&(1<<m-1) | on>>(m+1)<<m
		for i, e := range cells {
			if e > m {
				cells[i]--
			}
		}
		for i := int(m); i < len(ranks); i++ {
			ranks[i]++
		}
	}
	for i, e := range cells {
		packed |= Board(e) << (4 * i)
	}
	return packed, ranks, true
}

func sum(cells *[16]uint8) int64 { return sumBelow(cells, 63) }

// sumBelow is the sum of the tiles smaller than 2^m.
func sumBelow(cells *[16]uint8, m uint8) (s int64) {
	for _, e := range cells {
		if e < m {
			s += board.Tile(e)
		}
	}
	return s
}

// Unpack is the true board that a packed one stands for.
func (r *Ranks) Unpack(b Board) board.Board {
	full := board.New(Size)
	for i := range 16 {
		full.Set(i, r[b.Cell(i)])
	}
	return full
}
