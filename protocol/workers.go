package protocol

// WorkerList is the result of experiments.workers.
type WorkerList struct {
	// Server is the address of the NATS server that connects the workers, without secrets; empty: this server has none.
	Server  string   `json:"server,omitempty"`
	Error   string   `json:"error,omitempty"` // why the NATS server does not answer; the lists are empty then
	Workers []Worker `json:"workers"`         // workers heard from in the last 20 seconds, by name
	More    int      `json:"more,omitempty"`  // number of workers left out of the list
	// Queues are the experiments that workers play, by name.
	Queues []ExperimentQueue `json:"queues"`
}

// WorkerState is what a worker does.
type WorkerState string

// The states of workers.
const (
	WorkerPlaying WorkerState = "playing"
	WorkerWaiting WorkerState = "waiting" // for jobs
	WorkerPaused  WorkerState = "paused"  // it returned a job, and takes none for a minute
)

// Worker is a process that plays games for experiments of other machines.
type Worker struct {
	ID        string `json:"id"`
	Name      string `json:"name"`           // the name given to it, by default the host
	Host      string `json:"host,omitempty"` // its machine
	Cores     int    `json:"cores"`
	Version   string `json:"version"`
	Signature string `json:"signature,omitempty"` // of bench: it plays experiments with the same signature
	AllowExec bool   `json:"allow_exec,omitempty"`

	State     WorkerState  `json:"state"`
	Playing   []PlayedJobs `json:"playing,omitempty"` // what its cores play
	Games     int64        `json:"games"`             // delivered
	GamesPerS float64      `json:"games_per_s"`       // over the last minute, or since the start
	Trouble   string       `json:"trouble,omitempty"` // why it last returned a job
}

// Busy returns the number of cores that are playing.
func (w *Worker) Busy() (cores int) {
	for i := range w.Playing {
		cores += w.Playing[i].Cores
	}
	return cores
}

// PlayedJobs are the current jobs of a worker for one player or training run of an experiment, one for each core.
type PlayedJobs struct {
	Experiment string `json:"experiment"`
	Player     string `json:"player"` // a spec, or the name of a run
	Cores      int    `json:"cores"`
}

// ExperimentQueue is an experiment that workers play.
type ExperimentQueue struct {
	RemoteExperiment
	Jobs int `json:"jobs"` // jobs that wait for a worker or are being played
}
