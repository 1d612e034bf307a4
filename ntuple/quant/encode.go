package quant

import "math"

// blockEncoding is a block's integers before it is decided whether they are worth their bits. Costs
// are importance times squared error, in units of the scale squared.
type blockEncoding struct {
	number, at int   // of the block, and of its first weight in the table
	full       tally // with these numbers
	fullCost   float64
	empty      tally // without any
	numbers    [64]int32
	contexts   [64]context
}

// encode codes the weights of a pattern in a stage at a price of distortion per bit. It chooses the
// integers by what they would cost in an adaptive binary code, which takes about as many bits as the
// streams do, and whose bits are the sums of those of single integers.
func (q *quantizer) encode(t *table, stage, pattern int, price float64, sum *tally) []byte {
	t.begin(stage, q.net.Patterns[pattern])
	s := &portion{weights: q.net.Table(stage, pattern), stage: stage, price: price}
	for _, p := range q.net.Patterns[:pattern] {
		s.first += p.Entries()
	}
	model := newNumberModel()
	b := new(blockEncoding)
	filled := 0
	for b.number = range t.index {
		b.at = b.number * t.size
		last := &model.filled[filled]
		filled = 0
		if !allZero(s.weights[b.at : b.at+t.size]) {
			q.try(b, t, s, model)
			without := b.empty.off + price*float64(last.price(0))
			if b.full.kept > 0 && b.fullCost+price*float64(last.price(1)) <= without {
				filled = 1
				sum.add(&b.full)
			} else {
				t.drop(b.number)
				sum.add(&b.empty)
			}
		}
		last.update(filled)
		if filled == 1 {
			b.learn(t, s, model)
		}
	}
	return pack(t.dense(), q.net.Patterns[pattern])
}

func allZero(w []float32) bool {
	for _, x := range w {
		if x != 0 {
			return false
		}
	}
	return true
}

// portion is the weights of a pattern in a stage.
type portion struct {
	weights []float32
	stage   int
	first   int // number of the first one in its stage
	price   float64
}

// learn adapts the model to the block.
func (b *blockEncoding) learn(t *table, s *portion, model *numberModel) {
	for i, x := range b.numbers[:t.size] {
		model.learn(&b.contexts[i], x)
		if x != 0 {
			t.touch(b.number, i, t.untouched(s.stage, b.number, i)+x)
		}
	}
}

// try chooses integers for a block, with bit costs by the present state of the model.
func (q *quantizer) try(b *blockEncoding, t *table, s *portion, model *numberModel) {
	b.full, b.empty, b.fullCost = tally{}, tally{}, 0
	t.enter(b.number)
	for i, w := range s.weights[b.at : b.at+t.size] {
		c := &b.contexts[i]
		*c = t.context(i)
		b.numbers[i] = 0
		if w == 0 {
			b.fullCost += s.price * float64(model.price(c, 0))
			continue
		}
		matter := q.importance(s.stage, s.first+b.at+i, w)
		base := t.untouched(s.stage, b.number, i)
		away := float64(w)/float64(q.scale) - float64(base)
		x, cost := q.choose(model, c, away, base, matter, s.price)
		off := away - float64(x)
		b.fullCost += cost
		b.full.add(&tally{off: matter * off * off, matter: matter})
		b.empty.add(&tally{off: matter * away * away, matter: matter})
		if x != 0 {
			b.full.kept++
			b.numbers[i] = x
			t.put(i, x)
		}
	}
}

func (t *tally) add(u *tally) {
	t.kept += u.kept
	t.off += u.off
	t.matter += u.matter
}

// choose returns the integer of least cost, distortion plus bits times price, for a weight that
// differs by away from its prediction.
func (q *quantizer) choose(model *numberModel, c *context, away float64, base int32, matter, price float64) (best int32, cost float64) {
	cost = matter * away * away
	if price == 0 {
		if x := int32(math.RoundToEven(away)); x != 0 {
			return q.within(x, base), 0
		}
		return 0, cost
	}
	least := price * float64(model.isSet[c.seen].price(1)) // of the bits of any number
	cost += price * float64(model.price(c, 0))
	// A step of 2^k loses a twelfth of its square. One bit less makes that four times as
	// much, so a step pays if (ln 4 / 12) of its square is about the price of a bit.
	_, level := math.Frexp(math.Sqrt(price / matter / 0.1155))
	size := int32(math.Abs(away))
	for k := max(0, level-2); k <= max(0, min(level+1, maxNumberBits-1)); k++ {
		low := size >> k << k
		for _, x := range [2]int32{low, low + 1<<k} {
			if away < 0 {
				x = -x
			}
			if x == 0 || x+base == 0 || x+base > q.limit || x+base < -q.limit {
				continue
			}
			off := away - float64(x)
			sum := matter * off * off
			if sum+least >= cost {
				continue
			}
			if sum += price * float64(model.price(c, x)); sum < cost {
				best, cost = x, sum
			}
		}
	}
	return best, cost
}

// within changes an integer that would make the weight 0, since 0 reads as not learned.
func (q *quantizer) within(x, base int32) int32 {
	if x+base == 0 {
		x++
	}
	return max(-q.limit-base, min(q.limit-base, x))
}
