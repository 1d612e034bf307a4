//go:build amd64 && !purego

package learn

import "github.com/afterstate2048/afterstate/eval/ntuple"

// coherent is the kernel of coherence.steps.
//
//go:noescape
func coherent(at *ntuple.SymIndices, weights **float32, sums **uint64, patterns int, step, delta, limit float32)

// fetch prefetches the sums of features that are updated soon.
//
//go:noescape
func fetch(at *ntuple.SymIndices, sums **uint64, patterns int)
