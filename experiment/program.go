package experiment

import (
	"context"
	"slices"

	"afterstate/arena/store"
)

// Program is the program that plays.
type Program struct {
	Version string
	// Exact says that programs of this version are all the same: it names a commit, and
	// nothing was changed since.
	Exact bool
	// Signature computes what identifies the program by what it does (bench.Signature). It
	// is called only when it is needed; nil: not known.
	Signature func(ctx context.Context) (string, error)
}

func (p *Program) signature(ctx context.Context) (string, error) {
	if p.Signature == nil {
		return "", nil
	}
	return p.Signature(ctx)
}

// named is a version with its signature, if that is known.
func named(version, signature string) string {
	if signature == "" {
		return version
	}
	return version + " (signature " + signature + ")"
}

// sameProgram returns the signature to be noted with a player's next games. Where the
// player's games were played by a program that may play otherwise it is a Refusal, unless
// anyVersion is set.
func (p *Program) sameProgram(ctx context.Context, name string, of *store.Player, played, anyVersion bool) (string, error) {
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
	r := &Refusal{Reason: OtherProgram, Experiment: name, Spec: of.Spec, Program: named(p.Version, signature)}
	for i, version := range of.Versions {
		r.Played = append(r.Played, named(version, of.Signatures[i]))
	}
	return "", r
}
