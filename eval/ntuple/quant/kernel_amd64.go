//go:build amd64 && !purego

package quant

import "golang.org/x/sys/cpu"

// haveKernel reports whether the processor can execute the kernels.
var haveKernel = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT && countsZeros()

// countsZeros reports whether the processor has LZCNT.
//
//go:noescape
func countsZeros() bool

// tableKernel does what unpacker.decode does, for blocks of 64 entries. It ends before block stop,
// or where fewer than maxBytes bytes of the stream remain.
//
//go:noescape
func tableKernel(u *unpacker, stop int)

// kernelConstants contains the constants that the kernels read. Fields that are loaded as a vector
// have the size of a vector.
//
//lint:ignore U1000 the kernels read them
type kernelConstants struct {
	minimum uint64 // the constant stateMin
	borders uint64
	// earliest[s] is the smallest number at which the part of symbol s can begin, and earliest[s] +
	// reach[s] the largest: no part is empty.
	earliest, reach [symbolCount]uint16
	// entries contains, in the order of entryTurns, the offset of an entry in bytes and its lower
	// bits in the last three cells.
	entries [64][4]uint8
	minBits [len(minBits) + 4]uint8
	minus   [2 * symbolCount]int8 // -1 for symbols of models.starts that mean a negative integer
	spread  [16]uint32            // the table spread, as byte offsets of models
	turned  [16][16]uint64
	words   [16]int16 // all 1
	maximum [8]int16  // all the largest int16

	minusOnes [8]int16

	// lowBytes and highBytes say, for each entry of the lower and of the upper half of a mask, which
	// byte of the mask contains the entry's bit.
	lowBytes, highBytes [32]uint8
	byteBits            [32]uint8 // for each of these entries, its bit within that byte
	digits              [32]uint8 // powers of 6
	rowShifts           [8]uint32 // bit positions of the rows in half a mask
}

//lint:ignore U1000 the kernels read it
var constants = func() (c kernelConstants) {
	c.minimum, c.borders, c.turned = stateMin, borders, turned
	copy(c.minBits[:], minBits[:])
	for s := range symbolCount {
		c.minus[2*s] = -int8(s & 1)
		c.earliest[s], c.reach[s] = uint16(s), 1<<probBits-symbolCount
	}
	for i, e := range entryTurns {
		c.entries[i] = [4]uint8{2 * e, e >> 4, e >> 2 & 3, e & 3}
	}
	for i := range c.words {
		c.words[i] = 1
		c.spread[i] = uint32(spread[i]) * 2 * symbolsSize
	}
	for i := range 8 {
		c.maximum[i], c.minusOnes[i], c.rowShifts[i] = 1<<15-1, -1, uint32(4*i)
	}
	for i := range c.byteBits {
		c.lowBytes[i], c.highBytes[i], c.byteBits[i] = uint8(i/8), uint8(4+i/8), 1<<(i%8)
		c.digits[i] = [4]uint8{1, 6, 36, 216}[i%4]
	}
	return c
}()

const symbolsSize = 8 * symbolCount / 4
