package arena

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/internal/xdg"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search/solve"
)

// MaxGames is the maximum number of games of one player in an experiment.
const MaxGames = 1 << 32

// Plan is the stored definition of an experiment: its setup, its players and the number of games that each of
// them is to play.
type Plan struct {
	ID      int64     `json:"-"` // ID in the store
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Setup   Setup     `json:"setup"`
	Games   int       `json:"games"` // number of games requested from each player
	Players []Player  `json:"players"`
}

// Player is a player of an experiment.
type Player struct {
	ID       int64    `json:"-"`      // ID in the store
	Number   int      `json:"number"` // number in the experiment, from 1
	Spec     string   `json:"spec"`
	Identity string   `json:"identity"`           // see the function Identity
	Versions []string `json:"versions,omitempty"` // versions of the programs that played, in order of first use
	// Signatures[i] is the signature (bench.Signature) of the program with the version Versions[i]; "" if
	// unknown.
	Signatures []string `json:"signatures,omitempty"`
	Foresees   bool     `json:"foresees,omitempty"`
	// TimeLimited is set for players whose moves depend on the time they have; they are not deterministic.
	TimeLimited bool `json:"time_limited,omitempty"`
}

// CheckName returns an error if name is not a valid name of an experiment.
func CheckName(name string) error { return xdg.CheckName("experiment", name) }

// Same reports whether e and other are the same experiment in a store. A removed experiment and a later one
// with the same name are different.
func (e *Plan) Same(other *Plan) bool { return e.ID == other.ID }

// Names returns the names of the players for reports: the name and version of an external program,
// or the spec. Equal names are followed by the player's number.
func (e *Plan) Names() []string {
	names, numbers := make([]string, len(e.Players)), make([]int, len(e.Players))
	for i, p := range e.Players {
		names[i], numbers[i] = cmp.Or(Name(p.Identity), p.Spec), p.Number
	}
	return DistinctNames(names, numbers)
}

// NameOf returns a player's name as in [Plan.Names].
func (e *Plan) NameOf(p *Player) string {
	for i, name := range e.Names() {
		if e.Players[i].Number == p.Number {
			return name
		}
	}
	return p.Spec
}

// Played reports whether the program with this version and signature has played for the player.
func (p *Player) Played(version, signature string) bool {
	for i, v := range p.Versions {
		if v == version && p.Signatures[i] == signature {
			return true
		}
	}
	return false
}

// Results combines the games of each player, in the order of e.Players, into results.
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
		if e.Games == 0 { // the games were played until a verdict: no number was requested
			r.Games = max(r.Games, len(games[i]))
		}
	}
	return r
}

// Errors of stores, to be tested with errors.Is. The texts of the returned errors give details.
var (
	ErrUnknown = errors.New("no such experiment")            // also returned for an unknown player or game
	ErrExists  = errors.New("the experiment already exists") // the store has an experiment with this name
	ErrRemoved = errors.New("the experiment was removed")    // after the caller had looked it up
)

// RemovalCause returns the cause of storeContext, which wraps ErrRemoved, if the store ended
// storeContext because the experiment was removed and err is not nil. Otherwise it returns err.
func RemovalCause(storeContext context.Context, err error) error {
	if cause := context.Cause(storeContext); err != nil && errors.Is(cause, ErrRemoved) {
		return cause
	}
	return err
}

// Outcome is the outcome of one game.
type Outcome struct {
	Seed, Index uint64
	Score       int64
	Largest     uint8 // exponent of the highest tile
	Moves       int
	Sum         int64 // sum of the tiles at the end; 0 if unknown
	Goal        bool  // the experiment's goal was reached
	// Cluster identifies games whose outcomes may be correlated, because they began from boards of one parent
	// game; "" means that this game is independent.
	Cluster string
	Elapsed time.Duration
	Regret  Regret // loss of the moves compared with optimal moves; zero if not judged by exact values
	// Forfeit says why the player forfeited the game; its Reason is "" if the player did not.
	Forfeit player.ForfeitError
}

// AddTimes adds two durations of games. It saturates instead of overflowing, since the durations come from
// workers on other machines.
func AddTimes(a, b time.Duration) time.Duration {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// Results holds the games of an experiment.
type Results struct {
	Name    string        // name of the experiment; "" if it has none
	Setup                 // Spawn may be "", which means random
	Games   int           // number of games requested from each player
	Optimal float64       // expected score (in an ending: chance of the goal) of optimal play; 0 if not judged
	Ending  solve.Problem // the ending whose exact values judged the moves; zero if none
	Players []PlayerResults
	Luck    any // the value of protocol.Statistics.Luck; experiment.SumLuck sets it
}

// PlayerResults holds a player and its finished games, sorted by index.
type PlayerResults struct {
	Name                  string
	Spec                  string // "" if Name is the spec
	Identity              string // see the function Identity; "" if unknown
	Foresees, TimeLimited bool
	Games                 []Outcome
	Luck                  map[uint64]float64 // luck by game number, where it is known
}

// Finished returns the number of finished games and the number of requested games, of all players together.
func (r *Results) Finished() (finished, of int) {
	for _, p := range r.Players {
		finished += len(p.Games)
	}
	return finished, r.Games * len(r.Players)
}

// WriteCSV writes a row for each game, ordered by player, then game. With start boards, a row also contains
// the number of the game's board, from 1, and the board's parent; with a goal, whether the game reached it.
// The last columns are the reason of a forfeit, the size and the spawn rule.
func (r *Results) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	// The results of out.Write are ignored: at the end, out.Error returns the first error.
	head := []string{"player", "seed", "game", "score", "max_tile", "moves", "elapsed_ms"}
	if r.Starts != nil {
		head = append(head, "start", "parent")
	}
	if r.Goal {
		head = append(head, "reached")
	}
	_ = out.Write(append(head, "forfeit", "size", "spawn"))
	for _, p := range r.Players {
		for _, g := range p.Games {
			row := []string{
				table.Inert(p.Name),
				strconv.FormatUint(g.Seed, 10),
				strconv.FormatUint(g.Index, 10),
				strconv.FormatInt(g.Score, 10),
				strconv.FormatInt(board.Tile(g.Largest), 10),
				strconv.Itoa(g.Moves),
				strconv.FormatFloat(milliseconds(g.Elapsed), 'f', 3, 64),
			}
			if r.Starts != nil {
				row = append(row, strconv.FormatUint(g.Index%uint64(r.Starts.Len())+1, 10), table.Inert(r.Starts.Of(g.Index).Parent))
			}
			if r.Goal {
				row = append(row, strconv.FormatBool(g.Goal))
			}
			_ = out.Write(append(row, table.Inert(g.Forfeit.Error()), r.Size.String(), cmp.Or(r.Spawn, "random")))
		}
	}
	out.Flush()
	return out.Error()
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// maxForfeited is the share of forfeited games above which a player's results mean little.
const maxForfeited = 0.1

// CheckForfeits returns an error if a player forfeited more than 10 % of its games. It names the player with
// the largest share.
func (r *Results) CheckForfeits() (err error) {
	maximum := maxForfeited
	for _, p := range r.Players {
		if lost := p.forfeits(); lost != nil && float64(lost.Games)/float64(len(p.Games)) > maximum {
			maximum = float64(lost.Games) / float64(len(p.Games))
			err = fmt.Errorf("%s forfeited %d of %d games, so its figures mean little: %s", p.Name, lost.Games, len(p.Games), lost.Reasons[0].Reason)
		}
	}
	return err
}
