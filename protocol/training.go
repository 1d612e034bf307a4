package protocol

import "encoding/json"

// TrainingInfo is a run in the result of training.list.
type TrainingInfo struct {
	Run     string `json:"run"`
	Network string `json:"network"` // empty if the run does not record it
	// IdleS is the time since the last interval was written, in seconds.
	IdleS float64 `json:"idle_s"`
	// State is running while a process trains the run, else finished or stopped.
	State     string           `json:"state" ts:"'running' | 'finished' | 'stopped'"`
	Games     uint64           `json:"games"`      // of the last checkpoint
	GoalGames *uint64          `json:"goal_games"` // null: no limit, or unknown
	Options   []TrainingOption `json:"options"`    // empty if the run does not record them
}

// TrainingOption is an option of a run: the flag of the command train, and its value in words.
type TrainingOption struct {
	Option string `json:"option"`
	Value  string `json:"value"`
}

// TrainingList is the result of training.list, the most recently active run first.
type TrainingList struct {
	Runs     []TrainingInfo `json:"runs"`
	CanStart bool           `json:"can_start"` // training.start is possible here
}

// TrainingRun is the result of training.start.
type TrainingRun struct {
	Run string `json:"run"`
}

// ShowTraining is the params of training.show.
type ShowTraining struct {
	Run  string `json:"run" param:"required"`
	From int64  `json:"from" param:"" range:"0:2^62"` // byte offset to read from; 0: all
}

// Training is the result of training.show: the lines of a run's metrics from an offset, and the
// offset of the next read.
type Training struct {
	// Intervals are copied unchanged from the run's metrics; each is a TrainingInterval.
	Intervals []json.RawMessage `json:"intervals" ts:"TrainingInterval[]"`
	Next      int64             `json:"next"`
	// Restarted means that the file is shorter than From, and that Intervals starts at the file's
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
