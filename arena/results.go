package arena

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"afterstate/board"
	"afterstate/player"
)

// Game is the outcome of one game.
type Game struct {
	Player      int // place among the experiment's players
	Seed, Index uint64
	Score       int64
	Largest     uint8 // exponent of the highest tile
	Moves       int
	Elapsed     time.Duration
	// Forfeit is the reason why the player lost the game before its end; its Reason is empty if it
	// did not.
	Forfeit player.Forfeit
}

// Results are the games of an experiment.
type Results struct {
	Name    string // the experiment's, "" if it has none
	Spawn   string // the spawn rule's spec; "": random
	Size    board.Size
	Seed    uint64
	Games   int   // asked of each player
	Until   int64 // 0: games were played to the end
	Players []PlayerResults
}

// PlayerResults is a player with its finished games, by index.
type PlayerResults struct {
	Name                  string
	Foresees, TimeLimited bool
	Games                 []Game
	Damaged               int // games that are damaged in the store, and not among Games
}

// Finished is the number of finished games, and of games asked for, of all players together.
func (r *Results) Finished() (finished, of int) {
	for _, p := range r.Players {
		finished += len(p.Games)
	}
	return finished, r.Games * len(r.Players)
}

// WriteCSV writes a row for each game, ordered by player, then game.
func (r *Results) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	// The writer keeps its first error for the end.
	_ = out.Write([]string{"player", "seed", "game", "score", "max_tile", "moves", "elapsed_ms"})
	for _, p := range r.Players {
		for _, g := range p.Games {
			_ = out.Write([]string{
				p.Name,
				strconv.FormatUint(g.Seed, 10),
				strconv.FormatUint(g.Index, 10),
				strconv.FormatInt(g.Score, 10),
				strconv.FormatInt(board.Tile(g.Largest), 10),
				strconv.Itoa(g.Moves),
				strconv.FormatFloat(milliseconds(g.Elapsed), 'f', 3, 64),
			})
		}
	}
	out.Flush()
	return out.Error()
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
