package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"afterstate/ntuple"
)

// What neighbours tell is what they tell when they are looked up one by one.
func TestContext(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, cells := range []int{2, 3, 4, 5} {
		p := make(ntuple.Pattern, cells)
		f := newField()
		f.begin(p)
		numbers := make([]int32, p.Entries())
		exponents := make([]uint8, cells)
		for b := range len(numbers) / f.size {
			if r.IntN(3) == 0 {
				continue
			}
			f.enter(b)
			for i := range f.size {
				at := b*f.size + i
				for k := range cells { // cell k from the last
					exponents[cells-1-k] = uint8(at>>(2*k)&3 | at>>(2*(cells+k))&3<<2)
				}
				if p.Index(exponents) != at {
					t.Fatal("the index is made otherwise")
				}
				if got, want := f.context(i), lookedUp(p, numbers, exponents); got != want {
					t.Fatalf("%v: %+v, want %+v", exponents, got, want)
				}
				if r.IntN(2) == 0 {
					numbers[at] = int32(r.NormFloat64() * math.Exp(r.Float64()*9))
					f.put(i, numbers[at])
				}
			}
		}
	}
}

// lookedUp is the twin of field.context.
func lookedUp(p ntuple.Pattern, numbers []int32, exponents []uint8) (c context) {
	sum, sizes, any := 0, 0, 0
	for k, e := range exponents {
		if e == 0 {
			continue
		}
		exponents[k]--
		x := int(numbers[p.Index(exponents)])
		exponents[k]++
		if x == 0 {
			continue
		}
		c.seen++
		sum += x
		sizes += max(x, -x)
		any |= max(x, -x)
	}
	for c.fine = 0; c.fine < maxNumberBits && any>>c.fine&1 == 0; c.fine++ {
	}
	for ; sizes>>c.size > 0; c.size++ {
	}
	switch {
	case c.seen == 0:
	case 2*sum > sizes:
		c.sign = 2
	case sum >= 0:
		c.sign = 1
	case -2*sum > sizes:
		c.sign = 4
	default:
		c.sign = 3
	}
	return c
}

// The prices of all integers are those of a code: 2^-price sums to about 1. An integer gets cheaper
// when the model has seen it.
func TestPrices(t *testing.T) {
	m := newNumberModel()
	c := &context{seen: 1, sign: 2, size: 3, fine: 1}
	for range 3 {
		sum := 0.0
		for x := int32(-(1<<maxNumberBits - 1)); x < 1<<maxNumberBits; x++ {
			sum += math.Exp2(-float64(m.price(c, x)))
		}
		if math.Abs(sum-1) > 0.01 {
			t.Errorf("the shares of all integers sum to %v", sum)
		}
		before := m.price(c, -20)
		for range 5 {
			m.learn(c, -20)
		}
		if after := m.price(c, -20); after >= before {
			t.Errorf("an integer costs %v bits after it was seen, before %v", after, before)
		}
	}
}
