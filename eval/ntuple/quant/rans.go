package quant

import (
	"encoding/binary"
	"math"
	"sync"
)

// The entropy coder is rANS (range asymmetric numeral systems) with several interleaved states, so that
// the processor can work on several symbols at a time. Probabilities are adaptive.
const (
	probBits    = 15 // number of bits of a probability
	symbolCount = 16 // number of symbols of a model
	lanes       = 4  // number of states
	// stateMin is the minimum of a state between two symbols; the maximum is below stateMin << 32.
	stateMin = 1 << 31
	// slowness is the binary logarithm of the number of symbols after which a model has mostly adapted.
	slowness = 7
)

// symbols is an adaptive model of 16 symbols. It divides the range from 0 to 1 << probBits into one
// part for each symbol, whose size is the symbol's probability. It stores where each part begins,
// in 16 bits, four in a word, the first in the lowest bits. No part is empty.
type symbols [symbolCount / 4]uint64

const (
	ones  = 0x0001_0001_0001_0001
	highs = 1 << 15 * ones
)

// evenly is the model in which all symbols are equally likely.
var evenly = func() (m symbols) {
	for s := range symbolCount {
		m[s/4] |= uint64(s) << probBits / symbolCount << (s % 4 * 16)
	}
	return m
}()

// find returns the symbol whose part contains at. It compares at with four beginnings at a time:
// the highest of 16 bits stays set for each beginning that is at most at.
func (m *symbols) find(at uint64) (symbol int) {
	all := (at | 1<<probBits) * ones
	passed := (all-m[0])&highs>>4 + (all-m[1])&highs>>4 + (all-m[2])&highs>>4 + (all-m[3])&highs>>4
	return int(passed*ones>>(48+11)) - 1
}

// part returns the beginning and the size of a symbol's part.
func (m *symbols) part(symbol int) (begin, size uint64) {
	begin = m.begin(symbol)
	if symbol == symbolCount-1 {
		return begin, 1<<probBits - begin
	}
	return begin, m.begin(symbol+1) - begin
}

// prices[n] is the number of bits that coding a symbol of probability n / (1 << probBits) takes. findPrices sets it; a
// program that only decodes does not need it.
var (
	prices     [1<<probBits + 1]float32
	findPrices = sync.OnceFunc(func() {
		for n := range prices {
			prices[n] = float32(probBits - math.Log2(float64(n)))
		}
	})
)

// price returns the number of bits that coding a symbol takes.
func (m *symbols) price(symbol int) float32 {
	_, size := m.part(symbol)
	return prices[size]
}

// bitPrices returns the cost, in bits, of coding bit k of a symbol whose lower bits are known: if bit k is not set, and
// if it is.
func (m *symbols) bitPrices(known, k int) (unset, set float32) {
	var sizes [2]uint64
	for s := known; s < symbolCount; s += 1 << k {
		_, size := m.part(s)
		sizes[s>>k&1] += size
	}
	all := prices[sizes[0]+sizes[1]]
	return prices[sizes[0]] - all, prices[sizes[1]] - all
}

func (m *symbols) begin(symbol int) uint64 { return m[symbol>>2&3] >> (symbol & 3 * 16) & 0xffff }

// adapt makes a symbol more likely: each beginning moves a fraction of the way, rounded down, to where it
// would be if all other symbols had parts of size 1.
func (m *symbols) adapt(symbol int) {
	const fractions = 1<<(16-slowness) - 1
	for i := range m {
		x, above := m[i], uppers[symbol&(symbolCount-1)][i]
		minimum := (uint64(4*i) * ones) + 3<<48 + 2<<32 + 1<<16
		down := x - minimum + (1<<slowness-1)*ones
		up := minimum + (1<<probBits-symbolCount)*ones - x
		step := (down&^above | up&above) >> slowness & (fractions * ones)
		m[i] = x + step&above - step&^above
	}
}

// uppers[s] is a mask with all bits set for the symbols after s.
var uppers = func() (t [symbolCount]symbols) {
	for s := range t {
		for k := s + 1; k < symbolCount; k++ {
			t[s][k/4] |= 0xffff << (k % 4 * 16)
		}
	}
	return t
}()

// ransDecoder decodes what a ransEncoder wrote.
type ransDecoder struct {
	in     []byte
	pos    int // number of bytes read
	states [lanes]uint64
	short  bool // the input ended too early
}

func newRansDecoder(in []byte) ransDecoder {
	d := ransDecoder{in: in}
	for i := range d.states {
		d.states[i] = stateMin
		if d.pos+8 > len(in) {
			d.short = true
			break
		}
		d.states[i] = binary.LittleEndian.Uint64(in[d.pos:])
		d.pos += 8
		d.short = d.short || d.states[i] < stateMin // the encoder's final states are at least stateMin
	}
	return d
}

// symbol decodes a symbol with one of the states, and adapts the model.
func (d *ransDecoder) symbol(lane int, m *symbols) int {
	x := d.states[lane%lanes]
	at := x & (1<<probBits - 1)
	s := m.find(at)
	begin, size := m.part(s)
	d.states[lane%lanes] = d.refill(size*(x>>probBits) + at - begin)
	m.adapt(s)
	return s
}

// bits decodes at most 15 equally likely bits.
func (d *ransDecoder) bits(lane, n int) int {
	x := d.states[lane%lanes]
	d.states[lane%lanes] = d.refill(x >> n)
	return int(x & (1<<n - 1))
}

// refill returns the state x. If it is too small, refill appends four more bytes of the input.
func (d *ransDecoder) refill(x uint64) uint64 {
	switch {
	case x >= stateMin:
		return x
	case d.pos+4 > len(d.in):
		d.short = true
		return x | stateMin
	}
	d.pos += 4
	return x<<32 | uint64(binary.LittleEndian.Uint32(d.in[d.pos-4:]))
}

// sound reports whether the decoder has read all its input and has reached the initial states of the encoder.
func (d *ransDecoder) sound() bool {
	return !d.short && d.pos == len(d.in) && d.states == [lanes]uint64{stateMin, stateMin, stateMin, stateMin}
}

// ransEncoder records symbols. The method end codes them, from the last to the first.
type ransEncoder struct{ steps []step }

// step is a recorded symbol. Its part is [begin, begin+size) of 1 << bits.
type step struct {
	begin, size uint16
	bits, lane  uint8
}

// symbol records a symbol, and adapts the model.
func (e *ransEncoder) symbol(lane int, m *symbols, s int) {
	begin, size := m.part(s)
	e.steps = append(e.steps, step{uint16(begin), uint16(size), probBits, uint8(lane % lanes)})
	m.adapt(s)
}

// bits records at most 15 equally likely bits.
func (e *ransEncoder) bits(lane, n, value int) {
	e.steps = append(e.steps, step{uint16(value), 1, uint8(n), uint8(lane % lanes)})
}

// end returns the code of the recorded symbols.
func (e *ransEncoder) end() []byte {
	states := [lanes]uint64{stateMin, stateMin, stateMin, stateMin}
	var words []uint32
	for i := len(e.steps) - 1; i >= 0; i-- {
		s := &e.steps[i]
		x, size := &states[s.lane], uint64(s.size)
		if *x >= stateMin>>s.bits<<32*size {
			words = append(words, uint32(*x))
			*x >>= 32
		}
		*x = *x/size<<s.bits + *x%size + uint64(s.begin)
	}
	out := make([]byte, 0, 8*lanes+4*len(words))
	for _, x := range states {
		out = binary.LittleEndian.AppendUint64(out, x)
	}
	for i := len(words) - 1; i >= 0; i-- {
		out = binary.LittleEndian.AppendUint32(out, words[i])
	}
	return out
}
