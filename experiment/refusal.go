package experiment

import (
	"fmt"
	"strings"
)

// Reason is the kind of a Refusal.
type Reason int

// Why an experiment is not begun or extended.
const (
	NoPlayers    Reason = iota + 1 // a new experiment needs at least one
	NamedTwice                     // the player takes part already
	Foresees                       // the player knows tiles that this spawn rule does not decide in advance
	BadSpec                        // the spec cannot be used any more, or not here
	FileChanged                    // a file that the spec names has other contents
	NotFound                       // a name or number does not exist in the store
	NotPairable                    // games of two players cannot be compared one by one
	OtherProgram                   // games were played by a program that may play otherwise
)

// Refusal is an error that the user can correct.
type Refusal struct {
	Reason     Reason
	Experiment string // "" if there is none yet
	Spec       string // of the player, or of the spawn rule if IsSpawn is set
	IsSpawn    bool
	Spawn      string   // Foresees: the spawn rule
	Played     []string // OtherProgram: the programs that played
	Program    string   // OtherProgram: this one
	Err        error    // BadSpec, NotFound, NotPairable: what is wrong
}

func (r *Refusal) Error() string {
	switch r.Reason {
	case NoPlayers:
		return "no players: want at least one"
	case NamedTwice:
		return r.Spec + " is named twice: want different players"
	case Foresees:
		return fmt.Sprintf("%s knows the coming spawns, which requires random spawns, not %s", r.Spec, r.Spawn)
	case BadSpec, NotFound, NotPairable:
		if r.Experiment == "" {
			return r.Err.Error()
		}
		return fmt.Sprintf("%s: %v", r.Experiment, r.Err)
	case FileChanged:
		what := "player " + r.Spec
		if r.IsSpawn {
			what = "its spawn rule"
		}
		return fmt.Sprintf("%s: a file that %s names has other contents now: bring the old ones back, or begin another experiment", r.Experiment, what)
	}
	return fmt.Sprintf("%s: games of %s were played by version %s, and this is %s, which may play otherwise", r.Experiment, r.Spec, strings.Join(r.Played, ", "), r.Program)
}

// refuse is a Refusal in words.
func refuse(reason Reason, format string, args ...any) error {
	return &Refusal{Reason: reason, Err: fmt.Errorf(format, args...)}
}

// Unwrap returns the error about a spec or name.
func (r *Refusal) Unwrap() error { return r.Err }
