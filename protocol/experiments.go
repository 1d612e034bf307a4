package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// ExperimentInfo is an experiment in the result of experiments.list.
type ExperimentInfo struct {
	Name     string     `json:"name"`
	Size     board.Size `json:"size"`
	Players  []string   `json:"players"`
	Games    int        `json:"games"`           // of each player; 0: it ends at a verdict
	Finished int        `json:"finished"`        // of all players together
	Running  bool       `json:"running"`         // this server plays it, or this tab on the static site
	Error    string     `json:"error,omitempty"` // why it ended early
}

// ExperimentList is the result of experiments.list, the newest experiment first.
type ExperimentList struct {
	Experiments []ExperimentInfo `json:"experiments"`
	CanStart    bool             `json:"can_start"` // experiments.start is possible here
	// Remote are experiments of other machines with the same NATS server, by name. Only those machines
	// have the games.
	Remote []RemoteExperiment `json:"remote,omitempty"`
}

// RemoteExperiment is an experiment whose games another machine collects and stores.
type RemoteExperiment struct {
	Name      string     `json:"name"`
	Scheduler string     `json:"scheduler"` // host and process that collects the games
	Size      board.Size `json:"size,omitzero" ts:"?"`
	Players   []string   `json:"players,omitempty"`
	Games     int        `json:"games,omitempty"` // of each player; absent if not known beforehand, as for tuning
	Finished  int        `json:"finished"`        // of all players together
}

// ExperimentRef is the params of experiments.show, experiments.stop, experiments.remove and
// experiments.report, and the result of experiments.start.
type ExperimentRef struct {
	Name string `json:"name" param:"required"`
}

// StartExperiment is the params of experiments.start: with players it starts a new experiment, with
// a name only it resumes one.
type StartExperiment struct {
	Name    string     `json:"name,omitempty" param:""`                      // empty: the server chooses one
	Players []string   `json:"players,omitempty" param:"" items:"1:8"`       // specs
	Games   int        `json:"games" param:"" range:"0:10000" default:"100"` // of each player; 0: until a verdict; unused when resuming
	Size    board.Size `json:"size" param:""`                                // zero: 4x4
	Seed    uint64     `json:"seed" param:""`
	Until   int64      `json:"until,omitempty" param:"" range:"0|tile:2:2^48"` // the tile that ends a game; 0: none
}

// ExperimentResults is the result of experiments.show.
type ExperimentResults struct {
	ExperimentInfo
	Report      *Statistics         `json:"report" ts:"Statistics"`
	Highest     []HighestTiles      `json:"highest"`
	Scores      Distribution        `json:"scores"`
	Comparisons []ComparisonToFirst `json:"comparisons"` // each player compared with the first one
}

// HighestTiles counts the games of a player by their largest tile.
type HighestTiles struct {
	Player string      `json:"player"`
	Tiles  []TileCount `json:"tiles"` // ascending, the same for all players
}

// TileCount is the number of games with this largest tile.
type TileCount struct {
	Tile  int64 `json:"tile"`
	Games int   `json:"games"`
}

// Distribution is a histogram of scores, with one more edge than counts.
type Distribution struct {
	Edges  []float64 `json:"edges"`
	Counts [][]int   `json:"counts"` // by player
}

// ComparisonToFirst is the paired difference of a player's scores minus the first player's.
type ComparisonToFirst struct {
	Player     string         `json:"player"`
	Games      int            `json:"games"`
	Difference *float64       `json:"difference"` // mean of the differences; null without games
	CI         stats.Interval `json:"difference_ci95"`
	Clear      bool           `json:"clear"` // at 95 % for all comparisons together, by Holm's correction
	Higher     int            `json:"higher"`
	Lower      int            `json:"lower"`
}

// FindGames is the params of experiments.games.
type FindGames struct {
	ExperimentRef
	Player int  `json:"player" param:"required" range:"1:2^31-1"` // number of the player, from 1
	Worst  bool `json:"worst,omitempty" param:""`                 // the lowest scores instead of the highest
}

// ExperimentGames is the result of experiments.games: up to 20 games, the first one has the highest or
// lowest score.
type ExperimentGames struct {
	Player string       `json:"player"`
	Total  int          `json:"total"` // finished games of the player
	Games  []StoredGame `json:"games"`
}

// StoredGame is a game of an experiment.
type StoredGame struct {
	Game    uint64 `json:"game"` // number of the game
	Score   int64  `json:"score"`
	MaxTile int64  `json:"max_tile"`
	Moves   int    `json:"moves"`
	Forfeit string `json:"forfeit,omitempty"` // the fault by which the player lost the game, if any
}

// FindGame is the params of experiments.record, whose result is a [GameRecord].
type FindGame struct {
	ExperimentRef
	Player int `json:"player" param:"required" range:"1:2^31-1"` // number of the player, from 1
	Game   int `json:"game" param:"required" range:"0:2^31-1"`
}

// FindRecords is the params of experiments.records.
type FindRecords struct {
	ExperimentRef
	Player int `json:"player" param:"required" range:"1:2^31-1"` // number of the player, from 1
	From   int `json:"from,omitempty" param:"" range:"0:2^31-1"` // how many of its games to skip
}

// ExperimentRecords is the result of experiments.records: the next games of a player by their number.
type ExperimentRecords struct {
	Records string `json:"records"`        // one line per game
	Next    int    `json:"next,omitempty"` // From of the next request; 0: there are no more games
}

// ExperimentReport is the result of experiments.report.
type ExperimentReport struct {
	HTML string `json:"html"` // a complete page, as arena report writes it
}

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
	Ending   *RegretEnding      `json:"ending,omitempty"`        // instead of Optimal, if a solved ending judges moves
	Players  []PlayerStatistics `json:"players"`
	// Luck is a *LuckTable if the store has the luck of games, else nil. Its type is any, so that the engine in the
	// browser does not contain the type.
	Luck any `json:"luck,omitempty" ts:"LuckTable"`
}

// Estimate is a figure with its 95 % interval; both are null if not known.
type Estimate struct {
	Value stats.Figure   `json:"value"`
	CI    stats.Interval `json:"ci95"`
}

// LuckTable has means adjusted for the luck of new tiles, as arena show --luck prints them.
type LuckTable struct {
	Experiment string     `json:"experiment"`
	Goal       string     `json:"goal,omitempty"`   // figures are shares of games that reached it; empty: scores
	Values     string     `json:"values,omitempty"` // spec of the player whose values measure luck, if known
	ValuesHash string     `json:"values_hash"`      // of these values; figures with another hash are not comparable
	Players    []LuckLine `json:"players"`
}

// LuckLine has the figures of a player's games.
type LuckLine struct {
	Player string   `json:"player"` // name of the player, unique in the table
	Spec   string   `json:"spec"`
	Games  int      `json:"games"`
	Mean   Estimate `json:"mean"`
	// Adjusted is null for a player that knows the coming tiles, and if the luck of a game is not known.
	Adjusted Estimate `json:"adjusted"`
	// Factor is how many times fewer games the adjusted mean needs: the squared ratio of the plain to the adjusted
	// interval.
	Factor     stats.Figure    `json:"factor"`
	Difference *LuckDifference `json:"difference,omitempty"`
}

// LuckDifference compares a player with the first player, on the games that both have finished.
type LuckDifference struct {
	Games    int          `json:"games"`
	Mean     Estimate     `json:"mean"`
	Adjusted Estimate     `json:"adjusted"`
	Factor   stats.Figure `json:"factor"`
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
	Goal           *Share         `json:"goal_reached,omitempty"` // games that reached the report's goal
	Regret         *Regret        `json:"regret,omitempty"`       // of arena --regret

	Identity string        `json:"-"` // of the player, see arena.Identity; "" if unknown
	Highest  ByTile[Share] `json:"-"` // games that ended with the tile as their highest
}

// RegretEnding is the solved ending that judged the moves.
type RegretEnding struct {
	Goal      int64    `json:"goal"`
	Walls     []string `json:"walls"`          // layouts, such as "####/##../..../...."
	FreeWalls bool     `json:"free_walls"`     // walls may move from one layout, or an image of one, to another
	Optimal   float64  `json:"optimal_chance"` // chance of optimal play from the start boards to make the goal
}

// Regret is what a player's moves give away compared with optimal play: points, or in an ending the chance to make its
// goal. Figures are null without games.
type Regret struct {
	Unit      Unit           `json:"unit"` // points or chance
	PerMove   stats.Figure   `json:"per_move"`
	PerGame   stats.Figure   `json:"per_game"`
	CI        stats.Interval `json:"per_game_ci95"`
	Share     stats.Figure   `json:"share_of_optimum"` // per_game divided by the optimal expected score or chance
	BestMoves stats.Figure   `json:"best_moves"`       // share of judged moves that give nothing away
	// Judged is the number of judged moves. In an ending, judging stops when the goal is made or the walls leave it.
	Judged int64 `json:"judged_moves"`
	// Left is the number of games in which a move that the ending does not allow moved the walls out of it. Moves after
	// it are not judged.
	Left int `json:"left_ending,omitempty"`
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
	First  uint64 `json:"first_game"`       // index of the first of these games
	Detail string `json:"detail,omitempty"` // of the fault in the first of these games
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
		return fmt.Errorf("%s: must be an object with tiles as keys", kind(text))
	}
	all := ByTile[V]{}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		var e TileValue[V]
		if e.Tile, err = strconv.ParseInt(key.(string), 10, 64); err != nil {
			return fmt.Errorf("%q: must be a tile such as 2048", key)
		}
		if err := in.Decode(&e.Value); err != nil {
			return err
		}
		all = append(all, e)
	}
	*b = all
	return nil
}
