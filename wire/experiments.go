package wire

import (
	"encoding/json"

	"afterstate/board"
)

// Methods of experiments and of training runs.
const (
	MethodExperimentList  = "experiments.list"
	MethodExperimentShow  = "experiments.show"
	MethodExperimentStart = "experiments.start"
	MethodExperimentStop  = "experiments.stop"
	MethodTrainingList    = "training.list"
	MethodTrainingShow    = "training.show"
)

// ExperimentInfo is an experiment in the result of experiments.list.
type ExperimentInfo struct {
	Name     string     `json:"name"`
	Size     board.Size `json:"size"`
	Players  []string   `json:"players"`
	Games    int        `json:"games"`    // of each player
	Finished int        `json:"finished"` // of all players together
	Running  bool       `json:"running"`
	Error    string     `json:"error,omitempty"` // why it ended early
}

// ExperimentList is the result of experiments.list, the newest experiment first.
type ExperimentList struct {
	Experiments []ExperimentInfo `json:"experiments"`
	CanStart    bool             `json:"can_start"` // experiments.start is possible here
}

// ExperimentRef is the params of experiments.show and experiments.stop, and the result of
// experiments.start.
type ExperimentRef struct {
	Name string `json:"name"`
}

// ReadParams reads the params of one of the methods.
func (p *ExperimentRef) ReadParams(method string, params []byte) error {
	return readParams(method, params, field{"name", required, readString(&p.Name)})
}

// StartExperiment is the params of experiments.start: with players it starts a new experiment, with
// a name only it resumes one.
type StartExperiment struct {
	Name    string     `json:"name,omitempty"`    // empty: the server chooses one
	Players []string   `json:"players,omitempty"` // specs, up to 8
	Games   int        `json:"games" ts:"?"`      // of each player, up to 10000; unused when resuming
	Size    board.Size `json:"size" ts:"?"`       // zero: 4x4
	Seed    uint64     `json:"seed" ts:"?"`
	Until   int64      `json:"until,omitempty"` // the tile that ends a game; 0: none
}

// ReadParams reads the params of experiments.start.
func (p *StartExperiment) ReadParams(params []byte) error {
	const mostPlayers, mostGames = 8, 10_000
	p.Games = 100
	var seed *uint64
	err := readParams(MethodExperimentStart, params,
		field{"name", optional, readString(&p.Name)},
		field{"players", optional, readStrings(&p.Players, 1, mostPlayers)},
		field{"games", optional, readInt(&p.Games, 1, mostGames)},
		field{"size", optional, readSize(&p.Size)},
		field{"seed", optional, readSeed(&seed)},
		field{"until", optional, readTile(&p.Until)},
	)
	if seed != nil {
		p.Seed = *seed
	}
	if err == nil && p.Name == "" && p.Players == nil {
		return Errorf(CodeInvalidParams, "%s: players is missing: want it, or the name of an experiment to resume", MethodExperimentStart)
	}
	return err
}

// Experiment is the result of experiments.show.
type Experiment struct {
	ExperimentInfo
	Report      *Report             `json:"report" ts:"Report"`
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
	Player     string      `json:"player"`
	Games      int         `json:"games"`
	Difference *float64    `json:"difference"` // mean of the differences; null without games
	CI         *Interval95 `json:"difference_ci95"`
	Higher     int         `json:"higher"`
	Lower      int         `json:"lower"`
}

// TrainingInfo is a run in the result of training.list.
type TrainingInfo struct {
	Run     string `json:"run"`
	Network string `json:"network"` // empty if the run does not record it
	// IdleS is the time since the last interval was written, in seconds.
	IdleS float64 `json:"idle_s"`
}

// TrainingList is the result of training.list, the most recently active run first.
type TrainingList struct {
	Runs []TrainingInfo `json:"runs"`
}

// ShowTraining is the params of training.show.
type ShowTraining struct {
	Run  string `json:"run"`
	From int64  `json:"from" ts:"?"` // byte offset to read from; 0: all
}

// ReadParams reads the params of training.show.
func (p *ShowTraining) ReadParams(params []byte) error {
	return readParams(MethodTrainingShow, params,
		field{"run", required, readString(&p.Run)},
		field{"from", optional, readInt(&p.From, 0, 1<<62)},
	)
}

// Training is the result of training.show: the lines of a run's metrics from an offset, and the
// offset of the next read.
type Training struct {
	// Intervals are copied unchanged from the run's metrics; each is a TrainingInterval.
	Intervals []json.RawMessage `json:"intervals" ts:"TrainingInterval[]"`
	Next      int64             `json:"next"`
	// Restarted means that the file is shorter than From, and that Intervals starts at its
	// beginning.
	Restarted bool `json:"restarted,omitempty"`
}

// TrainingInterval is a line of a training run's metrics.
type TrainingInterval struct {
	Games              uint64              `json:"games"`      // of the whole run so far
	Moves              uint64              `json:"moves"`      // of the whole run so far
	MeanScore          *float64            `json:"mean_score"` // of games from the start; null if none ended
	Reached            ByTile[json.Number] `json:"reached"`    // share of games that reached a tile
	RestartedGames     uint64              `json:"restarted_games,omitempty"`
	RestartedMeanScore *float64            `json:"restarted_mean_score,omitempty"`
	Restarts           []TrainingRestarts  `json:"restarts,omitempty"`
	GamesPerS          float64             `json:"games_per_s"`
	MovesPerS          float64             `json:"moves_per_s"`
	ElapsedS           float64             `json:"elapsed_s"` // of the whole run so far
}

// TrainingRestarts are the games of an interval that started from one milestone.
type TrainingRestarts struct {
	TileSum   uint64              `json:"tile_sum"` // of the milestone
	Games     uint64              `json:"games"`
	MeanScore float64             `json:"mean_score"`
	Reached   ByTile[json.Number] `json:"reached"`
}
