package protocol

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// ExperimentInfo is an experiment in the result of experiments.list.
type ExperimentInfo struct {
	Name     string     `json:"name"`
	Size     board.Size `json:"size"`
	Players  []string   `json:"players"`
	Games    int        `json:"games"`           // of each player
	Finished int        `json:"finished"`        // of all players together
	Running  bool       `json:"running"`         // this server plays it, or this tab on the static site
	Error    string     `json:"error,omitempty"` // why it ended early
	// Imported games were played elsewhere and are not played on; their players may have different
	// numbers of games.
	Imported bool `json:"imported,omitempty"`
	// RunningElsewhere: another tab of the browser plays it. Only the static site reports it.
	RunningElsewhere bool `json:"running_elsewhere,omitempty"`
}

// ExperimentList is the result of experiments.list, the newest experiment first.
type ExperimentList struct {
	Experiments []ExperimentInfo `json:"experiments"`
	CanStart    bool             `json:"can_start"` // experiments.start is possible here
	// Elsewhere are experiments of other machines that share the NATS server of this one, by name. Only
	// their machines have the games.
	Elsewhere []ExperimentElsewhere `json:"elsewhere,omitempty"`
}

// ExperimentElsewhere is an experiment whose games another machine collects and stores.
type ExperimentElsewhere struct {
	Name      string     `json:"name"`
	Scheduler string     `json:"scheduler,omitempty"` // host and process that collects the games, "": none at present
	Size      board.Size `json:"size,omitzero" ts:"?"`
	Players   []string   `json:"players,omitempty"`
	Games     int        `json:"games,omitempty"` // of each player, unless not known beforehand, as for tuning
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
	Name    string     `json:"name,omitempty" param:""`                   // empty: the server chooses one
	Players []string   `json:"players,omitempty" param:"items=1:8"`       // specs
	Games   int        `json:"games" param:"min=1,max=10000,default=100"` // of each player; unused when resuming
	Size    board.Size `json:"size" param:""`                             // zero: 4x4
	Seed    uint64     `json:"seed" param:""`
	Until   int64      `json:"until,omitempty" param:"tile"` // the tile that ends a game; 0: none
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

// TileCount is the number of games with a largest tile.
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
	Unpaired   bool           `json:"unpaired,omitempty"` // the means of independent games are compared: none is higher or lower
}

// FindGames is the params of experiments.games.
type FindGames struct {
	ExperimentRef
	Player int  `json:"player" param:"required,min=1,max=2^31-1"` // its number, from 1
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
	Game    uint64 `json:"game"` // its number
	Score   int64  `json:"score"`
	MaxTile int64  `json:"max_tile"`
	Moves   int    `json:"moves"`
	Forfeit string `json:"forfeit,omitempty"` // why the player lost it, if by its own fault
}

// FindGame is the params of experiments.record, whose result is a [GameRecord].
type FindGame struct {
	ExperimentRef
	Player int `json:"player" param:"required,min=1,max=2^31-1"` // its number, from 1
	Game   int `json:"game" param:"required,max=2^31-1"`
}

// FindRecords is the params of experiments.records.
type FindRecords struct {
	ExperimentRef
	Player int `json:"player" param:"required,min=1,max=2^31-1"` // its number, from 1
	From   int `json:"from,omitempty" param:"max=2^31-1"`        // how many of its games to skip
}

// ExperimentRecords is the result of experiments.records: the next games of a player by their number.
type ExperimentRecords struct {
	Records string `json:"records"`        // a line a game
	Next    int    `json:"next,omitempty"` // From of the next request; 0: there are no more
}

// ExperimentReport is the result of experiments.report.
type ExperimentReport struct {
	HTML string `json:"html"` // a whole page, as arena report writes it
}
