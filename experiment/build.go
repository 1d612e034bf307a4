package experiment

import (
	"context"
	"runtime/debug"
	"sync"
)

// ThisProgram is the program that runs, of a version. The function computes its signature; it
// is called until it has succeeded once.
func ThisProgram(version string, signature func(context.Context) (string, error)) Program {
	p := Program{Version: version}
	if commit := Commit(); commit != "" {
		p.Version += "+" + commit[:min(len(commit), 12)]
		if p.Exact = buildSetting("vcs.modified") != "true"; !p.Exact {
			p.Version += "-modified"
		}
	}
	var mu sync.Mutex
	known := ""
	p.Signature = func(ctx context.Context) (_ string, err error) {
		mu.Lock()
		defer mu.Unlock()
		if known == "" {
			known, err = signature(ctx)
		}
		return known, err
	}
	return p
}

// Commit is the revision the program was built from, "" where the build does not say so.
func Commit() string { return buildSetting("vcs.revision") }

func buildSetting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}
