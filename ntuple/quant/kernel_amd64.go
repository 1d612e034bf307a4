//go:build amd64 && !purego

package quant

import "golang.org/x/sys/cpu"

// haveKernel reports whether the processor can execute the kernels.
var haveKernel = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT && countsZeros()

// countsZeros reports whether the processor has LZCNT.
//
//go:noescape
func countsZeros() bool

// blockKernel is unpacker.next followed by unpacker.decodeRows, for blocks of 64 entries. It reports false
// at block stop, and where fewer than mostBytes bytes of the stream are left.
//
//go:noescape
func blockKernel(u *unpacker, stop int) (found bool)

// integersKernel decodes an integer of u, of the unpacker that follows it, and so on, until one has none
// left in its block, and returns that one. Blocks are those that blockKernel found.
//
//go:noescape
func integersKernel(u *unpacker) *unpacker

// kernelConstants are what the kernels read. Fields that are used as a vector have its size.
//
//lint:ignore U1000 the kernels read them
type kernelConstants struct {
	least   uint64 // stateMin
	borders uint64
	// targets are where the parts of a model would begin if a symbol were as likely as can be.
	targets [symbolCount][symbolCount]uint16
	// entries are, in the order of turns, an entry and its lower bits of the last three cells.
	entries [64][4]uint8
	leasts  [len(leasts) + 4]uint8
	minus   [2 * symbolCount]int8 // -1 for symbols of models.starts that mean a negative integer
	spread  [16]uint32            // as distances of models
	turned  [16][16]uint64
	words   [16]int16 // ones
	most    [8]int16  // the largest

	lowBytes, highBytes [32]uint8 // which byte of a mask has the bit of an entry
	byteBits            [32]uint8 // which bit of it
	digits              [32]uint8 // powers of 6
	rowShifts           [8]uint32 // where rows begin in half a mask
}

//lint:ignore U1000 the kernels read it
var constants = func() (c kernelConstants) {
	c.least, c.borders, c.turned = stateMin, borders, turned
	copy(c.leasts[:], leasts[:])
	for s := range c.targets {
		c.minus[2*s] = -int8(s & 1)
		for k := range c.targets[s] {
			c.targets[s][k] = uint16(k)
			if k > s {
				c.targets[s][k] += 1<<probBits - symbolCount
			}
		}
	}
	for i, e := range entryTurns {
		c.entries[i] = [4]uint8{e, e >> 4, e >> 2 & 3, e & 3}
	}
	for i := range c.words {
		c.words[i] = 1
		c.spread[i] = uint32(spread[i]) * 2 * symbolsSize
	}
	for i := range 8 {
		c.most[i], c.rowShifts[i] = 1<<15-1, uint32(4*i)
	}
	for i := range c.byteBits {
		c.lowBytes[i], c.highBytes[i], c.byteBits[i] = uint8(i/8), uint8(4+i/8), 1<<(i%8)
		c.digits[i] = [4]uint8{1, 6, 36, 216}[i%4]
	}
	return c
}()

const symbolsSize = 8 * symbolCount / 4
