package bitboard

import (
	"math/bits"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Ranks maps each nibble of a packed board to the exponent that it represents.
type Ranks [16]uint8

// IdentityRanks are the ranks of a board without tiles above 32768: each nibble is the exponent of its tile.
var IdentityRanks = Ranks{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// Pack converts a 4x4 board for a search that makes at most the given number of moves, each
// followed by a spawn. Every slide of the packed board corresponds to the slide of the true board,
// and ranks maps its nibbles to exponents. ok is false if Pack cannot guarantee this.
//
// A tile is made of smaller ones. If S is the sum of all tiles smaller than 2^m, no tile 2^m can be
// made of them within n moves while S + 4n < 2^m. If the board has no 2^m either, all larger tiles
// can be represented one exponent lower without a collision (tile downgrading; Guei et al. 2021,
// TDL2048+). By the same argument, the board never has two 32768 tiles within n moves if S + 4n <
// 65536 for the sum S of all tiles.
func Pack(b *board.Board, moves int) (packed Board, ranks Ranks, ok bool) {
	if w, ok := asIs(b, moves); ok {
		return w, IdentityRanks, true
	}
	if b.Size() != Size {
		return 0, Ranks{}, false
	}
	var p packing
	p.begin(b, moves)
	for m := uint8(3); !p.fits(); {
		for ; m < 63 && !p.gap(m); m++ {
		}
		if p.below(63) == p.below(m) {
			return 0, Ranks{}, false // no larger tile remains to be lowered
		}
		p.lower(m)
	}
	return p.packed(), Ranks(p.ranks[:16]), true
}

// asIs packs a 4x4 board with unchanged exponents. ok is false if the size is not 4x4, or if the
// board has a tile above 32768 or might get one during the moves.
func asIs(b *board.Board, moves int) (w Board, ok bool) {
	if w, ok = From(b); !ok {
		return 0, false
	}
	_, sum := w.tiles()
	return w, int64(sum)+4*int64(moves) < 1<<(MaxExponent+1)
}

// Downgrade does what Pack does, for an evaluator that is trained only on boards whose tiles are
// all smaller than 2^minimum. While the board has a tile of 2^minimum or more, Downgrade lowers the
// exponent of all tiles above the highest gap by one. ok is false if nibbles cannot hold the
// result.
func Downgrade(b *board.Board, moves int, minimum uint8) (packed Board, ranks Ranks, ok bool) {
	if w, ok := asIs(b, moves); ok && (minimum > MaxExponent || !w.HasTile(minimum)) {
		return w, IdentityRanks, true
	}
	if b.Size() != Size {
		return 0, Ranks{}, false
	}
	var p packing
	p.begin(b, moves)
	p.downgrade(minimum)
	if !p.fits() {
		return 0, Ranks{}, false
	}
	return p.packed(), Ranks(p.ranks[:16]), true
}

// DowngradeBoard does the same as the function Downgrade for boards of every size, and returns no
// ranks. Tiles above 32768 may remain.
func DowngradeBoard(b board.Board, moves int, minimum uint8) board.Board {
	var p packing
	p.begin(&b, moves)
	p.downgrade(minimum)
	for i, e := range p.cells[:p.n] {
		if e >= 2 { // exponents 0 and 1 are never lowered
			b.Set(i, e)
		}
	}
	return b
}

// Downgrade does the same as the function [Downgrade] for a packed board. It returns no ranks and
// is many times faster (TestPackAnyBoard compares the two).
func (b Board) Downgrade(moves int, minimum uint8) Board {
	b, _ = b.Lower(4*moves, minimum)
	return b
}

// Lower downgrades the board like the method Downgrade, but with a bound on the sum of spawned
// tiles in place of the number of moves: until the board is lowered again, spawns may add at most
// the sum given by spawned. gap is the exponent of the lowest gap that was closed, or 0. A slide of
// the lowered board with a reward below 2^gap merges nothing above that gap.
func (b Board) Lower(spawned int, minimum uint8) (lowered Board, gap uint8) {
	on, sum := b.tiles()
	for on>>minimum != 0 {
		m := b.highestGap(on, sum, uint32(spawned))
		if m == 0 {
			break
		}
		b, gap = b-b.above(m), m
		below := uint32(1)<<m - 1
		on = on&below | on>>1&^below
		sum = sum&below | sum>>1&^below
	}
	return b, gap
}

// pairTiles is indexed by a byte that holds two cells. on is the set of their exponents (bit e for exponent e), and sum
// the sum of their tile values.
var pairTiles [256]struct{ on, sum uint32 }

func init() {
	value := func(e int) uint32 { return 1 << e &^ 1 }
	for pair := range pairTiles {
		low, high := value(pair&15), value(pair>>4)
		pairTiles[pair].on, pairTiles[pair].sum = low|high, low+high
	}
}

// tiles returns the exponents on the board as a set of bits, and the sum of all tile values.
func (b Board) tiles() (on, sum uint32) {
	for x := b; x != 0; x >>= 8 {
		pair := &pairTiles[uint8(x)]
		on |= pair.on
		sum += pair.sum
	}
	return on, sum
}

// highestGap returns the exponent of the highest gap, or 0 if the board has no gap. A gap is an exponent e of at least 3
// that is smaller than the largest exponent on the board: no tile 2^e is on the board, and the smaller tiles and the
// spawns cannot make one. The board must have a tile.
func (b Board) highestGap(on, sum, spawned uint32) uint8 {
	top := uint32(1) << (bits.Len32(on) - 1)
	for missing := ^on & (top - 1) &^ 7; missing != 0; {
		m := uint8(bits.Len32(missing)) - 1
		missing &^= 1 << m
		// The tiles above 2^m sum to a multiple of 2^(m+1). So if the smaller tiles sum to less than 2^m, their sum is
		// the remainder of sum divided by 2^(m+1).
		if sum&(1<<(m+1)-1)+spawned < 1<<m && b.sumAbove(m) == sum&^(1<<(m+1)-1) {
			return m
		}
	}
	return 0
}

// sumAbove returns the sum of all tiles larger than 2^e.
func (b Board) sumAbove(e uint8) (sum uint32) {
	for ones := b.above(e); ones != 0; ones &= ones - 1 {
		sum += 1 << (b >> bits.TrailingZeros64(uint64(ones)) & 15)
	}
	return sum
}

// above returns a board with a 1 in every cell whose exponent is larger than e.
func (b Board) above(e uint8) Board {
	const low = 0x0f0f0f0f0f0f0f0f
	// Each byte holds one cell, which leaves its upper half free for a carry.
	carry := Board(15-e) * 0x0101010101010101
	even, odd := b&low+carry, b>>4&low+carry
	return even>>4&(low/15) | odd&(low/15<<4)
}

// HasTile reports whether the board has a tile of 2^e or more; e is from 1 to 15.
func (b Board) HasTile(e uint8) bool {
	const low = 0x0f0f0f0f0f0f0f0f
	carry := Board(16-e) * 0x0101010101010101
	return ((b&low+carry)|(b>>4&low+carry))&^low != 0
}

// PairOfLargest reports whether the board has two tiles of 32768, which would merge on a board of package board.
func (b Board) PairOfLargest() bool {
	x := b & (b >> 2)
	x &= x >> 1 & firstBits
	return x&(x-1) != 0
}

// packing is the state of a board that is being packed.
type packing struct {
	cells   [board.MaxSide * board.MaxSide]uint8
	n       int       // number of cells
	count   [64]int64 // number of tiles by exponent
	spawned int64     // maximal sum of the spawned tiles
	ranks   [64]uint8 // like Ranks, but for all exponents
}

// ownRanks maps each exponent to itself.
var ownRanks = func() (ranks [64]uint8) {
	for i := range ranks {
		ranks[i] = uint8(i)
	}
	return ranks
}()

// begin initializes p to pack a board for at most the given number of moves.
func (p *packing) begin(b *board.Board, moves int) {
	p.n, p.spawned, p.ranks = b.Size().Cells(), 4*int64(moves), ownRanks
	for i := range p.n {
		p.cells[i] = b.Cell(i)
		p.count[p.cells[i]&63]++
	}
}

// downgrade lowers the exponent of all tiles above the highest gap by one, and repeats this while
// the board has a tile of 2^minimum or more.
func (p *packing) downgrade(minimum uint8) {
	for top := slices.Max(p.cells[:p.n]); top >= minimum; top-- {
		m := top - 1
		for ; m > 2 && !p.gap(m); m-- {
		}
		if m <= 2 {
			break
		}
		p.lower(m)
	}
}

// fits reports whether nibbles can hold the board during the moves: it never has two 32768 tiles,
// which could merge.
func (p *packing) fits() bool { return p.below(63)+p.spawned < 1<<(MaxExponent+1) }

// gap reports whether the board has no tile 2^m and none can be made during the moves.
func (p *packing) gap(m uint8) bool { return p.count[m] == 0 && p.below(m)+p.spawned < 1<<m }

// lower represents the tiles above a gap at 2^m one exponent lower.
func (p *packing) lower(m uint8) {
	copy(p.count[m:], p.count[m+1:])
	p.count[len(p.count)-1] = 0
	for i, e := range p.cells[:p.n] {
		if e > m {
			p.cells[i]--
		}
	}
	copy(p.ranks[m:], p.ranks[m+1:])
	p.ranks[len(p.ranks)-1]++
}

// below returns the sum of the tiles smaller than 2^m.
func (p *packing) below(m uint8) (s int64) {
	for e := uint8(1); e < m; e++ {
		s += p.count[e] << e
	}
	return s
}

func (p *packing) packed() (packed Board) {
	for i, e := range p.cells[:p.n] {
		packed |= Board(e) << (4 * i)
	}
	return packed
}

// Unpack returns the true board of a packed board.
func (r *Ranks) Unpack(b Board) board.Board {
	full := board.New(Size)
	for i := range 16 {
		full.Set(i, r[b.Cell(i)])
	}
	return full
}
