package quant

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// The prices of all integers are those of a code: 2^-price sums to at most 1. An integer gets cheaper
// when the models have seen it. The prices of a symbol's bits add up to that of the symbol.
func TestPrices(t *testing.T) {
	e := newPacker(make([]int16, 1<<8), ntuple.Pattern{0, 1})
	h := &hint{sizes: 4, sign: 2, end: 1}
	for range 3 {
		sum := 0.0
		for x := math.MinInt16; x <= math.MaxInt16; x++ {
			if x != 0 {
				c := e.models.code(h, int16(x))
				sum += math.Exp2(-float64(c.price()))
			}
		}
		// Some symbols are never used: lengths that another symbol codes, and more zeros than the length allows.
		if sum > 1.001 || sum < 0.25 {
			t.Errorf("the shares of all integers sum to %v", sum)
		}
		c := e.models.code(h, -20)
		before := c.price()
		for range 5 {
			e.symbol(0, c.start, c.first)
			e.symbol(0, c.end, c.zeros)
		}
		if after := c.price(); after >= before {
			t.Errorf("an integer costs %v bits after it was seen, before %v", after, before)
		}
		for s := range symbolCount {
			sum := float32(0)
			for k := range 4 {
				unset, set := c.start.bitPrices(s&(1<<k-1), k)
				sum += [2]float32{unset, set}[s>>k&1]
			}
			if want := c.start.price(s); math.Abs(float64(sum-want)) > 1e-4 {
				t.Errorf("the bits of symbol %d cost %v, the symbol %v", s, sum, want)
			}
		}
	}
}
