// Package program identifies this program in experiments, and has the capabilities of specs on its
// command line.
package program

import (
	"sync"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/bench"
)

// This identifies the program in experiments. Its signature is computed on first use.
var This = sync.OnceValue(func() experiment.Program {
	return experiment.ThisProgram(bench.LocalSignature)
})
