package experiment

import "fmt"

// Reason is the kind of a RefusalError.
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
	OtherProgram                   // games were played by a program that may choose other moves
	IsImported                     // imported games were played elsewhere
)

// RefusalError is an error that the user can correct.
type RefusalError struct {
	Reason     Reason
	Experiment string // "" before it exists
	Spec       string // of the player, or of the spawn rule if IsSpawn is set
	IsSpawn    bool
	Err        error // what is wrong
}

func (r *RefusalError) Error() string {
	if r.Experiment == "" {
		return r.Err.Error()
	}
	return fmt.Sprintf("%s: %v", r.Experiment, r.Err)
}

// refuse is a RefusalError in words.
func refuse(reason Reason, format string, args ...any) *RefusalError {
	return &RefusalError{Reason: reason, Err: fmt.Errorf(format, args...)}
}

// of is the RefusalError for a player or spawn rule of an experiment.
func (r *RefusalError) of(experiment, spec string, isSpawn bool) *RefusalError {
	r.Experiment, r.Spec, r.IsSpawn = experiment, spec, isSpawn
	return r
}

// Unwrap returns the error about a spec or name.
func (r *RefusalError) Unwrap() error { return r.Err }
