package quant

import (
	"math/bits"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// A table of integers is coded in the order of its indices, in blocks of up to 64 entries, which
// differ only in the lower two bits of the last three cells. Four entries that differ only in the
// last cell are a row. For each block, the code says whether it contains integers that are not
// zero, then, with one symbol per row, which integers these are, and then their values. Contexts
// come from the neighbours that are already decoded: the entries in which one of the cells is one
// exponent lower. In patterns of more than six cells, contexts ignore the first cells.

// blockCells is the maximum number of inner cells. The inner cells are the last cells of a pattern;
// their lower bits number the entries of a block. Contexts also use up to blockCells outer cells,
// which precede the inner ones.
const blockCells = 3

// plan describes the blocks of a pattern's table.
type plan struct {
	size, blocks int // number of entries in a block, and number of blocks
	// cells contains the cells of the pattern, starting with the last.
	cells [2 * blockCells]cell
}

// cell describes one cell of a pattern.
type cell struct {
	lower, upper uint    // positions of the cell's two lower and two upper bits in the block's index
	mask         int     // 3, or 0 if the pattern has no such cell
	distance     [16]int // distance to the neighbour's block, by the cell's upper and lower bits; 0 means no neighbour
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

// around locates the neighbours of a block's entries.
type around struct {
	// inner[k][d] is the distance to the neighbour in the inner cell k, for an entry with the lower
	// bits d in that cell; 0 if there is no neighbour. Cell 0 is the last cell of the pattern.
	inner [blockCells][4]int
	// outer contains the distances to the neighbours in the outer cells; 0 if there is no
	// neighbour.
	outer [blockCells]int
	// blocks contains, for each cell, the block of the neighbour in that cell, or the current block
	// if there is no neighbour.
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

// enter locates the neighbours of a block.
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

// hint is the context for coding an integer. It is computed from the integer's neighbours.
type hint struct {
	sizes int // bit length of the sum of the neighbours' magnitudes
	// sign is 1 if the sum of the neighbours is positive or 0, and 3 if it is negative. 1 is added
	// if the magnitude of that sum exceeds half the sum of the neighbours' magnitudes.
	sign int
	end  int // number of trailing zero bits that all neighbours have, at most 16
}

// hint returns the hint for entry e of the block that starts at index at. A missing neighbour is
// read as the entry itself, which is still zero.
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

// models contains the context models of one table.
type models struct {
	filled [2*blockCells + 1]symbols // whether a block is empty (0) or not (1), by the number of non-empty neighbours
	rows   [2 * 6 * 6 * 6 * 6]symbols
	starts [20 * 8]symbols           // bit length and sign of an integer, by its hint
	long   [symbolCount]symbols      // bit length of an integer that starts cannot code, by its hint
	ends   [symbolCount * 32]symbols // number of trailing zero bits of an integer, by its bit length and hint
	_      symbols                   // zero, for the kernel
}

// startLengths is the number of different bit lengths of integers that the symbols of models.starts
// can code, each with either sign. The shortest of them is minBits[hint.sizes]. The last two
// symbols mean any other length, which is then coded with models.long.
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

// maskContext is the context for coding a block's mask, which has a bit for each entry that is not
// zero. Its fields come from the masks of the neighbouring blocks, shifted so that the bit of a
// neighbour is at the position of the entry itself.
type maskContext struct {
	before     uint64 // neighbours in the last cell, for the first entries of rows
	near, far  uint64 // neighbours in the second and third cell from the last, for rows with neighbours in other blocks
	ones, twos uint64 // for each entry, the lower and the upper bit of the number of outer neighbours that are not zero
	filled     int    // number of neighbouring blocks that are not empty
}

// borders is the mask of the entries whose near neighbour is in another block.
const borders = 0x000f_000f_000f_000f

// maskContext returns the context of the current block. The block's own mask must still be zero,
// because it stands in for missing neighbours.
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

// row returns the index of the model for row r of a block. mask contains the rows that are already
// known. The index combines two facts: how many of five neighbours of each entry are not zero, and
// whether the first entry's neighbour in the last cell is not zero.
func (c *maskContext) row(mask uint64, r int) int {
	at := 4 * r
	near := mask<<4&^borders | c.near
	far := mask<<16 | c.far
	sum := spread[c.ones>>at&15] + 2*spread[c.twos>>at&15] + spread[near>>at&15] + spread[far>>at&15]
	return int(2*sum) + int(c.before>>at&1)
}

// spread[row] is a number in base 6 whose four digits are the bits of row.
var spread = func() (t [16]uint16) {
	for row := range t {
		for i, digit := range [4]uint16{1, 6, 36, 216} {
			t[row] += uint16(row>>i&1) * digit
		}
	}
	return t
}()

// Rows and integers of a block are coded in the order of the sum of their cells' lower bits. In
// this order, few of them come directly after one of their neighbours, so the processor can work on
// several at a time.
var (
	rowTurns = [2][]uint8{{0, 1, 2, 3}, {0, 1, 4, 2, 5, 8, 3, 6, 9, 12, 7, 10, 13, 11, 14, 15}}
	// entryTurns[i] is the entry that is coded i-th. turned[r][row] converts row, the four-bit mask
	// of row r, to this order: its bit i is set if entry entryTurns[i] is in the mask.
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
