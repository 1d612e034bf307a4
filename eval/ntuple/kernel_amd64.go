//go:build amd64 && !purego

package ntuple

import "golang.org/x/sys/cpu"

// haveKernel reports whether the processor and the operating system support AVX2.
var haveKernel = cpu.X86.HasAVX2

// shuffle stores the table indices of a board for n patterns in dst. controls holds the shuffle
// control bytes of each pattern.
//
//go:noescape
func shuffle(dst *SymIndices, controls *control, n int, board uint64)

// locate implements Network.Prefetch for a batch that is not empty.
//
//go:noescape
func locate(b *Batch, controls *control, patterns int)

// sums sets the Values of a batch that is not empty.
//
//go:noescape
func sums(b *Batch, patterns int)

// sum implements Network.Sum; tables is an array of pointers to the tables of the patterns.
//
//go:noescape
func sum(at *SymIndices, tables **float32, patterns int) float32

// locate16, sums16 and sum16 do the same as locate, sums and sum for 16-bit networks, but sums16
// sets totals in place of Values.
//
//go:noescape
func locate16(b *Batch, controls *control, patterns int)

//go:noescape
func sums16(b *Batch, patterns int)

//go:noescape
func sum16(at *SymIndices, tables **float32, patterns int) int32

// add implements Network.Add.
//
//go:noescape
func add(at *SymIndices, tables **float32, patterns int, step float32)
