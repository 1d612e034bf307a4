package bitboard

import (
	"math/bits"

	"afterstate/board"
)

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
	p := newPacking(b, moves)
	for m := uint8(3); !p.fits(); {
		for ; m < 63 && !p.gap(m); m++ {
		}
		if p.on>>m == 0 {
			return 0, Ranks{}, false // nothing larger is left to be written smaller
		}
		p.lower(m)
	}
	return p.packed(), Ranks(p.ranks[:16]), true
}

// Downgrade is Pack for a player that knows boards well whose tiles are all smaller
// than 2^least: while there are larger ones, tiles above a gap are written one exponent
// lower, the highest gap first. ok is false where nibbles cannot hold the board.
func Downgrade(b *board.Board, moves int, least uint8) (packed Board, ranks Ranks, ok bool) {
	if b.Size() != Size {
		return 0, Ranks{}, false
	}
	p := newPacking(b, moves)
	for top := b.Largest(); top >= least; top-- {
		m := top - 1
		for ; m > 2 && !p.gap(m); m-- {
		}
		if m <= 2 {
			break
		}
		p.lower(m)
	}
	if !p.fits() {
		return 0, Ranks{}, false
	}
	return p.packed(), Ranks(p.ranks[:16]), true
}

// Downgrade is the function of that name for a board in nibbles, many times faster and
// without telling ranks.
func (b Board) Downgrade(moves int, least uint8) Board {
	for {
		var on uint32 // exponents on the board
		var sums [16]int64
		for x := b; x != 0; x >>= 4 {
			on |= 1 << (x & 15)
			sums[x&15] += 1 << (x & 15) &^ 1
		}
		top := bits.Len32(on) - 1
		if top < int(least) {
			return b
		}
		below := 4 * int64(moves) // the sum of tiles smaller than 2^m, and spawns
		gap := 0
		for m := 1; m < top; m++ {
			if m > 2 && on>>m&1 == 0 && below < 1<<m {
				gap = m
			}
			below += sums[m]
		}
		if gap == 0 {
			return b
		}
		b -= b.above(uint8(gap))
	}
}

// above has a 1 in every cell whose exponent is larger than e.
func (b Board) above(e uint8) (ones Board) {
	for shift := 0; shift < 64; shift += 4 {
		if uint8(b>>shift&15) > e {
			ones |= 1 << shift
		}
	}
	return ones
}

// Reaches reports whether there is a tile of 2^e or more; e is from 8 to 15.
func (b Board) Reaches(e uint8) bool {
	// The upper bit of a cell, and a carry into it where the other three suffice.
	carried := b&0x7777777777777777 + Board(16-e)*0x1111111111111111
	return carried&b&0x8888888888888888 != 0
}

// packing is a board on its way into nibbles.
type packing struct {
	cells   [16]uint8
	on      uint64    // exponents on the board
	spawned int64     // the most that spawns may bring
	ranks   [64]uint8 // as Ranks, for larger tiles too
}

func newPacking(b *board.Board, moves int) *packing {
	p := &packing{spawned: 4 * int64(moves)}
	for i := range p.ranks {
		p.ranks[i] = uint8(i)
	}
	for i := range p.cells {
		p.cells[i] = b.Cell(i)
		p.on |= 1 << (p.cells[i] & 63)
	}
	return p
}

// fits reports whether no two 32768 can meet.
func (p *packing) fits() bool { return p.below(63)+p.spawned < 1<<(MaxExponent+1) }

// gap reports whether there is no tile 2^m and none can come.
func (p *packing) gap(m uint8) bool { return p.on>>m&1 == 0 && p.below(m)+p.spawned < 1<<m }

// lower writes the tiles above a gap at 2^m one exponent lower.
func (p *packing) lower(m uint8) {
	p.on = p.on&(1<<m-1) | p.on>>(m+1)<<m
	for i, e := range p.cells {
		if e > m {
			p.cells[i]--
		}
	}
	copy(p.ranks[m:], p.ranks[m+1:])
	p.ranks[len(p.ranks)-1]++
}

// below is the sum of the tiles smaller than 2^m.
func (p *packing) below(m uint8) (s int64) {
	for _, e := range p.cells {
		if e < m {
			s += board.Tile(e)
		}
	}
	return s
}

func (p *packing) packed() (packed Board) {
	for i, e := range p.cells {
		packed |= Board(e) << (4 * i)
	}
	return packed
}

// Unpack is the true board that a packed one stands for.
func (r *Ranks) Unpack(b Board) board.Board {
	full := board.New(Size)
	for i := range 16 {
		full.Set(i, r[b.Cell(i)])
	}
	return full
}
