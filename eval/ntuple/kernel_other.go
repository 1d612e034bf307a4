//go:build !amd64 || purego

package ntuple

// haveKernel is false: the kernels are for amd64. The functions below are never called.
const haveKernel = false

func shuffle(*SymIndices, *control, int, uint64) { panic("ntuple: no kernel") }
func locate(*Batch, *control, int)               { panic("ntuple: no kernel") }
func sums(*Batch, int)                           { panic("ntuple: no kernel") }
func sum(*SymIndices, **float32, int) float32    { panic("ntuple: no kernel") }
func locate16(*Batch, *control, int)             { panic("ntuple: no kernel") }
func sums16(*Batch, int)                         { panic("ntuple: no kernel") }
func sum16(*SymIndices, **float32, int) int32    { panic("ntuple: no kernel") }
func add(*SymIndices, **float32, int, float32)   { panic("ntuple: no kernel") }
