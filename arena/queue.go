package arena

import (
	"context"
	"errors"
)

// Queue brings chunks to workers and what they did back. A [LocalQueue] stays
// within a process; another one may lead to many machines, if it passes the tests of
// arena/queuetest.
//
// A queue may lose time, never work, whatever becomes of a worker:
//
//   - A chunk that was taken and from which nothing more is heard is handed out
//     again after a while, and after some such losses delivered as failed.
//   - So a chunk may be worked on twice, and what comes late or doubled is brought
//     back like everything else: whoever collects must bear games twice.
//   - The first delivery that says so ends a chunk; it is not handed out again.
type Queue interface {
	// Put adds a chunk. A chunk that waits already, or is being worked on, is not
	// added twice.
	Put(ctx context.Context, c Chunk) error
	// Take waits for a chunk to work on, until ctx ends.
	Take(ctx context.Context) (Chunk, error)
	// Deliver brings finished games, some of a chunk's or the last ones, and shows
	// that the worker is alive. It may wait until there is room.
	Deliver(ctx context.Context, d Delivery) error
	// Collect waits for a delivery. What has been delivered is handed out even if
	// ctx has ended.
	Collect(ctx context.Context) (Delivery, error)
}

// Delivery is what a worker brings back of a chunk.
type Delivery struct {
	Chunk Chunk      `json:"chunk"`
	Games []Recorded `json:"games"` // finished since its last delivery; may be none
	Done  bool       `json:"done"`  // these were the last ones
	// Failed says why the worker gave the chunk up; "" if it did not. The games
	// before the failure stand.
	Failed string `json:"failed,omitempty"`
	cause  error  // Failed, where no wire lies between worker and scheduler
}

// failure is Failed as an error.
func (d *Delivery) failure() error {
	if d.cause != nil {
		return d.cause
	}
	return errors.New(d.Failed)
}

// Final reports whether the worker has done with the chunk.
func (d *Delivery) Final() bool { return d.Done || d.Failed != "" }
