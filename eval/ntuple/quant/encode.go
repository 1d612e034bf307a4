package quant

import (
	"math"
	"math/bits"
	"slices"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// encoder chooses the integers of a pattern in a stage. All costs have the unit of the distortion,
// which is importance times squared error, in units squared.
type encoder struct {
	*quantizer
	*packer
	weights []float32
	stage   int
	first   int       // index of the pattern's first weight among the weights of the stage
	before  [][]int16 // weights, in units, of the earlier stages of the family
	price   float64   // cost of a bit
}

// encode codes the weights of a pattern in a stage and returns their stream. price is the
// distortion that is accepted to save one bit. encode stores the integers in table, and adds the
// loss to sum. before contains the weights, in units, of the earlier stages of the family.
func (q *quantizer) encode(table []int16, before [][]int16, stage, pattern int, price float64, sum *tally) []byte {
	e := &encoder{quantizer: q, packer: newPacker(table, q.net.Patterns[pattern]), weights: q.net.Table(stage, pattern), stage: stage, before: before, price: price}
	begins, _ := q.net.Begins()
	e.first = begins[pattern]
	for block := range e.masks {
		e.look(block)
		at := block * e.plan.size
		if weights := e.weights[at : at+e.plan.size]; slices.ContainsFunc(weights, func(w float32) bool { return w != 0 }) {
			loss, worth := e.try(at, weights)
			sum.add(&loss)
			if !worth {
				clear(table[at : at+e.plan.size])
			}
		}
		e.block(block)
	}
	return e.end()
}

// try chooses integers for the block that starts at index at, and decides whether they are worth their bits. If
// they are, it returns the loss with these integers, otherwise the loss of an empty block.
func (e *encoder) try(at int, weights []float32) (loss tally, worth bool) {
	var full, empty tally
	filled, mask := &e.models.filled[e.filled], uint64(0)
	cost := e.price * float64(filled.price(1))
	for i, w := range weights {
		row := i &^ 3
		unset, set := e.models.rows[e.row(mask, i/4)].bitPrices(int(mask>>row&15), i&3)
		if w == 0 {
			cost += e.price * float64(unset)
			continue
		}
		importance := e.importance(e.stage, e.first+at+i, w)
		base := inherited(e.before, at+i)
		away := float64(w)/float64(e.Scale) - float64(base)
		h := e.hint(e.table, at, i)
		x, minimum := e.choose(&h, away, int32(base), importance, e.price*float64(unset), e.price*float64(set))
		off := away - float64(x)
		cost += minimum
		full.add(&tally{off: importance * off * off, importance: importance})
		empty.add(&tally{off: importance * away * away, importance: importance})
		if x != 0 {
			full.written++
			e.table[at+i] = int16(x)
			mask |= 1 << i
		}
	}
	if full.written > 0 && cost <= empty.off+e.price*float64(filled.price(0)) {
		return full, true
	}
	return empty, false
}

func (t *tally) add(u *tally) {
	t.written += u.written
	t.off += u.off
	t.importance += u.importance
}

// choose returns the integer with the lowest cost for a weight. away is the weight minus base, its
// prediction. The cost is the distortion plus the number of bits times the price; unset and set are
// the costs of the mask bit if the integer is zero and if it is not.
func (e *encoder) choose(h *hint, away float64, base int32, importance, unset, set float64) (best int32, cost float64) {
	cost = importance*away*away + unset
	if e.price == 0 {
		if x := int32(math.RoundToEven(away)); x != 0 {
			return e.within(x, base), 0
		}
		return 0, cost
	}
	// Rounding to multiples of a step has a mean squared error of step²/12. Each bit saved makes
	// the error four times as large, so at the best step, importance * step² * (ln 4 / 12) is close
	// to the price of a bit.
	_, level := math.Frexp(math.Sqrt(e.price / importance / 0.1155))
	size := int32(math.Abs(away))
	for k := max(0, level-2); k <= max(0, min(level+1, maxBits-1)); k++ {
		low := size >> k << k
		for _, x := range [2]int32{low, low + 1<<k} {
			if away < 0 {
				x = -x
			}
			if x == 0 || x+base == 0 || x+base > e.limit || x+base < -e.limit {
				continue
			}
			off := away - float64(x)
			sum := importance*off*off + set
			if sum >= cost {
				continue
			}
			c := e.models.code(h, int16(x))
			if sum += e.price * float64(c.price()); sum < cost {
				best, cost = x, sum
			}
		}
	}
	return best, cost
}

// within returns x, or the nearest integer for which the magnitude of the weight x + base is within
// the limit. If the weight would be 0, which means not learned, within adds 1 to it.
func (q *quantizer) within(x, base int32) int32 {
	if x+base == 0 {
		x++
	}
	return max(-q.limit-base, min(q.limit-base, x))
}

// packer encodes a table, block after block.
type packer struct {
	ransEncoder
	around
	maskContext
	models *models
	table  []int16
	plan   *plan
	masks  []uint64 // for each block, a mask with a bit for each non-zero entry
}

func newPacker(table []int16, p ntuple.Pattern) *packer {
	findPrices()
	l := newPlan(p)
	e := &packer{around: newAround(), models: new(models), table: table, plan: l, masks: make([]uint64, l.blocks)}
	e.models.reset()
	return e
}

// look computes the contexts of a block from its neighbours.
func (e *packer) look(block int) {
	e.enter(e.plan, block)
	e.maskContext = e.around.maskContext(e.masks)
}

// block encodes a block; call look for the same block first. It changes the table temporarily.
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

// rows encodes which integers of a block are not zero, and returns them as bits in the order of entryTurns.
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

// integers encodes the non-zero integers of the block that starts at index at. todo has their
// positions, as returned by rows.
func (e *packer) integers(at int, todo uint64) {
	for i := 0; todo != 0; i += 2 {
		k := int(entryTurns[bits.TrailingZeros64(todo)])
		todo &= todo - 1
		x := e.table[at+k]
		e.table[at+k] = 0 // the decoder does not know x when it computes the hint
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

// code describes how an integer that is not zero is coded: the models and their symbols.
type code struct {
	start, long, end *symbols // models; long is nil unless the first symbol means another length
	first            int      // symbol coded with start
	length, zeros    int      // bit length of the magnitude, and number of its trailing zero bits
	between, middle  int      // number and value of the bits between the highest and the lowest set bit
}

func (m *models) code(h *hint, x int16) code {
	size := max(int32(x), -int32(x))
	c := code{length: bits.Len32(uint32(size)), zeros: bits.TrailingZeros32(uint32(size)), start: m.start(h), first: startLengths << 1}
	c.end = m.end(h, c.length)
	if extra := c.length - int(minBits[h.sizes]); extra >= 0 && extra < startLengths {
		c.first = extra << 1
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

// price returns the number of bits that the code takes.
func (c *code) price() float32 {
	sum := float32(c.between) + c.start.price(c.first) + c.end.price(c.zeros)
	if c.long != nil {
		sum += c.long.price(c.length - 1)
	}
	return sum
}
