package quant

import (
	"errors"
	"math/bits"
	"slices"

	"afterstate/ntuple"
)

var errUnsound = errors.New("truncated or corrupt: its weights are not coded as any encoder does")

// unpacker decodes a table.
type unpacker struct {
	ransDecoder
	around
	maskContext
	models *models
	table  []int16
	plan   *plan
	masks  []uint64 // of each block, which entries are not zero
	block  int      // which is next
	at     int      // its first entry
	mask   uint64
	todo   uint64 // what the kernel has to decode of it, by turns
	turn   int
}

// begin makes it decode the table of a pattern, which must be zero.
func (u *unpacker) begin(table []int16, p ntuple.Pattern, stream []byte) {
	l := newPlan(p)
	*u = unpacker{
		ransDecoder: newRansDecoder(stream), around: newAround(), models: u.models,
		table: table, plan: l, masks: append(u.masks[:0], make([]uint64, l.blocks)...),
	}
	if u.models == nil {
		u.models = new(models)
	}
	u.models.reset()
}

// mostAtOnce is how many tables unpack decodes in turn best. Most integers wait for those before them
// in their table, so the processor has little else to do.
const mostAtOnce = 4

// unpack decodes tables, a block of each in turn, and returns an error for each; nil is none. plain
// means without machine code.
func unpack(all []*unpacker, plain bool) []error {
	left := slices.Clone(all)
	for {
		left = slices.DeleteFunc(left, func(u *unpacker) bool { return !u.next() })
		if len(left) == 0 {
			break
		}
		if plain || !haveKernel || slices.ContainsFunc(left, func(u *unpacker) bool { return u.plan.size < 64 }) {
			for _, u := range left {
				u.decode()
			}
		} else {
			blockKernel(&left[0], len(left))
		}
		for _, u := range left {
			u.masks[u.block] = u.mask
			u.block++
		}
	}
	errs := make([]error, len(all))
	for i, u := range all {
		if !u.sound() {
			errs[i] = errUnsound
		}
	}
	return errs
}

// next moves to the next block that is not empty, if there is one.
func (u *unpacker) next() bool {
	for ; u.block < len(u.masks) && !u.short; u.block++ {
		u.enter(u.plan, u.block)
		u.maskContext = u.around.maskContext(u.masks)
		if u.symbol(u.block, &u.models.filled[u.filled]) != 0 {
			u.at, u.mask, u.todo, u.turn = u.block*u.plan.size, 0, 0, 0
			return true
		}
	}
	return false
}

// decode decodes the block.
func (u *unpacker) decode() {
	for i, r := range u.plan.rows() {
		row := u.symbol(i, &u.models.rows[u.row(u.mask, int(r))])
		u.mask |= uint64(row) << (4 * r)
		u.todo |= turned[r][row]
	}
	for i := 0; u.todo != 0; i += 2 {
		e := int(entryTurns[bits.TrailingZeros64(u.todo)])
		u.todo &= u.todo - 1
		h := u.hint(u.table, u.at, e)
		s := u.symbol(i, u.models.start(&h))
		n := int(leasts[h.sizes]) + s>>1
		if s>>1 == startLengths {
			n = 1 + u.symbol(i, &u.models.long[h.sizes&(symbolCount-1)])
		}
		end := u.symbol(i+1, u.models.end(&h, n))
		x := 1<<(n-1) | 1<<end | u.bits(i+1, max(0, n-2-end))<<(end+1)
		if s&1 != 0 {
			x = -x
		}
		u.table[u.at+e] = int16(x)
	}
}
