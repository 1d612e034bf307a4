//go:build amd64 && !purego

package learn

import "github.com/afterstate2048/afterstate/eval/ntuple"

// coherent is the assembly version of coherence.steps (TestKernel).
//
//go:noescape
func coherent(at *ntuple.SymIndices, weights **float32, sums **uint64, patterns int, step, delta, limit float32)

// fetch prefetches the TC sums of an afterstate that will be updated soon.
//
//go:noescape
func fetch(at *ntuple.SymIndices, sums **uint64, patterns int)
