package quant

import (
	"math"
	"math/bits"

	"afterstate/ntuple"
)

const (
	// maxNumberBits is the most bits of a magnitude: that of a difference of two signed 16-bit
	// integers.
	maxNumberBits = 16
	contextSizes  = maxNumberBits + 4 // of ntuple.MaxCells neighbours together
)

// numberModel holds the adaptive probabilities of a table. An integer is coded as: zero or not,
// sign, number of bits of the magnitude, and these bits but the first.
type numberModel struct {
	filled [2]bitProb // a block, after one that is empty or not
	isSet  [ntuple.MaxCells + 1]bitProb
	minus  [5]bitProb
	length [ntuple.MaxCells + 1][contextSizes][maxNumberBits + 1]bitProb
	// digits of an n-bit magnitude, by position and whether a neighbour has bits that low.
	// Integers of weights that play seldom reads end in zeros.
	digits [maxNumberBits + 1][maxNumberBits + 1][2]bitProb
}

func newNumberModel() *numberModel {
	m := new(numberModel)
	fill := func(cs []bitProb) {
		for i := range cs {
			cs[i] = even
		}
	}
	fill(m.filled[:])
	fill(m.isSet[:])
	fill(m.minus[:])
	for i := range m.length {
		for k := range m.length[i] {
			fill(m.length[i][k][:])
		}
	}
	for i := range m.digits {
		for k := range m.digits[i] {
			fill(m.digits[i][k][:])
		}
	}
	return m
}

// digit is the probability of bit k of an n-bit magnitude.
func (m *numberModel) digit(c *context, n, k int) *bitProb {
	if k >= c.fine {
		return &m.digits[n][k][1]
	}
	return &m.digits[n][k][0]
}

// learn adapts the model to an integer.
func (m *numberModel) learn(c *context, x int32) {
	if x == 0 {
		m.isSet[c.seen].update(0)
		return
	}
	m.isSet[c.seen].update(1)
	m.minus[c.sign].update(int(uint32(x) >> 31))
	x = max(x, -x)
	lengths := &m.length[c.seen][c.size]
	n := bits.Len32(uint32(x))
	for k := 1; k < n; k++ {
		lengths[k].update(0)
	}
	if n < maxNumberBits {
		lengths[n].update(1)
	}
	for k := n - 2; k >= 0; k-- {
		m.digit(c, n, k).update(int(x >> k & 1))
	}
}

// price is the number of bits of an integer.
func (m *numberModel) price(c *context, x int32) (sum float32) {
	if x == 0 {
		return m.isSet[c.seen].price(0)
	}
	sum = m.isSet[c.seen].price(1) + m.minus[c.sign].price(int(uint32(x)>>31))
	x = max(x, -x)
	lengths := &m.length[c.seen][c.size]
	n := bits.Len32(uint32(x))
	for k := 1; k < n; k++ {
		sum += lengths[k].price(0)
	}
	if n < maxNumberBits {
		sum += lengths[n].price(1)
	}
	for k := n - 2; k >= 0; k-- {
		sum += m.digit(c, n, k).price(int(x >> k & 1))
	}
	return sum
}

// bitProb is an adaptive probability that a bit is 1, in parts of 65536. It never becomes 0 or 1.
type bitProb uint16

const (
	even = bitProb(1 << 15)
	// slow is the binary logarithm of the adaptation window, in bits.
	slow = 6
)

func (c *bitProb) update(bit int) {
	if bit != 0 {
		*c += (1<<16 - 1 - *c) >> slow
	} else {
		*c -= *c >> slow
	}
}

// prices[i] is the bits that a bit of probability i/4096 takes.
var prices = func() (t [1 << 12]float32) {
	for i := range t {
		t[i] = float32(-math.Log2((float64(i) + 0.5) / float64(len(t))))
	}
	return t
}()

// price is the number of bits that coding this bit takes.
func (c bitProb) price(bit int) float32 {
	if bit == 0 {
		return prices[(1<<16-1-uint32(c))>>4]
	}
	return prices[c>>4]
}
