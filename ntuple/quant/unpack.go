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
	models    *models
	table     []int16
	plan      *plan
	masks     []uint64 // of each block, which entries are not zero
	block     int      // which is next
	at        int      // the first entry of the one before
	todo      uint64   // integers of that one to decode, by turns
	turn      int      // of the next of them; see integersKernel
	following *unpacker
}

// begin makes it decode the table of a pattern, whatever that holds.
func (u *unpacker) begin(table []int16, p ntuple.Pattern, stream []byte) {
	l := newPlan(p)
	*u = unpacker{
		ransDecoder: newRansDecoder(stream), around: newAround(), models: u.models,
		table: table, plan: l, masks: slices.Grow(u.masks[:0], l.blocks)[:l.blocks],
	}
	clear(u.masks)
	if u.models == nil {
		u.models = new(models)
	}
	u.models.reset()
}

// mostAtOnce is how many tables unpack decodes in turn best. Most integers wait for those before them
// in their table, so that the processor has time for other tables; but their models share its cache.
const mostAtOnce = 2

// unpack decodes tables, an integer of each in turn, and returns an error for each; nil is none. plain
// means without machine code.
func unpack(all []*unpacker, plain bool) []error {
	var last *unpacker // of a ring of those that have integers to decode
	for _, u := range all {
		switch {
		case plain || !haveKernel || u.plan.size < 64:
			u.decode()
		case u.nextByKernel():
			if last == nil {
				last = u
			}
			u.following, last.following = last.following, u
			last = u
		}
	}
	for last != nil {
		u := integersKernel(last.following)
		for last.following != u {
			last = last.following
		}
		switch {
		case u.nextByKernel():
			last = u
		case u == last:
			last = nil
		default:
			last.following = u.following
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

const (
	// mostBytes is more than the stream has for a block.
	mostBytes = 4 * (1 + 16 + 4*64)
	// mostBlocks is how many a kernel looks at in a call, which the scheduler cannot interrupt.
	mostBlocks = 1 << 12
)

// nextByKernel moves to the next block that is not empty, and decodes which integers it has. If there is
// none, the table is decoded.
func (u *unpacker) nextByKernel() bool {
	for len(u.in)-u.pos >= mostBytes && u.block < len(u.masks) {
		if blockKernel(u, min(u.block+mostBlocks, len(u.masks))) {
			return true
		}
	}
	u.decode()
	return false
}

// decode decodes the rest of the table.
func (u *unpacker) decode() {
	for u.next() {
		u.rows()
		u.integers()
	}
}

// next moves to the next block that is not empty, if there is one.
func (u *unpacker) next() bool {
	for u.block < len(u.masks) && !u.short {
		b := u.block
		u.block++
		u.at = b * u.plan.size
		clear(u.table[u.at:][:u.plan.size])
		u.enter(u.plan, b)
		u.maskContext = u.around.maskContext(u.masks)
		if u.symbol(b, &u.models.filled[u.filled]) != 0 {
			return true
		}
	}
	return false
}

// rows decodes which integers of the block are not zero.
func (u *unpacker) rows() {
	mask := uint64(0)
	for i, r := range u.plan.rows() {
		row := u.symbol(i, &u.models.rows[u.row(mask, int(r))])
		mask |= uint64(row) << (4 * r)
		u.todo |= turned[r][row]
	}
	u.masks[u.block-1] = mask
}

// integers decodes the integers of the block.
func (u *unpacker) integers() {
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
