package quant

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/yield"
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
	at     int      // the first entry of the one before
	todo   uint64   // integers of that one to decode, by turns
}

// begin starts to decode a pattern into table, whose former contents do not matter.
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

const (
	// maxBytes is more than the stream has for a block.
	maxBytes = 4 * (1 + 16 + 4*64)
	// maxBlocks is how many a call of the kernel decodes, which the scheduler cannot interrupt.
	maxBlocks = 1 << 10
)

// unpack decodes the table.
func (u *unpacker) unpack() error {
	if haveKernel && u.plan.size == 64 {
		for len(u.in)-u.pos >= maxBytes && u.block < len(u.masks) && !u.short {
			tableKernel(u, min(u.block+maxBlocks, len(u.masks)))
		}
	}
	return u.plain()
}

// plain is unpack without machine code.
func (u *unpacker) plain() error {
	u.decode()
	if !u.sound() {
		return errUnsound
	}
	return nil
}

// decode decodes the rest of the table.
func (u *unpacker) decode() {
	for u.next() {
		yield.Point()
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
