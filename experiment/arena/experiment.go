package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/afterstate2048/afterstate/internal/names"
)

// MaxGames is the most games of a player.
const MaxGames = 1 << 32

// Plan is what players play, as it is stored.
type Plan struct {
	ID      int64     `json:"-"` // in its store
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Setup   Setup     `json:"setup"`
	Games   int       `json:"games"` // wanted of each player
	Players []Player  `json:"players"`
}

// Player is a player of an experiment.
type Player struct {
	ID       int64    `json:"-"`      // in the store
	Number   int      `json:"number"` // in the experiment, from 1
	Spec     string   `json:"spec"`
	Identity string   `json:"identity"`           // see the function Identity
	Versions []string `json:"versions,omitempty"` // of the programs that played, in their order
	// Signatures identify what these programs do (bench.Signature), one for each of Versions; "" if
	// unknown.
	Signatures []string `json:"signatures,omitempty"`
	Foresees   bool     `json:"foresees,omitempty"`
	// TimeLimited players are not deterministic.
	TimeLimited bool `json:"time_limited,omitempty"`
}

// CheckName returns an error that says what is wrong with an experiment's name.
func CheckName(name string) error { return names.Check("experiment", name) }

// Same reports whether both are the same experiment of a store. One that was removed and a later
// one of the same name are not.
func (e *Plan) Same(other *Plan) bool { return e.ID == other.ID }

// Names returns the names of the players for reports: name and version of an external program, or
// the spec. Names that would be equal are followed by the player's number.
func (e *Plan) Names() []string {
	names, numbers := make([]string, len(e.Players)), make([]int, len(e.Players))
	for i, p := range e.Players {
		names[i], numbers[i] = cmp.Or(Name(p.Identity), p.Spec), p.Number
	}
	return DistinctNames(names, numbers)
}

// NameOf returns a player's name of [Plan.Names].
func (e *Plan) NameOf(p *Player) string {
	for i, name := range e.Names() {
		if e.Players[i].Number == p.Number {
			return name
		}
	}
	return p.Spec
}

// Played reports whether a version of the program has played for the player. An empty signature is
// unknown and adds nothing to a version that is recorded already.
func (p *Player) Played(version, signature string) bool {
	for i, v := range p.Versions {
		if v == version && (signature == "" || p.Signatures[i] == signature) {
			return true
		}
	}
	return false
}

// Results combines each player's games into results.
func (e *Plan) Results(games [][]Outcome) *Results {
	r := &Results{Name: e.Name, Setup: e.Setup, Games: e.Games}
	names := e.Names()
	for i, p := range e.Players {
		e.Setup.Complete(games[i])
		spec := p.Spec
		if names[i] == spec {
			spec = ""
		}
		r.Players = append(r.Players, PlayerResults{Name: names[i], Spec: spec, Identity: p.Identity, Foresees: p.Foresees, TimeLimited: p.TimeLimited, Games: games[i]})
		if e.Games == 0 { // there were matches only, which ask for no number of games
			r.Games = max(r.Games, len(games[i]))
		}
	}
	return r
}

// Errors of stores for errors.Is; the errors themselves say more.
var (
	ErrUnknown = errors.New("no such experiment")         // or player, or game
	ErrExists  = errors.New("the experiment is there")    // already
	ErrRemoved = errors.New("the experiment was removed") // after it was looked up
	ErrDamaged = errors.New("the store is damaged")
)

// DamageError says which stored games are missing or changed. It is an ErrDamaged.
type DamageError struct {
	Experiment, Player string
	Game               uint64 // the first one, unless Kept is set
	// Kept and Found differ if games are missing or there are too many.
	Kept, Found int
}

func (d *DamageError) Error() string {
	if d.Kept != d.Found {
		return fmt.Sprintf("games of %[2]s/%[3]s are missing or damaged: %[1]d were stored, and %[4]d were found", d.Kept, d.Experiment, d.Player, d.Found)
	}
	return fmt.Sprintf("game %s/%s/%d is damaged: its checksum does not match", d.Experiment, d.Player, d.Game)
}

// Is makes a DamageError match ErrDamaged.
func (*DamageError) Is(target error) bool { return target == ErrDamaged }

// RemovalCause returns the removal error if a store ended the context of playing by it, and err
// otherwise.
func RemovalCause(there context.Context, err error) error {
	if cause := context.Cause(there); err != nil && errors.Is(cause, ErrRemoved) {
		return cause
	}
	return err
}
