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
// without ranks.
func (b Board) Downgrade(moves int, least uint8) Board {
	b, _ = b.Lower(4*moves, least)
	return b
}

// Lower is Downgrade where spawns add at most a given sum before the board is looked at
// again. It also returns the exponent of the lowest gap that it closed, or 0. A slide of
// the lowered board with a reward below 2^gap merges nothing above that gap.
func (b Board) Lower(spawned int, least uint8) (lowered Board, gap uint8) {
	for {
		var on, sum uint32 // exponents on the board, and the sum of its tiles
		for x := b; x != 0; x >>= 4 {
			tile := uint32(1) << (x & 15) &^ 1
			on |= tile
			sum += tile
		}
		top := uint8(bits.Len32(on)) - 1
		if on == 0 || top < least {
			return b, gap
		}
		m := b.highestGap(on, sum, uint32(spawned))
		if m == 0 {
			return b, gap
		}
		b, gap = b-b.above(m), m
	}
}

// highestGap is the largest exponent from 3 up of a tile that is missing and cannot come
// from the smaller ones and what spawns; 0 if there is none. There must be a larger tile.
func (b Board) highestGap(on, sum, spawned uint32) uint8 {
	top := uint32(1) << (bits.Len32(on) - 1)
	for missing := ^on & (top - 1) &^ 7; missing != 0; {
		m := uint8(bits.Len32(missing)) - 1
		missing &^= 1 << m
		// Larger tiles add up to a multiple of 2^(m+1). So where the smaller ones and
		// the spawns are less than 2^m, they are the remainder.
		if sum&(1<<(m+1)-1)+spawned < 1<<m && b.sumAbove(m) == sum&^(1<<(m+1)-1) {
			return m
		}
	}
	return 0
}

// sumAbove is the sum of all tiles larger than 2^e.
func (b Board) sumAbove(e uint8) (sum uint32) {
	for ones := b.above(e); ones != 0; ones &= ones - 1 {
		sum += 1 << (b >> bits.TrailingZeros64(uint64(ones)) & 15)
	}
	return sum
}

// above has a 1 in every cell whose exponent is larger than e.
func (b Board) above(e uint8) Board {
	const low = 0x0f0f0f0f0f0f0f0f
	// Every second cell, with room for a carry out of it.
	carry := Board(15-e) * 0x0101010101010101
	even, odd := b&low+carry, b>>4&low+carry
	return even>>4&(low/15) | odd&(low/15<<4)
}

// Reaches reports whether there is a tile of 2^e or more; e is from 1 to 15.
func (b Board) Reaches(e uint8) bool {
	const low = 0x0f0f0f0f0f0f0f0f
	carry := Board(16-e) * 0x0101010101010101
	return ((b&low+carry)|(b>>4&low+carry))&^low != 0
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
