package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Statistics summarizes an experiment, as printed by arena run --json.
type Statistics struct {
	Name     string             `json:"experiment,omitempty"`
	Spawn    string             `json:"spawn,omitempty"` // a spawn rule's spec; empty: random
	Size     board.Size         `json:"size"`
	Seed     uint64             `json:"seed"`
	Games    int                `json:"games"`                   // requested, of each player
	Until    int64              `json:"until,omitempty"`         // the tile that ends a game; 0: none
	Goal     string             `json:"goal,omitempty"`          // a tile or sum=N, at which games end; empty: none
	Starts   int                `json:"start_boards,omitempty"`  // number of start boards; 0: games begin with two spawns
	Finished *int               `json:"finished,omitempty"`      // games of all players together; absent when all are finished
	Optimal  float64            `json:"optimal_score,omitempty"` // expected score of optimal play, of arena --regret
	Players  []PlayerStatistics `json:"players"`
}

// PlayerStatistics summarizes the games of one player. Numbers have eight significant digits.
type PlayerStatistics struct {
	Player         string         `json:"player"`         // the name of an external program, or a spec
	Spec           string         `json:"spec,omitempty"` // if player is a name
	Games          int            `json:"games"`          // finished
	MeanScore      stats.Figure   `json:"mean_score"`     // null without games, like the other figures
	MeanCI         stats.Interval `json:"mean_score_ci95"`
	MedianScore    stats.Figure   `json:"median_score"`
	BestScore      *int64         `json:"best_score"`
	Reached        ByTile[Share]  `json:"reached"` // games that reached a tile; the same tiles for every player
	Moves          int64          `json:"moves"`   // of all games
	MovesPerSecond stats.Figure   `json:"moves_per_s"`
	MSPerMove      stats.Figure   `json:"ms_per_move"`
	Foresees       bool           `json:"foresees,omitempty"`     // the player sees future spawns
	TimeLimited    bool           `json:"time_limited,omitempty"` // the player is not deterministic
	Forfeits       *Forfeits      `json:"forfeits,omitempty"`
	Alive          ByTile[Share]  `json:"alive_at_sum,omitempty"` // games whose tiles reached a sum; keys are sums
	Goal           *Share         `json:"goal_reached,omitempty"` // games that reached the report's goal
	Regret         *Regret        `json:"regret,omitempty"`       // of arena --regret
	// Damaged is the number of damaged games of the store, which the figures exclude.
	Damaged int `json:"damaged_left_out,omitempty"`

	Identity string        `json:"-"` // of the player, see arena.Identity; "" if unknown
	Highest  ByTile[Share] `json:"-"` // games that ended with the tile as their highest
}

// Regret is what a player's moves give away against optimal play, in points; null without games.
type Regret struct {
	PerMove   stats.Figure   `json:"per_move"`
	PerGame   stats.Figure   `json:"per_game"`
	CI        stats.Interval `json:"per_game_ci95"`
	Share     stats.Figure   `json:"share_of_optimum"` // per_game divided by the optimal expected score
	BestMoves stats.Figure   `json:"best_moves"`       // share of moves that give nothing away
}

// Forfeits are the games that a player lost by its own fault. They count with their score at that
// point.
type Forfeits struct {
	Games   int            `json:"games"`
	Reasons []ForfeitCount `json:"reasons"` // most frequent first
}

// ForfeitCount is the number of games lost by one kind of fault.
type ForfeitCount struct {
	Reason string `json:"reason"`
	Games  int    `json:"games"`
	First  uint64 `json:"first_game"`       // index of the first of them
	Detail string `json:"detail,omitempty"` // of the first of them
}

// ByTile holds a value for each of some tiles. In JSON it is an object with the tiles as keys, in
// the order of the slice; a map would sort 1024 before 16.
type ByTile[V any] []TileValue[V]

// TileValue is an entry of [ByTile].
type TileValue[V any] struct {
	Tile  int64
	Value V
}

// MarshalJSON writes an object, an empty one for nil.
func (b ByTile[V]) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, e := range b {
		text, err := json.Marshal(e.Value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `"%d":%s`, e.Tile, text)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads an object and keeps its order.
func (b *ByTile[V]) UnmarshalJSON(text []byte) error {
	if string(text) == "null" { // no-op by convention
		return nil
	}
	in := json.NewDecoder(bytes.NewReader(text))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("%s: want an object with tiles as keys", kind(text))
	}
	all := ByTile[V]{}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		var e TileValue[V]
		if e.Tile, err = strconv.ParseInt(key.(string), 10, 64); err != nil {
			return fmt.Errorf("%q: want a tile such as 2048", key)
		}
		if err := in.Decode(&e.Value); err != nil {
			return err
		}
		all = append(all, e)
	}
	*b = all
	return nil
}
