// Package program is what this program is, and what specs on its command line may name.
package program

import (
	"sync"

	"afterstate/bench"
	"afterstate/experiment"
)

// Version is the program's version.
const Version = "0.1.0"

// This is the program that plays experiments. Its signature is computed once, when it is
// asked for.
var This = sync.OnceValue(func() experiment.Program {
	return experiment.ThisProgram(Version, bench.LocalSignature)
})
