package arena

import (
	"context"
	"sync/atomic"
)

// Queue is the scheduler's side of a queue. A queue carries chunks to workers, and the games of the chunks
// back.
type Queue interface {
	// Put adds a chunk. It may return before workers can take the chunk.
	Put(ctx context.Context, c Chunk) error
	// Delivered returns the channel of the deliveries, from which only the scheduler receives.
	Delivered() <-chan Delivery
}

// Delivery is what a worker returns for a chunk. Missing games of the chunk are planned again.
type Delivery struct {
	Chunk Chunk
	Games []Recorded // the finished games
	// Failed is the error that ended the chunk early, or nil. The games before the failure are valid.
	Failed error
	// Stored, unless nil, is called after the games have been stored. It does not block.
	Stored func()
}

const (
	maxUnplayed    = 1 << 14 // maximum number of chunks that wait for Take; schedulers put two for each worker
	maxUncollected = 64      // maximum number of deliveries that wait for the scheduler
)

// LocalQueue is a Queue within one process. It relies on its workers to finish their chunks or return them:
//
//	q := arena.NewLocalQueue()
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
//	err := s.Run(ctx, arena.Worker{Queue: q, Factory: factory}, runtime.NumCPU())
//
// It is safe for concurrent use.
type LocalQueue struct {
	chunks    chan *Chunk
	delivered chan Delivery
	pending   atomic.Int64
}

// NewLocalQueue returns an empty queue.
func NewLocalQueue() *LocalQueue {
	return &LocalQueue{chunks: make(chan *Chunk, maxUnplayed), delivered: make(chan Delivery, maxUncollected)}
}

var _ Queue = (*LocalQueue)(nil)

// Put implements Queue.
func (q *LocalQueue) Put(ctx context.Context, c Chunk) error {
	q.pending.Add(1)
	err := send(ctx, q.chunks, &c)
	if err != nil {
		q.pending.Add(-1)
	}
	return err
}

// Pending returns the number of chunks that wait for a worker or are being played.
func (q *LocalQueue) Pending() int { return int(q.pending.Load()) }

// Take returns a chunk to work on. It blocks until there is one or ctx ends.
func (q *LocalQueue) Take(ctx context.Context) (c Chunk, err error) {
	if err := ctx.Err(); err != nil {
		return c, err
	}
	select {
	case next := <-q.chunks:
		return *next, nil
	case <-ctx.Done():
		return c, ctx.Err()
	}
}

// Deliver passes the games of a chunk to the scheduler. It blocks while the scheduler cannot keep up.
func (q *LocalQueue) Deliver(ctx context.Context, d Delivery) error {
	return send(ctx, q.delivered, d)
}

// Delivered implements Queue.
func (q *LocalQueue) Delivered() <-chan Delivery { return q.delivered }

func send[T any](ctx context.Context, to chan<- T, v T) error {
	select {
	case to <- v:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
