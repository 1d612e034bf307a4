package quant

import (
	"math/bits"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// packer encodes a table, block after block.
type packer struct {
	ransEncoder
	around
	maskContext
	models *models
	table  []int16
	plan   *plan
	masks  []uint64 // of each block, which entries are not zero
}

func newPacker(table []int16, p ntuple.Pattern) *packer {
	findPrices()
	l := newPlan(p)
	e := &packer{around: newAround(), models: new(models), table: table, plan: l, masks: make([]uint64, l.blocks)}
	e.models.reset()
	return e
}

// look looks at the neighbours of a block.
func (e *packer) look(block int) {
	e.enter(e.plan, block)
	e.maskContext = e.around.maskContext(e.masks)
}

// block encodes the block that it has looked at. It changes the table meanwhile.
func (e *packer) block(block int) {
	at, mask := block*e.plan.size, uint64(0)
	for i, x := range e.table[at:][:e.plan.size] {
		if x != 0 {
			mask |= 1 << i
		}
	}
	e.masks[block] = mask
	filled := &e.models.filled[e.filled]
	if mask == 0 {
		e.symbol(block, filled, 0)
		return
	}
	e.symbol(block, filled, 1)
	e.integers(at, e.rows(mask))
}

// rows encodes which integers of a block are not zero, and returns these in the order of their turns.
func (e *packer) rows(mask uint64) (todo uint64) {
	known := uint64(0)
	for i, r := range e.plan.rows() {
		row := int(mask >> (4 * r) & 15)
		e.symbol(i, &e.models.rows[e.row(known, int(r))], row)
		known |= uint64(row) << (4 * r)
		todo |= turned[r][row]
	}
	return todo
}

// integers encodes those of a block that begins at an index.
func (e *packer) integers(at int, todo uint64) {
	for i := 0; todo != 0; i += 2 {
		k := int(entryTurns[bits.TrailingZeros64(todo)])
		todo &= todo - 1
		x := e.table[at+k]
		e.table[at+k] = 0 // as it is when it is decoded
		h := e.hint(e.table, at, k)
		e.table[at+k] = x
		c := e.models.code(&h, x)
		e.symbol(i, c.start, c.first)
		if c.long != nil {
			e.symbol(i, c.long, c.length-1)
		}
		e.symbol(i+1, c.end, c.zeros)
		e.bits(i+1, c.between, c.middle)
	}
}

// code is how an integer that is not zero is coded.
type code struct {
	start, long, end *symbols // long is nil unless the first symbol means another length
	first            int      // of start
	length, zeros    int      // of its magnitude: all bits, and those at the end
	between, middle  int      // the number of bits between the first and the last one, and these bits
}

func (m *models) code(h *hint, x int16) code {
	size := max(int32(x), -int32(x))
	c := code{length: bits.Len32(uint32(size)), zeros: bits.TrailingZeros32(uint32(size)), start: m.start(h), first: startLengths << 1}
	c.end = m.end(h, c.length)
	if more := c.length - int(leasts[h.sizes]); more >= 0 && more < startLengths {
		c.first = more << 1
	} else {
		c.long = &m.long[h.sizes&(symbolCount-1)]
	}
	if x < 0 {
		c.first |= 1
	}
	c.between = max(0, c.length-2-c.zeros)
	c.middle = int(size>>(c.zeros+1)) & (1<<c.between - 1)
	return c
}

// price is the number of bits that the code takes.
func (c *code) price() float32 {
	sum := float32(c.between) + c.start.price(c.first) + c.end.price(c.zeros)
	if c.long != nil {
		sum += c.long.price(c.length - 1)
	}
	return sum
}
