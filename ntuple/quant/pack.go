package quant

import (
	"math/bits"

	"afterstate/ntuple"
)

// packer encodes tables.
type packer struct {
	ransEncoder
	around
	models *models
}

// pack encodes the table of a pattern. It changes the table meanwhile.
func pack(table []int16, p ntuple.Pattern) []byte {
	l, e := newPlan(p), packer{around: newAround(), models: new(models)}
	e.models.reset()
	masks := make([]uint64, l.blocks)
	for b := range masks {
		e.enter(l, b)
		c := e.maskContext(masks)
		for i, x := range table[b*l.size : (b+1)*l.size] {
			if x != 0 {
				masks[b] |= 1 << i
			}
		}
		filled := &e.models.filled[c.filled]
		if masks[b] == 0 {
			e.symbol(b, filled, 0)
			continue
		}
		e.symbol(b, filled, 1)
		e.integers(table, b*l.size, e.mask(&c, masks[b], l.rows()))
	}
	return e.end()
}

// mask encodes which integers of a block are not zero, and returns these in the order of their turns.
func (e *packer) mask(c *maskContext, mask uint64, rows []uint8) (todo uint64) {
	known := uint64(0)
	for i, r := range rows {
		row := int(mask >> (4 * r) & 15)
		e.symbol(i, &e.models.rows[c.row(known, int(r))], row)
		known |= uint64(row) << (4 * r)
		todo |= turned[r][row]
	}
	return todo
}

// integers encodes those of a block that begins at an index.
func (e *packer) integers(table []int16, at int, todo uint64) {
	for i := 0; todo != 0; i += 2 {
		k := int(entryTurns[bits.TrailingZeros64(todo)])
		todo &= todo - 1
		x := int32(table[at+k])
		table[at+k] = 0 // as it is when it is decoded
		h := e.hint(table, at, k)
		table[at+k] = int16(x)
		minus := int(uint32(x) >> 31)
		x = max(x, -x)
		n, end, least := bits.Len32(uint32(x)), bits.TrailingZeros32(uint32(x)), int(leasts[h.sizes])
		if n >= least && n < least+startLengths {
			e.symbol(i, e.models.start(&h), (n-least)<<1|minus)
		} else {
			e.symbol(i, e.models.start(&h), startLengths<<1|minus)
			e.symbol(i, &e.models.long[h.sizes&(symbolCount-1)], n-1)
		}
		e.symbol(i+1, e.models.end(&h, n), end)
		if middle := n - 2 - end; middle > 0 {
			e.bits(i+1, middle, int(x>>(end+1)&(1<<middle-1)))
		}
	}
}
