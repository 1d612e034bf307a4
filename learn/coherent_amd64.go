//go:build amd64 && !purego

package learn

import "afterstate/ntuple"

// coherent is coherence.steps.
//
//go:noescape
func coherent(at *ntuple.SymIndices, weights **float32, sums **uint64, patterns int, step, delta float32)

// fetch asks for the sums of features that will be learned soon.
//
//go:noescape
func fetch(at *ntuple.SymIndices, sums **uint64, patterns int)
