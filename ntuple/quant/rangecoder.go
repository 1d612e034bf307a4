package quant

import (
	"encoding/binary"
	"math/bits"
)

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

// encoder is a binary range coder: it narrows an interval of 64 bits in proportion to each bit's
// probability, and writes a number within the last one.
type encoder struct {
	out        []byte
	low, width uint64 // the interval without the bytes already written
}

func newEncoder() *encoder { return &encoder{width: 1<<64 - 1} }

func (e *encoder) put(c *bitProb, bit int) {
	bound := e.width >> 16 * uint64(*c)
	if bit != 0 {
		e.width = bound
	} else {
		low, carry := bits.Add64(e.low, bound, 0)
		e.low = low
		e.width -= bound
		for i := len(e.out) - 1; carry != 0; i-- {
			e.out[i]++
			if e.out[i] != 0 {
				carry = 0
			}
		}
	}
	c.update(bit)
	if e.width < 1<<32 {
		e.out = binary.BigEndian.AppendUint32(e.out, uint32(e.low>>32))
		e.low <<= 32
		e.width <<= 32
	}
}

// end returns the code without trailing zeros, which decode the same.
func (e *encoder) end() []byte {
	// The number with the fewest bits in the interval.
	n := bits.Len64(e.width) - 1
	top, carry := bits.Add64(e.low, 1<<n-1, 0)
	top &^= 1<<n - 1
	for i := len(e.out) - 1; carry != 0; i-- {
		e.out[i]++
		if e.out[i] != 0 {
			carry = 0
		}
	}
	least := len(e.out)
	e.out = binary.BigEndian.AppendUint64(e.out, top)
	last := len(e.out)
	for last > least && e.out[last-1] == 0 {
		last--
	}
	return e.out[:last]
}

// decoder decodes what an encoder wrote.
type decoder struct {
	in    []byte
	at    int    // bytes read, those after the end too
	past  uint64 // offset of the number in the interval
	width uint64
}

func newDecoder(in []byte) *decoder {
	d := &decoder{in: in, width: 1<<64 - 1}
	d.past = uint64(d.word())<<32 | uint64(d.word())
	return d
}

// word returns the next four bytes, zeros after the end.
func (d *decoder) word() uint32 {
	at := d.at
	d.at += 4
	if at+4 <= len(d.in) {
		return binary.BigEndian.Uint32(d.in[at:])
	}
	var b [4]byte
	if at < len(d.in) {
		copy(b[:], d.in[at:])
	}
	return binary.BigEndian.Uint32(b[:])
}

func (d *decoder) get(c *bitProb) (bit int) {
	bound := d.width >> 16 * uint64(*c)
	if d.past < bound {
		d.width = bound
		bit = 1
	} else {
		d.past -= bound
		d.width -= bound
	}
	c.update(bit)
	if d.width < 1<<32 {
		d.past = d.past<<32 | uint64(d.word())
		d.width <<= 32
	}
	return bit
}

// exhausted reports whether more was read than any encoder writes. The decoder reads eight bytes
// ahead, and end omits no more.
func (d *decoder) exhausted() bool { return d.at > len(d.in)+8 }
