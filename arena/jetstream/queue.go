package jetstream

import (
	"context"
	"errors"
	"time"

	"afterstate/arena"
)

// Queue is the queue of one experiment, as its scheduler has it. It implements arena.RemoteQueue.
type Queue struct{ c *Client }

var _ arena.RemoteQueue = (*Queue)(nil)

// ErrHeld is the error for an experiment that another scheduler plays.
var ErrHeld = errors.New("another scheduler plays this experiment")

// OpenQueue opens the queue of an experiment, and creates what is missing on the server. An
// experiment has one scheduler at a time: if there is another one, the error is ErrHeld; one that
// was killed is replaced after 10 seconds at most.
func (c *Client) OpenQueue(ctx context.Context, info arena.QueueInfo) (arena.RemoteQueue, error) {
	return nil, errors.New("not written yet")
}

// Put implements arena.SchedulerQueue.
func (q *Queue) Put(ctx context.Context, c arena.Chunk) error { return nil }

// Take implements arena.WorkerQueue, for workers of this process.
func (q *Queue) Take(ctx context.Context) (arena.Chunk, error) { return arena.Chunk{}, nil }

// Deliver implements arena.WorkerQueue.
func (q *Queue) Deliver(ctx context.Context, d arena.Delivery) error { return nil }

// Collect implements arena.SchedulerQueue.
func (q *Queue) Collect(ctx context.Context) (d arena.Delivery, ack func(), err error) {
	return d, nil, nil
}

// Outstanding implements arena.RemoteQueue.
func (q *Queue) Outstanding(ctx context.Context) ([]arena.Chunk, error) { return nil, nil }

// Cores implements arena.RemoteQueue.
func (q *Queue) Cores() int { return 0 }

// Heartbeat implements arena.RemoteQueue.
func (q *Queue) Heartbeat() time.Duration { return q.c.o.Lease / 3 }

// Reject implements arena.RemoteQueue.
func (q *Queue) Reject(ctx context.Context, d *arena.Delivery, reason string) error { return nil }

// Close implements arena.RemoteQueue.
func (q *Queue) Close() error { return nil }

// Remove implements arena.RemoteQueue.
func (q *Queue) Remove(ctx context.Context) error { return nil }
