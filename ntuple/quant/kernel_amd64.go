//go:build amd64 && !purego

package quant

import "golang.org/x/sys/cpu"

// haveKernel reports whether the processor can execute blockKernel.
var haveKernel = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// blockKernel is unpacker.decode of n tables, one to mostAtOnce, for blocks of 64 entries.
//
//go:noescape
func blockKernel(tables **unpacker, n int)

// rowShifts are where the rows lie in a mask, in the order of their turns.
//
//lint:ignore U1000 blockKernel reads it
var rowShifts = func() (t [16]uint8) {
	for i, r := range rowTurns[1] {
		t[i] = 4 * r
	}
	return t
}()

// targets are where the parts of a model would begin if a symbol were as likely as can be.
//
//lint:ignore U1000 blockKernel reads it
var targets = func() (t [symbolCount][symbolCount]uint16) {
	for s := range t {
		for k := range t[s] {
			t[s][k] = uint16(k)
			if k > s {
				t[s][k] += 1<<probBits - symbolCount
			}
		}
	}
	return t
}()
