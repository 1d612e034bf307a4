package protocol

import "encoding/json"

// TrainingInfo is a training run in the result of the method training.list.
type TrainingInfo struct {
	Run     string `json:"run"`
	Network string `json:"network"` // description of the network; empty if the run does not record it
	// IdleS is the time since the last interval was written, in seconds.
	IdleS float64 `json:"idle_s"`
	// State is "running" while a process trains the run, then "finished" or "stopped".
	State     string           `json:"state" ts:"'running' | 'finished' | 'stopped'"`
	Games     uint64           `json:"games"`      // number of games at the last checkpoint
	GoalGames *uint64          `json:"goal_games"` // null: no limit, or unknown
	Options   []TrainingOption `json:"options"`    // empty if the run does not record them
}

// TrainingOption is an option of a training run: the flag of the command "train", and its value as
// text.
type TrainingOption struct {
	Option string `json:"option"`
	Value  string `json:"value"`
}

// TrainingList is the result of the method training.list. The most recently active run is the
// first.
type TrainingList struct {
	Runs     []TrainingInfo `json:"runs"`
	CanStart bool           `json:"can_start"` // the server accepts the method training.start
}

// TrainingRun is the result of the method training.start.
type TrainingRun struct {
	Run string `json:"run"`
}

// ShowTraining holds the parameters of the method training.show.
type ShowTraining struct {
	Run  string `json:"run" param:"required"`
	From int64  `json:"from" param:"" range:"0:2^62"` // byte offset at which reading starts; 0: the complete file
}

// Training is the result of the method training.show: the lines of a run's metrics from an offset
// on, and the offset for the next request.
type Training struct {
	// Intervals are copied unchanged from the run's metrics; each is a TrainingInterval.
	Intervals []json.RawMessage `json:"intervals" ts:"TrainingInterval[]"`
	Next      int64             `json:"next"`
	// Restarted means that the file is shorter than From. Intervals then starts at the beginning of
	// the file.
	Restarted bool `json:"restarted,omitempty"`
}

// TrainingInterval is a line of a training run's metrics.
type TrainingInterval struct {
	Games uint64 `json:"games"` // number of games of the run so far
	Moves uint64 `json:"moves"` // number of moves of the run so far
	// MeanScore is the mean score of the games that did not restart from a milestone. It is null if none of them has
	// ended.
	MeanScore          *float64            `json:"mean_score"`
	Reached            ByTile[json.Number] `json:"reached"` // share of games that reached each tile
	RestartedGames     uint64              `json:"restarted_games,omitempty"`
	RestartedMeanScore *float64            `json:"restarted_mean_score,omitempty"`
	Restarts           []TrainingRestarts  `json:"restarts,omitempty"`
	GamesPerS          float64             `json:"games_per_s"`
	MovesPerS          float64             `json:"moves_per_s"`
	ElapsedS           float64             `json:"elapsed_s"` // training time of the run so far
}

// TrainingRestarts describes the games of an interval that restarted from boards of one milestone:
// boards whose tiles have a sum in the same range.
type TrainingRestarts struct {
	TileSum   uint64              `json:"tile_sum"` // smallest sum of tiles of a board in the milestone
	Games     uint64              `json:"games"`
	MeanScore float64             `json:"mean_score"`
	Reached   ByTile[json.Number] `json:"reached"`
}
