package protocol

// WorkerList is the result of the method experiments.workers.
type WorkerList struct {
	// Server is the address of the NATS server that connects the workers, without password or token. Empty means that
	// this server uses none.
	Server  string   `json:"server,omitempty"`
	Error   string   `json:"error,omitempty"` // why the NATS server does not answer; the lists are empty then
	Workers []Worker `json:"workers"`         // workers that sent a message in the last 20 seconds, sorted by name
	More    int      `json:"more,omitempty"`  // number of workers left out of the list
	// Queues lists the experiments that workers play, sorted by name.
	Queues []ExperimentQueue `json:"queues"`
}

// WorkerState says what a worker is doing.
type WorkerState string

// The states of workers.
const (
	WorkerPlaying WorkerState = "playing"
	WorkerWaiting WorkerState = "waiting" // waits for jobs
	WorkerPaused  WorkerState = "paused"  // the worker returned a job and takes no new ones for a minute
)

// Worker is a process that plays games for the experiments of other machines.
type Worker struct {
	ID      string `json:"id"`
	Name    string `json:"name"`           // name of the worker; by default, the name of its machine
	Host    string `json:"host,omitempty"` // name of its machine
	Cores   int    `json:"cores"`
	Version string `json:"version"`
	// Signature is the signature that the command "bench" prints. A worker plays only experiments with the
	// same signature.
	Signature string `json:"signature,omitempty"`
	AllowExec bool   `json:"allow_exec,omitempty"`

	State     WorkerState  `json:"state"`
	Playing   []PlayedJobs `json:"playing,omitempty"` // the jobs that the worker is playing, one per core
	Games     int64        `json:"games"`             // number of games delivered
	GamesPerS float64      `json:"games_per_s"`       // mean over the last minute, or since the worker started
	Trouble   string       `json:"trouble,omitempty"` // why the worker last returned a job
}

// Busy returns the number of cores that are playing.
func (w *Worker) Busy() (cores int) {
	for i := range w.Playing {
		cores += w.Playing[i].Cores
	}
	return cores
}

// PlayedJobs are the current jobs of a worker for one player or training run of an experiment. Each job uses one
// core.
type PlayedJobs struct {
	Experiment string `json:"experiment"`
	Player     string `json:"player"` // the player's spec, or the name of the training run
	Cores      int    `json:"cores"`
}

// ExperimentQueue is an experiment that workers play.
type ExperimentQueue struct {
	SharedExperiment
	Jobs int `json:"jobs"` // number of jobs that wait for a worker or are being played
}
