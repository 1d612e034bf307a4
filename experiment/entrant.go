package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/version"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/spec"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Config holds what all experiments in a process share.
type Config struct {
	Capabilities catalog.Capabilities // capabilities with which the players' specs are parsed
	// Identity returns a spec's identity, without the name and version that an external program
	// reports; see the function Identity.
	Identity   func(spec string) (string, error)
	Program    Program
	AnyVersion bool // resume experiments whose games another version of the program played
}

// Entrant is a player, parsed from a spec, that is to take part in an experiment.
type Entrant struct {
	catalog.Maker
	Identity string // see arena.Identity
}

// Entrants parses the specs of players for boards of a size. It starts each external program once, or
// connects to it, to get its name and version; if the program fails, the error is a *player.ForfeitError.
// If a player occurs twice, the error is a RefusalError.
func (c *Config) Entrants(ctx context.Context, specs []string, size board.Size) (all []Entrant, err error) {
	seen := map[string]bool{}
	for _, text := range specs {
		m, err := catalog.Parse(text, c.Capabilities)
		if err != nil {
			return nil, err
		}
		id, err := c.identity(ctx, m, size)
		if err != nil {
			return nil, err
		}
		if seen[id] {
			return nil, refuse("%s is given twice: the players must differ", m.Spec)
		}
		seen[id] = true
		all = append(all, Entrant{m, id})
	}
	return all, nil
}

// identity returns the identity of a maker's players on boards of a size. The player auto uses exact values
// on a size that is solved, and otherwise a search: its identity differs between these two cases.
func (c *Config) identity(ctx context.Context, m catalog.Maker, size board.Size) (string, error) {
	id, err := c.Identity(m.Spec)
	if err == nil && m.Exact != nil && m.Exact(size) {
		return arena.With(id, spec.Arg{Key: "values", Value: spec.Value{Text: "exact"}})
	}
	if err != nil || m.External == nil {
		return id, err
	}
	name, version, err := m.External.Introduce(ctx, size)
	if err != nil {
		return "", fmt.Errorf("a program that does not answer hello cannot take part: %w", err)
	}
	return arena.With(id, spec.Arg{Key: "name", Value: spec.Value{Text: name, Quoted: true}}, spec.Arg{Key: "version", Value: spec.Value{Text: version, Quoted: true}})
}

func (e *Entrant) stored(version, signature string) arena.Player {
	return arena.Player{
		Spec: e.Spec, Identity: e.Identity, Versions: []string{version}, Signatures: []string{signature},
		Foresees: e.Foresees, TimeLimited: e.TimeLimited,
	}
}

// CheckForesight returns a RefusalError if a player foresees spawns, but the spawn rule does not determine
// them in advance.
func CheckForesight(entrants []Entrant, spawn player.SpawnRule) error {
	for _, e := range entrants {
		if e.Foresees && !spawn.Random {
			return refuse("%s knows the coming spawns, which requires --spawn random, not %s", e.Spec, spawn.Spec)
		}
	}
	return nil
}

// Errors that a RefusalError wraps. Callers find them with errors.Is and report them in their own words.
var (
	ErrNoPlayers    = errors.New("no players: must be at least one")
	ErrOtherProgram = errors.New("may choose other moves") // the games so far were played by another program
)

// RefusalError is an error that the user can correct.
type RefusalError struct {
	Err error // what is wrong
}

func (r *RefusalError) Error() string { return r.Err.Error() }

// refuse returns a RefusalError with a formatted text.
func refuse(format string, args ...any) *RefusalError {
	return &RefusalError{Err: fmt.Errorf(format, args...)}
}

// Unwrap returns Err.
func (r *RefusalError) Unwrap() error { return r.Err }

// Program describes the program that plays the games.
type Program struct {
	Version string
	// Signature computes the program's signature (bench.Signature). It is called only when needed. If it is
	// nil, the signature is "", and all programs of one version count as the same program.
	Signature func(ctx context.Context) (string, error)
}

func (p *Program) signature(ctx context.Context) (string, error) {
	if p.Signature == nil {
		return "", nil
	}
	return p.Signature(ctx)
}

// named returns a version as text, followed by its signature if that is known.
func named(version, signature string) string {
	if signature == "" {
		return version
	}
	return version + " (signature " + signature + ")"
}

// sameProgram returns the signature to record with the next games of a player. played reports whether the
// player has games. The error is a RefusalError if these games come from a program that may play differently,
// unless anyVersion is set.
func (p *Program) sameProgram(ctx context.Context, name string, of *arena.Player, played, anyVersion bool) (string, error) {
	signature, err := p.signature(ctx)
	if err != nil {
		return "", err
	}
	same := signature != "" && slices.Contains(of.Signatures, signature) || of.Played(p.Version, signature)
	if same || !played || anyVersion {
		return signature, nil
	}
	var earlier []string
	for i, version := range of.Versions {
		earlier = append(earlier, named(version, of.Signatures[i]))
	}
	return "", refuse("%s: games of %s are from version %s; this version, %s, %w",
		name, of.Spec, strings.Join(earlier, ", "), named(p.Version, signature), ErrOtherProgram)
}

// ThisProgram describes the running program. signature computes its signature; it is not called again
// once it has succeeded.
func ThisProgram(signature func(context.Context) (string, error)) Program {
	p := Program{Version: version.Version}
	if commit, modified := version.Commit(); commit != "" {
		p.Version += "+" + commit[:min(len(commit), 12)]
		if modified {
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

// check returns an error if a player cannot play boards of a size.
func check(m catalog.Maker, size board.Size) error {
	p := m.New()
	defer player.Close(p)
	_, err := player.Ready(p, size)
	return err
}
