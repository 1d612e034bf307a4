package arena

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Outcome is the outcome of one game.
type Outcome struct {
	Seed, Index uint64
	Score       int64
	Largest     uint8 // exponent of the highest tile
	Moves       int
	Sum         int64 // of the tiles at the end; 0: not known
	Goal        bool  // the experiment's goal was reached
	// Cluster identifies games whose outcomes may be correlated, because they began from
	// boards of one parent game; "": this game is independent.
	Cluster string
	Elapsed time.Duration
	Regret  Regret // zero if the experiment has no table
	// Forfeit is the reason why the player lost the game before its end; its Reason is empty if it
	// did not.
	Forfeit player.Forfeit
}

// AddTimes is the time of games together, at most what a Duration holds: workers on other machines report
// the times of their games.
func AddTimes(a, b time.Duration) time.Duration {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// Results are the games of an experiment.
type Results struct {
	Name    string  // the experiment's, "" if it has none
	Setup           // its Spawn may be "": random
	Games   int     // asked of each player
	Optimal float64 // expected score of optimal play from the starts; 0: moves were not judged
	Players []PlayerResults
}

// PlayerResults is a player with its finished games, by index.
type PlayerResults struct {
	Name                  string
	Spec                  string // "" if Name is the spec
	Identity              string // see the function Identity; "" if unknown
	Foresees, TimeLimited bool
	Games                 []Outcome
	Damaged               int // games that are damaged in the store, and not among Games
}

// Finished is the number of finished games, and of games asked for, of all players together.
func (r *Results) Finished() (finished, of int) {
	for _, p := range r.Players {
		finished += len(p.Games)
	}
	if r.Spawn == Imported {
		return finished, finished
	}
	return finished, r.Games * len(r.Players)
}

// WriteCSV writes a row for each game, ordered by player, then game. Games from start boards also
// have the number of their board, from 1, and its parent; games to a goal whether they reached it.
// The last columns are the reason of a forfeit, the size and the spawn rule.
func (r *Results) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	// The writer keeps its first error for the end.
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
				p.Name,
				strconv.FormatUint(g.Seed, 10),
				strconv.FormatUint(g.Index, 10),
				strconv.FormatInt(g.Score, 10),
				strconv.FormatInt(board.Tile(g.Largest), 10),
				strconv.Itoa(g.Moves),
				strconv.FormatFloat(milliseconds(g.Elapsed), 'f', 3, 64),
			}
			if r.Starts != nil {
				row = append(row, strconv.FormatUint(g.Index%uint64(r.Starts.Len())+1, 10), r.Starts.of(g.Index).Parent)
			}
			if r.Goal {
				row = append(row, strconv.FormatBool(g.Goal))
			}
			_ = out.Write(append(row, g.Forfeit.Error(), r.Size.String(), cmp.Or(r.Spawn, "random")))
		}
	}
	out.Flush()
	return out.Error()
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// maxForfeited is the share of forfeited games above which a player's figures mean little.
const maxForfeited = 0.1

// CheckForfeits returns an error that names the player with the largest share of forfeited games, if
// that is above 10 %.
func (r *Results) CheckForfeits() error {
	var err error
	most := maxForfeited
	for _, p := range r.Players {
		if lost := p.forfeits(); lost != nil && float64(lost.Games)/float64(len(p.Games)) > most {
			most = float64(lost.Games) / float64(len(p.Games))
			err = fmt.Errorf("%s forfeited %d of %d games, so that its figures mean little: %s", p.Name, lost.Games, len(p.Games), lost.Reasons[0].Reason)
		}
	}
	return err
}
