package arena

import (
	"context"
	"errors"
)

// Queue carries chunks to workers and deliveries back. A [LocalQueue] stays within one process;
// another implementation may span machines, if it passes the tests of arena/queuetest.
//
// A queue never loses work, even if workers crash or disappear:
//
//   - A chunk whose worker has been silent for too long is handed out again and, after some such
//     losses, delivered as failed.
//   - So a chunk may be played twice. Late and duplicate deliveries are collected like all
//     others: the collector must accept games twice.
//   - The first final delivery ends a chunk; it is not handed out again.
type Queue interface {
	// Put adds a chunk, unless an equal one is queued or in flight.
	Put(ctx context.Context, c Chunk) error
	// Take returns a chunk to work on. It blocks until there is one or ctx ends.
	Take(ctx context.Context) (Chunk, error)
	// Deliver hands in finished games of a chunk and shows that the worker is alive. It may block
	// for backpressure.
	Deliver(ctx context.Context, d Delivery) error
	// Collect returns the next delivery. It blocks until there is one or ctx ends; existing
	// deliveries are returned even if ctx has ended.
	Collect(ctx context.Context) (Delivery, error)
}

// Delivery is what a worker hands in for a chunk.
type Delivery struct {
	Chunk Chunk      `json:"chunk"`
	Games []Recorded `json:"games"` // finished since its last delivery; may be none
	Done  bool       `json:"done"`  // these were the last ones
	// Failed is why the worker gave the chunk up, "" if it did not. Games before the failure count.
	Failed string `json:"failed,omitempty"`
	cause  error  // Failed, where no wire lies between worker and scheduler
}

// failure is Failed as an error, the original one where it is known.
func (d *Delivery) failure() error {
	if d.cause != nil {
		return d.cause
	}
	return errors.New(d.Failed)
}

// Final reports whether this delivery ends the chunk.
func (d *Delivery) Final() bool { return d.Done || d.Failed != "" }
