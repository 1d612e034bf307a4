package experiment

import (
	"context"
	"sync"

	"github.com/afterstate2048/afterstate/internal/version"
)

// ThisProgram describes the program that runs. The function computes its signature; it is called
// until it has succeeded once.
func ThisProgram(signature func(context.Context) (string, error)) Program {
	p := Program{Version: version.Version}
	if commit, modified := version.Commit(); commit != "" {
		p.Version += "+" + commit[:min(len(commit), 12)]
		if p.Exact = !modified; modified {
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
