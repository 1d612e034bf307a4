package protocol

// WorkerList is the result of experiments.workers: who plays games for the experiments of other machines, and what waits
// for them.
type WorkerList struct {
	// Server is the address of the NATS server that connects the workers, without secrets; empty: this server has none.
	Server string `json:"server,omitempty"`
	Error  string `json:"error,omitempty"` // why the NATS server does not answer; the lists are empty then
	// Workers are those that were heard in the last ten minutes, by name, and those that were rejected in the last 30 days.
	Workers []Worker `json:"workers"`
	More    int      `json:"more,omitempty"` // workers that are left out
	// Queues are the experiments that workers play, by name.
	Queues []ExperimentQueue `json:"queues"`
	Denied bool              `json:"queues_denied,omitempty"` // the address is that of a worker, who may not ask for queues
}

// WorkerState is what a worker does.
type WorkerState string

// The states of workers.
const (
	WorkerPlaying  WorkerState = "playing"
	WorkerWaiting  WorkerState = "waiting"  // for chunks
	WorkerLost     WorkerState = "lost"     // it was not heard for 20 seconds: it lost its connection, or was killed
	WorkerRejected WorkerState = "rejected" // it delivered a false game
)

// Worker is a process that plays games for experiments of other machines.
type Worker struct {
	ID        string `json:"id"`
	Name      string `json:"name"`           // of its machine, unless it was given another one
	Host      string `json:"host,omitempty"` // its machine
	Cores     int    `json:"cores"`
	Version   string `json:"version"`
	Signature string `json:"signature,omitempty"` // of bench: it plays experiments with the same one
	AllowExec bool   `json:"allow_exec,omitempty"`

	State  WorkerState `json:"state"`
	SinceS float64     `json:"since_s"` // how long it plays, or waits
	HeardS float64     `json:"heard_s"` // how long ago it was heard
	// Playing is what its cores play; of a lost worker, what they played when it was heard last.
	Playing   []PlayedChunks  `json:"playing,omitempty"`
	Games     int64           `json:"games"`       // delivered
	GamesPerS float64         `json:"games_per_s"` // over the last minute, or since the start
	Failures  []WorkerFailure `json:"failures,omitempty"`
}

// PlayedChunks are the chunks of one player of an experiment that a worker has at present, one for each core.
type PlayedChunks struct {
	Experiment string `json:"experiment"`
	Player     string `json:"player"` // a spec
	Cores      int    `json:"cores"`
	// First and Last are the numbers of the first and last game of the oldest chunk, which it has for ForS seconds.
	First uint64  `json:"first_game"`
	Last  uint64  `json:"last_game"`
	ForS  float64 `json:"for_s"`
}

// FailureKind is a kind of failure of a worker.
type FailureKind string

// The kinds of failures.
const (
	FailedForfeits FailureKind = "forfeits"    // games that a player lost by its own fault; they count
	FailedChunks   FailureKind = "chunks"      // chunks that it gave up; they are played again
	FailedLeases   FailureKind = "lost_leases" // chunks that were handed out again because it was silent for too long
	FailedRefused  FailureKind = "refused"     // players that it does not play, such as those of another version
	FailedRejected FailureKind = "rejected"    // it delivered a false game
)

// WorkerFailure is what failed at a worker since its start, of one player.
type WorkerFailure struct {
	Kind       FailureKind `json:"kind"`
	Experiment string      `json:"experiment,omitempty"`
	Player     string      `json:"player,omitempty"` // a spec, or names
	Count      int64       `json:"count,omitempty"`  // of games, or of chunks
	Reason     string      `json:"reason,omitempty"` // the last one
}

// ExperimentQueue is an experiment that workers play.
type ExperimentQueue struct {
	RemoteExperiment
	Waiting     int `json:"waiting"`     // chunks that nobody has
	Leased      int `json:"leased"`      // chunks that were handed out and have not ended
	Redelivered int `json:"redelivered"` // of these, chunks that were handed out more than once
	Results     int `json:"results"`     // deliveries that are not stored yet
}
