package quant

import (
	"math/bits"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// A table of integers is coded in the order of its indices, in blocks of entries that agree in all
// but the lower two bits of the last three cells, up to 64; four that agree in all but the last cell
// are a row. Coded are: whether the block has integers that are not zero; which they are, a symbol a
// row; and each of them. Contexts are the neighbours that are decoded already: boards with one of
// the cells one exponent lower. Of patterns of more than six cells, contexts leave out the first.

// blockCells is the most cells of which a block has all lower bits, and of the others those that
// contexts look at.
const blockCells = 3

// plan describes the blocks of a pattern's table.
type plan struct {
	size, blocks int // entries of a block, blocks
	// cells are those of the pattern, from the last.
	cells [2 * blockCells]cell
}

// cell is one of a pattern.
type cell struct {
	lower, upper uint    // its bits in the number of a block
	mask         int     // 3, or 0 if there is no such cell or no such bits
	distance     [16]int // to the neighbour's block, by upper and lower bits; 0: no neighbour
}

func newPlan(p ntuple.Pattern) *plan {
	inner := min(blockCells, len(p))
	l := &plan{size: 1 << (2 * inner), blocks: 1 << (4*len(p) - 2*inner)}
	for k := range min(len(l.cells), len(p)) {
		c := &l.cells[k]
		c.mask, c.upper = 3, uint(2*(len(p)+k-inner))
		if k >= inner {
			c.lower = uint(2 * (k - inner))
		}
		for digits := range c.distance {
			switch {
			case k >= inner && digits&3 > 0:
				c.distance[digits] = -1 << c.lower
			case k >= inner && digits > 0:
				c.distance[digits] = 3<<c.lower - 1<<c.upper
			case digits >= 4:
				c.distance[digits] = -1 << c.upper
			}
		}
	}
	return l
}

// around is where the neighbours of a block's entries are.
type around struct {
	// inner[k][d] is the distance to the neighbour in the k-th cell from the last, of an entry with
	// the lower bits d of that cell; 0 without a neighbour.
	inner [blockCells][4]int
	// outer is the distance to the neighbours in the cells before; 0 without a neighbour.
	outer [blockCells]int
	// blocks are those with the neighbours, inner and outer; the block itself without a neighbour.
	blocks [2 * blockCells]int
}

func newAround() (a around) {
	for k := range a.inner {
		for d := 1; d < 4; d++ {
			a.inner[k][d] = -1 << (2 * k)
		}
	}
	return a
}

// enter moves to the neighbours of a block.
func (a *around) enter(l *plan, block int) {
	for k := range l.cells {
		c := &l.cells[k]
		distance := c.distance[block>>c.upper&c.mask<<2|block>>c.lower&c.mask]
		a.blocks[k] = block + distance
		switch {
		case k >= blockCells:
			a.outer[k-blockCells] = distance * l.size
		case distance != 0:
			a.inner[k][0] = distance*l.size + 3<<(2*k)
		default:
			a.inner[k][0] = 0
		}
	}
}

// hint is what the neighbours of an integer say about it.
type hint struct {
	sizes int // bits of the sum of their magnitudes
	sign  int // of their sum: 1 and 2 rather and clearly positive, 3 and 4 negative
	end   int // zero bits that all of them have at the end, at most 16
}

// hint returns that for entry e of the block that begins at an index. A neighbour that is none reads
// as the entry itself, which is still zero.
func (a *around) hint(table []int16, at, e int) (h hint) {
	at += e
	sum, sizes, any := int32(0), int32(0), uint32(1<<16)
	for _, distance := range [6]int{a.inner[0][e&3], a.inner[1][e>>2&3], a.inner[2][e>>4&3], a.outer[0], a.outer[1], a.outer[2]} {
		x := int32(table[at+distance])
		sum += x
		sizes += min(max(x, -x), 1<<15-1)
		any |= uint32(x)
	}
	h = hint{bits.Len32(uint32(sizes)), 1, bits.TrailingZeros32(any)}
	if sum < 0 {
		h.sign, sum = 3, -sum
	}
	if 2*sum > sizes {
		h.sign++
	}
	return h
}

// models are those of a table.
type models struct {
	filled [2*blockCells + 1]symbols // blocks: 0 or 1, by the number of neighbours that are 1
	rows   [2 * 6 * 6 * 6 * 6]symbols
	starts [20 * 8]symbols // of an integer: its number of bits and its sign, by the hint
	long   [symbolCount]symbols
	ends   [symbolCount * 32]symbols // its zero bits at the end, by its number of bits and the hint
	_      symbols                   // zero, for the kernel
}

// startLengths is how many numbers of bits, with either sign, a symbol of models.starts may mean: from
// minBits[hint.sizes] on. The last two symbols mean another number, which models.long has.
const startLengths = symbolCount/2 - 1

var minBits = [20]uint8{6, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10, 10}

func (m *models) start(h *hint) *symbols { return &m.starts[h.sizes<<3|h.sign] }

func (m *models) end(h *hint, n int) *symbols { return &m.ends[(n-1)<<5|min(h.end, n)] }

// reset makes all symbols equally likely.
func (m *models) reset() {
	for _, all := range [][]symbols{m.filled[:], m.rows[:], m.starts[:], m.long[:], m.ends[:]} {
		for i := range all {
			all[i] = evenly
		}
	}
}

// maskContext is what neighbours say about which entries of a block are not zero: their masks, as they
// lie beside the block's.
type maskContext struct {
	before     uint64 // of the last cell, for the first entries of rows
	near, far  uint64 // of the cells before, for rows that border on other blocks
	ones, twos uint64 // how many outer ones have a bit, in binary
	filled     int    // how many are not empty
}

// borders are the rows with a near neighbour in another block.
const borders = 0x000f_000f_000f_000f

// maskContext looks up the neighbours. The mask of the block itself must be zero.
func (a *around) maskContext(masks []uint64) (c maskContext) {
	var m [2 * blockCells]uint64
	for k := range m {
		m[k] = masks[a.blocks[k]]
		c.filled += int((m[k] | -m[k]) >> 63)
	}
	c.before, c.near, c.far = m[0]>>3, m[1]>>12&borders, m[2]>>48
	c.ones, c.twos = m[3]^m[4]^m[5], m[3]&m[4]|m[3]&m[5]|m[4]&m[5]
	return c
}

// row returns the number of the model for a row of a block, of whose mask other rows are known: for
// each of its entries how many of five neighbours are not zero, and whether the one before the first is.
func (c *maskContext) row(mask uint64, r int) int {
	at := 4 * r
	near := mask<<4&^borders | c.near
	far := mask<<16 | c.far
	sum := spread[c.ones>>at&15] + 2*spread[c.twos>>at&15] + spread[near>>at&15] + spread[far>>at&15]
	return int(2*sum) + int(c.before>>at&1)
}

// spread has a digit to base 6 for each bit.
var spread = func() (t [16]uint16) {
	for row := range t {
		for i, digit := range [4]uint16{1, 6, 36, 216} {
			t[row] += uint16(row>>i&1) * digit
		}
	}
	return t
}()

// Rows and integers of a block are coded in the order of the sum of their cells' lower bits, so that
// few follow directly upon a neighbour of theirs, and the processor can work on several at a time.
var (
	rowTurns = [2][]uint8{{0, 1, 2, 3}, {0, 1, 4, 2, 5, 8, 3, 6, 9, 12, 7, 10, 13, 11, 14, 15}}
	// entryTurns[i] is the i-th entry, and turned[r][row] has bit i for each entry of a row.
	entryTurns, turned = turns()
)

// rows returns the rows in the order in which they are coded.
func (l *plan) rows() []uint8 { return rowTurns[l.size/64] }

func turns() (entries [64]uint8, turned [16][16]uint64) {
	n := 0
	for sum := range 10 {
		for e := range 64 {
			if e&3+e>>2&3+e>>4 != sum {
				continue
			}
			entries[n] = uint8(e)
			for row := range 16 {
				turned[e>>2][row] |= uint64(row>>(e&3)&1) << n
			}
			n++
		}
	}
	return entries, turned
}
