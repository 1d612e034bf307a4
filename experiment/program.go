package experiment

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/version"
)

// Program is the program that plays.
type Program struct {
	Version string
	// Exact is set if Version names a commit without changes, so that all programs of this version
	// are the same.
	Exact bool
	// Signature computes the program's signature (bench.Signature). It is called only when needed;
	// nil: unknown.
	Signature func(ctx context.Context) (string, error)
}

func (p *Program) signature(ctx context.Context) (string, error) {
	if p.Signature == nil {
		return "", nil
	}
	return p.Signature(ctx)
}

// named writes a version with its signature, if that is known.
func named(version, signature string) string {
	if signature == "" {
		return version
	}
	return version + " (signature " + signature + ")"
}

// sameProgram returns the signature to record with a player's next games. It is a RefusalError if the
// player's games are of a program that may play differently, unless anyVersion is set.
func (p *Program) sameProgram(ctx context.Context, name string, of *arena.Player, played, anyVersion bool) (string, error) {
	for i, version := range of.Versions {
		// Without a signature the version is all that is known.
		if version == p.Version && (p.Exact || of.Signatures[i] == "") {
			return of.Signatures[i], nil
		}
	}
	known := slices.ContainsFunc(of.Signatures, func(s string) bool { return s != "" })
	mustMatch := played && !anyVersion
	signature := ""
	if known || !mustMatch {
		var err error
		if signature, err = p.signature(ctx); err != nil {
			return "", err
		}
	}
	if !mustMatch || signature != "" && slices.Contains(of.Signatures, signature) {
		return signature, nil
	}
	var earlier []string
	for i, version := range of.Versions {
		earlier = append(earlier, named(version, of.Signatures[i]))
	}
	return "", refuse(OtherProgram, "games of %s are from version %s; this version, %s, may choose other moves",
		of.Spec, strings.Join(earlier, ", "), named(p.Version, signature)).of(name, of.Spec, false)
}

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
