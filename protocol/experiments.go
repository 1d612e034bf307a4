package protocol

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// ExperimentInfo is an experiment in the result of experiments.list.
type ExperimentInfo struct {
	Name     string     `json:"name"`
	Size     board.Size `json:"size"`
	Players  []string   `json:"players"`
	Games    int        `json:"games"`           // number of games of each player; 0: the experiment ends at a verdict
	Finished int        `json:"finished"`        // number of finished games of all players together
	Running  bool       `json:"running"`         // this server (or this browser tab) is playing it
	Error    string     `json:"error,omitempty"` // why the experiment ended early
}

// ExperimentList is the result of the method experiments.list. The newest experiment is the first.
type ExperimentList struct {
	Experiments []ExperimentInfo `json:"experiments"`
	CanStart    bool             `json:"can_start"` // the server accepts the method experiments.start
	// Remote lists experiments of other machines that use the same NATS server, sorted by name. Their games are
	// stored only on those machines.
	Remote []SharedExperiment `json:"remote,omitempty"`
}

// SharedExperiment is an experiment whose games another machine collects and stores.
type SharedExperiment struct {
	Name      string     `json:"name"`
	Scheduler string     `json:"scheduler"` // host and process that collects the games
	Size      board.Size `json:"size,omitzero" ts:"?"`
	Players   []string   `json:"players,omitempty"`
	// Games is the number of games of each player. It is absent if not known beforehand, as for a training sweep.
	Games    int `json:"games,omitempty"`
	Finished int `json:"finished"` // number of finished games of all players together
}

// ExperimentRef holds the parameters of the methods experiments.show, experiments.stop,
// experiments.remove and experiments.report, and is the result of the method experiments.start.
type ExperimentRef struct {
	Name string `json:"name" param:"required"`
}

// StartExperiment holds the parameters of the method experiments.start. If Players is given, the
// method starts a new experiment; if only Name is given, it resumes an experiment.
type StartExperiment struct {
	Name    string   `json:"name,omitempty" param:""`                // empty: the server chooses one
	Players []string `json:"players,omitempty" param:"" items:"1:8"` // specs of the players
	// Games is the number of games of each player. 0 means until a verdict. It is not used when an
	// experiment is resumed.
	Games int        `json:"games" param:"" range:"0:10000" default:"100"`
	Size  board.Size `json:"size" param:""` // zero: 4x4
	Seed  uint64     `json:"seed" param:""`
	Until int64      `json:"until,omitempty" param:"" range:"0|tile:2:2^48"` // the tile that ends a game; 0: none
}

// ExperimentResults is the result of the method experiments.show.
type ExperimentResults struct {
	ExperimentInfo
	Report      *Statistics         `json:"report" ts:"Statistics"`
	Highest     []HighestTiles      `json:"highest"`
	Scores      Distribution        `json:"scores"`
	Comparisons []ComparisonToFirst `json:"comparisons"` // comparison of each other player with the first
}

// HighestTiles counts the games of a player by their largest tile.
type HighestTiles struct {
	Player string      `json:"player"`
	Tiles  []TileCount `json:"tiles"` // in ascending order; all players have the same tiles
}

// TileCount is the number of games whose largest tile is Tile.
type TileCount struct {
	Tile  int64 `json:"tile"`
	Games int   `json:"games"`
}

// Distribution is a histogram of scores, with one more edge than counts.
type Distribution struct {
	Edges  []float64 `json:"edges"`
	Counts [][]int   `json:"counts"` // counts by player
}

// ComparisonToFirst compares a player with the first player by the paired difference of their
// scores, the player's minus the first player's.
type ComparisonToFirst struct {
	Player     string         `json:"player"`
	Games      int            `json:"games"`
	Difference *float64       `json:"difference"` // mean of the differences; null without games
	CI         stats.Interval `json:"difference_ci95"`
	Clear      bool           `json:"clear"` // significant at 95 % for all comparisons together (Holm's correction)
	Higher     int            `json:"higher"`
	Lower      int            `json:"lower"`
}

// FindGames holds the parameters of the method experiments.games.
type FindGames struct {
	ExperimentRef
	Player int  `json:"player" param:"required" range:"1:2^31-1"` // number of the player, counted from 1
	Worst  bool `json:"worst,omitempty" param:""`                 // the games with the lowest scores, not the highest
}

// ExperimentGames is the result of the method experiments.games: up to 20 games, sorted by score.
type ExperimentGames struct {
	Player string       `json:"player"`
	Total  int          `json:"total"` // number of finished games of the player
	Games  []StoredGame `json:"games"`
}

// StoredGame is a game of an experiment.
type StoredGame struct {
	Game    uint64 `json:"game"` // number of the game
	Score   int64  `json:"score"`
	MaxTile int64  `json:"max_tile"`
	Moves   int    `json:"moves"`
	Forfeit string `json:"forfeit,omitempty"` // why the player forfeited the game, if it did
}

// FindGame holds the parameters of the method experiments.record, whose result is a [GameRecord].
type FindGame struct {
	ExperimentRef
	Player int `json:"player" param:"required" range:"1:2^31-1"` // number of the player, counted from 1
	Game   int `json:"game" param:"required" range:"0:2^31-1"`
}

// FindRecords holds the parameters of the method experiments.records.
type FindRecords struct {
	ExperimentRef
	Player int `json:"player" param:"required" range:"1:2^31-1"` // number of the player, counted from 1
	From   int `json:"from,omitempty" param:"" range:"0:2^31-1"` // number of the player's games to skip
}

// ExperimentRecords is the result of the method experiments.records: the next games of a player,
// sorted by their number.
type ExperimentRecords struct {
	Records string `json:"records"`        // records of the games, one per line
	Next    int    `json:"next,omitempty"` // value of From for the next request; 0: there are no more games
}

// ExperimentReport is the result of the method experiments.report.
type ExperimentReport struct {
	HTML string `json:"html"` // a complete page, as the command "arena report" writes it
}

// Statistics summarizes an experiment. The command "arena run --json" prints it.
type Statistics struct {
	Name   string     `json:"experiment,omitempty"`
	Spawn  string     `json:"spawn,omitempty"` // spec of the spawn rule; empty: random
	Size   board.Size `json:"size"`
	Seed   uint64     `json:"seed"`
	Games  int        `json:"games"`                  // requested number of games of each player
	Until  int64      `json:"until,omitempty"`        // the tile that ends a game, if it is not the goal; 0: none
	Goal   string     `json:"goal,omitempty"`         // the goal, which ends a game: a tile or sum=N; empty: none
	Starts int        `json:"start_boards,omitempty"` // number of start boards; 0: games begin with two spawns
	// Finished is the number of finished games of all players together. It is absent if all are finished.
	Finished *int `json:"finished,omitempty"`
	// Optimal is the expected score of optimal play. Only the option --regret sets it.
	Optimal float64 `json:"optimal_score,omitempty"`
	// Ending is set in place of Optimal if a solved ending judges the moves.
	Ending  *RegretEnding      `json:"ending,omitempty"`
	Players []PlayerStatistics `json:"players"`
	// Luck is a *LuckTable if the store contains the luck of the games, else nil. Its type is any, so that the
	// engine in the browser does not contain the type LuckTable.
	Luck any `json:"luck,omitempty" ts:"LuckTable"`
}

// Estimate is a figure with its 95 % interval. Both are null if they are not known.
type Estimate struct {
	Value stats.Figure   `json:"value"`
	CI    stats.Interval `json:"ci95"`
}

// LuckTable contains means adjusted for the luck of new tiles. The command "arena show --luck"
// prints it.
type LuckTable struct {
	Experiment string `json:"experiment"`
	// Goal is the goal of an experiment whose figures are the shares of games that reached it. If it is
	// empty, the figures are scores.
	Goal   string `json:"goal,omitempty"`
	Values string `json:"values,omitempty"` // spec of the player whose values measure luck, if known
	// ValuesHash is a hash of these values. The luck in two tables can be compared only if the hashes are equal.
	ValuesHash string     `json:"values_hash"`
	Players    []LuckLine `json:"players"`
}

// LuckLine contains the figures for one player's games.
type LuckLine struct {
	Player string   `json:"player"` // name of the player, unique in the table
	Spec   string   `json:"spec"`
	Games  int      `json:"games"`
	Mean   Estimate `json:"mean"`
	// Adjusted is null if the player knows the coming tiles, or if the luck of a game is not known.
	Adjusted Estimate `json:"adjusted"`
	// Factor is how many times fewer games the adjusted mean needs for the same precision: the squared ratio of the
	// widths of the two intervals, plain to adjusted.
	Factor stats.Figure `json:"factor"`
}

// PlayerStatistics summarizes the games of one player. Numbers have eight significant digits.
type PlayerStatistics struct {
	Player      string         `json:"player"`         // the name of an external program, or a spec
	Spec        string         `json:"spec,omitempty"` // spec of the player, if Player is a name
	Games       int            `json:"games"`          // number of finished games
	MeanScore   stats.Figure   `json:"mean_score"`     // null without games, like all other figures
	MeanCI      stats.Interval `json:"mean_score_ci95"`
	MedianScore stats.Figure   `json:"median_score"`
	BestScore   *int64         `json:"best_score"`
	// Reached contains the share of games that reached each tile. All players have the same tiles.
	Reached        ByTile[Share] `json:"reached"`
	Moves          int64         `json:"moves"` // number of moves in all games
	MovesPerSecond stats.Figure  `json:"moves_per_s"`
	MSPerMove      stats.Figure  `json:"ms_per_move"`
	Foresees       bool          `json:"foresees,omitempty"`     // the player sees future spawns
	TimeLimited    bool          `json:"time_limited,omitempty"` // the player is not deterministic: it has a time limit
	Forfeits       *Forfeits     `json:"forfeits,omitempty"`
	Goal           *Share        `json:"goal_reached,omitempty"` // share of games that reached Statistics.Goal
	Regret         *Regret       `json:"regret,omitempty"`       // set by the option --regret

	Identity string        `json:"-"` // identity of the player, see arena.Identity; "" if unknown
	Highest  ByTile[Share] `json:"-"` // share of games by their largest tile at the end
}

// RegretEnding is the solved ending that judged the moves.
type RegretEnding struct {
	Goal      int64    `json:"goal"`
	Walls     []string `json:"walls"`          // layouts of the walls, such as "####/##../..../...."
	FreeWalls bool     `json:"free_walls"`     // walls may move between the layouts and their rotations and reflections; false: no wall may move
	Optimal   float64  `json:"optimal_chance"` // chance to make the goal with optimal play from the start boards
}

// Regret measures how much worse a player's moves are than optimal play: in points, or in an ending by the chance to
// make its goal. Figures are null without games.
type Regret struct {
	Unit      Unit           `json:"unit"` // Points or Chance
	PerMove   stats.Figure   `json:"per_move"`
	PerGame   stats.Figure   `json:"per_game"`
	CI        stats.Interval `json:"per_game_ci95"`
	Share     stats.Figure   `json:"share_of_optimum"` // PerGame divided by the score or chance of optimal play
	BestMoves stats.Figure   `json:"best_moves"`       // share of judged moves that are optimal
	// Judged is the number of judged moves. In an ending, judging stops when the goal is made or the walls leave
	// the ending.
	Judged int64 `json:"judged_moves"`
	// Left is the number of games in which a move shifted the walls in a way that the ending does not allow. This
	// move and all later ones are not judged.
	Left int `json:"left_ending,omitempty"`
}

// Forfeits counts the games that a player lost because of a fault, such as a crash. In the statistics, such a game
// counts with its score at that point.
type Forfeits struct {
	Games   int            `json:"games"`
	Reasons []ForfeitCount `json:"reasons"` // most frequent first
}

// ForfeitCount is the number of games lost by one kind of fault.
type ForfeitCount struct {
	Reason string `json:"reason"`
	Games  int    `json:"games"`
	First  uint64 `json:"first_game"`       // index of the first of these games
	Detail string `json:"detail,omitempty"` // details of the fault in the first of these games
}

// ByTile contains a value for each of several tiles. In JSON it is an object with the tiles as
// keys, in the order of the slice; a map would sort 1024 before 16.
type ByTile[V any] []TileValue[V]

// TileValue is an entry of [ByTile].
type TileValue[V any] struct {
	Tile  int64
	Value V
}

// MarshalJSON writes an object. Nil becomes an empty object.
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

// UnmarshalJSON reads an object, and sorts it by tile. By convention, null changes nothing.
func (b *ByTile[V]) UnmarshalJSON(text []byte) error {
	var all map[int64]V
	if err := json.Unmarshal(text, &all); err != nil || all == nil {
		return err
	}
	*b = ByTile[V]{}
	for _, tile := range slices.Sorted(maps.Keys(all)) {
		*b = append(*b, TileValue[V]{tile, all[tile]})
	}
	return nil
}
