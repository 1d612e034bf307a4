package experiment

import (
	"fmt"
	"strings"

	"afterstate/arena"
	"afterstate/internal/console"
)

// Reason is the kind of a Refusal.
type Reason int

// Why an experiment is not begun or extended.
const (
	NoPlayers    Reason = iota + 1 // a new experiment needs at least one
	NamedTwice                     // the player takes part already
	Foresees                       // the player knows tiles that this spawn rule does not decide in advance
	BadSpec                        // the spec cannot be used any more, or not here
	FileChanged                    // a file that the spec names, or a program's name or version, is another one
	NotFound                       // a name or number does not exist in the store
	NotPairable                    // games of two players cannot be compared one by one
	OtherProgram                   // games were played by a program that may play otherwise
	IsImported                     // imported games were played elsewhere
)

// Refusal is an error that the user can correct.
type Refusal struct {
	Reason     Reason
	Experiment string // "" before it exists
	Spec       string // of the player, or of the spawn rule if IsSpawn is set
	IsSpawn    bool
	Spawn      string         // Foresees: the spawn rule
	Player     string         // FileChanged: number and name of the player
	Changes    []arena.Change // FileChanged: what has changed
	Successor  int            // FileChanged: the number of the player that has replaced it; 0: none
	Played     []string       // OtherProgram: the programs that played
	Program    string         // OtherProgram: this one
	Err        error          // BadSpec, NotFound, NotPairable: what is wrong
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
		return r.changed()
	case IsImported:
		return r.Experiment + " has imported games, which are not played on: begin another experiment"
	}
	return fmt.Sprintf("%s: games of %s were played by version %s, and this is %s, which may play otherwise", r.Experiment, r.Spec, strings.Join(r.Played, ", "), r.Program)
}

// changed names what was played and what there is now.
func (r *Refusal) changed() string {
	what := make([]string, len(r.Changes))
	for i, c := range r.Changes {
		what[i] = c.String()
	}
	if r.IsSpawn {
		return fmt.Sprintf("%s: its spawn rule has changed: %s: bring the old file back, or begin another experiment", r.Experiment, strings.Join(what, ", "))
	}
	otherwise := "play the new one beside it"
	if r.Successor > 0 {
		otherwise = fmt.Sprintf("play on without it, as player %d is the new one", r.Successor)
	}
	return fmt.Sprintf("%s: player %s, has changed since it played: %s:\nbring the old one back, or %s: arena run %s %s",
		r.Experiment, r.Player, strings.Join(what, ", "), otherwise, r.Experiment, console.Quote(r.Spec))
}

// refuse is a Refusal in words.
func refuse(reason Reason, format string, args ...any) error {
	return &Refusal{Reason: reason, Err: fmt.Errorf(format, args...)}
}

// Unwrap returns the error about a spec or name.
func (r *Refusal) Unwrap() error { return r.Err }
