//go:build !amd64 || purego

package learn

import "github.com/afterstate2048/afterstate/eval/ntuple"

// The kernels exist only for amd64. ntuple.Network.HasKernel is false here, so they are never called.

func coherent(*ntuple.SymIndices, **float32, **uint64, int, float32, float32, float32) {
	panic("learn: no kernel")
}
func fetch(*ntuple.SymIndices, **uint64, int) { panic("learn: no kernel") }
