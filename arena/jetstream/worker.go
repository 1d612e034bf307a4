package jetstream

import (
	"context"
	"errors"
	"time"

	"afterstate/arena"
)

// WorkerInfo describes a worker to those who list workers. The first fields are set by the worker.
type WorkerInfo struct {
	ID        string `json:"id"`   // set by Worker
	Name      string `json:"name"` // of its machine, say
	Cores     int    `json:"cores"`
	Version   string `json:"version"`
	Signature string `json:"signature,omitempty"` // bench.Signature; see arena.QueueInfo
	AllowExec bool   `json:"allow_exec,omitempty"`

	// The rest is filled in by Worker and Workers.
	Playing        []string  `json:"playing,omitempty"` // names of experiments and players, one for each core at work
	Games          int64     `json:"games"`             // delivered
	GamesPerSecond float64   `json:"games_per_second"`  // over the last minute
	Refused        string    `json:"refused,omitempty"` // why it does not play, "" if it may
	LastHeard      time.Time `json:"last_heard"`        // by the server's clock
}

// Worker takes chunks of all experiments that it can play. It implements arena.WorkerQueue, for any
// number of arena.Workers, and announces itself until Close.
type Worker struct{ c *Client }

// ErrRejected is the error of Take and Deliver after a scheduler found a delivery of this worker
// false.
var ErrRejected = errors.New("rejected")

// WorkerOptions say what a worker is and what it is called about.
type WorkerOptions struct {
	Info WorkerInfo
	// OnRefused is called once for every experiment that this worker cannot play, with the reason:
	// another signature (both are named), or programs that it does not allow.
	OnRefused func(experiment arena.QueueInfo, reason string)
}

// Worker starts a worker. Call Close when its arena.Workers have ended.
func (c *Client) Worker(ctx context.Context, o WorkerOptions) (*Worker, error) {
	return nil, errors.New("not written yet")
}

// Take implements arena.WorkerQueue. It returns an error only if ctx ended, the client was closed or
// refused, or the worker was rejected.
func (w *Worker) Take(ctx context.Context) (arena.Chunk, error) { return arena.Chunk{}, nil }

// Deliver implements arena.WorkerQueue. It tries again until the server has stored the delivery or
// ctx ends.
func (w *Worker) Deliver(ctx context.Context, d arena.Delivery) error { return nil }

// Heartbeat is the interval for arena.Worker.Heartbeat.
func (w *Worker) Heartbeat() time.Duration { return w.c.o.Lease / 3 }

// Info returns what the worker announces.
func (w *Worker) Info() WorkerInfo { return WorkerInfo{} }

// Close withdraws the announcement, and gives back chunks that were taken and not ended.
func (w *Worker) Close() error { return nil }

// Workers returns the workers that were heard in the last 10 minutes, by name. A worker announces
// itself every 5 s.
func (c *Client) Workers(ctx context.Context) ([]WorkerInfo, error) { return nil, nil }

// Experiments returns the open experiments, by name.
func (c *Client) Experiments(ctx context.Context) ([]ExperimentInfo, error) { return nil, nil }

// ExperimentInfo describes an experiment whose queue is open, or was left with chunks.
type ExperimentInfo struct {
	arena.QueueInfo
	Scheduler string `json:"scheduler,omitempty"` // host and process that collect its games, "": none
	Queued    int    `json:"queued"`              // chunks that wait or are being played
	Results   int    `json:"results"`             // deliveries that are not stored yet
}
