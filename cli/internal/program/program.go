// Package program is what this program is, and what specs on its command line may name.
package program

import (
	"context"
	"runtime/debug"
	"sync"

	"afterstate/bench"
	"afterstate/experiment"
	"afterstate/internal/xdg"
)

// Version is the program's version.
const Version = "0.1.0"

// Commit is the revision the program was built from, if the build says so.
func Commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return ""
}

// Build names this program as exactly as it can: its version, and the revision
// it was built from where the build says so. It is exact if nothing was changed since.
func Build() (version string, exact bool) {
	rev := Commit()
	if rev == "" {
		return Version, false
	}
	rev = rev[:min(len(rev), 12)]
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.modified" && s.Value == "true" {
				return Version + "+" + rev + "-modified", false
			}
		}
	}
	return Version + "+" + rev, true
}

// This is the program that plays experiments.
func This() experiment.Program {
	version, exact := Build()
	return experiment.Program{Version: version, Exact: exact, Signature: func(ctx context.Context) (string, error) {
		signature.Lock()
		defer signature.Unlock()
		if signature.known != "" {
			return signature.known, nil
		}
		folder, err := xdg.Cache()
		if err != nil {
			folder = "" // there is no such place
		}
		signature.known, err = bench.CachedSignature(ctx, folder)
		return signature.known, err
	}}
}

// signature is this program's, once it was asked for.
var signature struct {
	sync.Mutex
	known string
}
