package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

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

// Numbers come back as they were, take about the bits that they should, and the end
// of a stream is noticed.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct {
			c context
			x int32
		}
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
			return item{context{
				rapid.IntRange(0, ntuple.MaxCells).Draw(t, "seen"), rapid.IntRange(0, 4).Draw(t, "sign"),
				rapid.IntRange(0, contextSizes-1).Draw(t, "size"), rapid.IntRange(0, maxNumberBits).Draw(t, "fine"),
			}, rapid.Int32Range(-(1<<maxNumberBits-1), 1<<maxNumberBits-1).Draw(t, "x") >> rapid.IntRange(0, maxNumberBits).Draw(t, "shift")}
		}), 0, 300).Draw(t, "items")
		e, m := newEncoder(), newNumberModel()
		bits := 0.0
		for i := range items {
			bits += float64(m.price(&items[i].c, items[i].x))
			m.put(e, &items[i].c, items[i].x)
		}
		stream := e.end()
		if size := float64(8 * len(stream)); size > 1.02*bits+16 {
			t.Fatalf("%v bits, should be %v", size, bits)
		}
		d, m := newDecoder(stream), newNumberModel()
		for i := range items {
			if x := m.get(d, &items[i].c); x != items[i].x {
				t.Fatalf("number %d is %d, want %d", i, x, items[i].x)
			}
		}
		if d.exhausted() {
			t.Fatal("more was read than written")
		}
		for range 2000 {
			c := even
			d.get(&c)
		}
		if !d.exhausted() {
			t.Fatal("the end was not noticed")
		}
	})
}
