// Package program defines the version of this program and the capabilities of specs on its command
// line.
package program

import (
	"sync"

	"afterstate/bench"
	"afterstate/experiment"
	"afterstate/internal/version"
)

// Version is the program's version.
const Version = version.Version

// This identifies the program in experiments. Its signature is computed on first use.
var This = sync.OnceValue(func() experiment.Program {
	return experiment.ThisProgram(Version, bench.LocalSignature)
})
