package arena

import (
	"context"
	"sync"
)

const (
	maxUnplayed    = 1 << 14 // chunks that may await Take before Put blocks; schedulers put two for each worker
	maxUncollected = 64      // deliveries that may await Collect before Deliver blocks
)

// LocalQueue is a Queue within one process, which trusts its workers to end their chunks:
//
//	q := arena.NewLocalQueue()
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
//	err := s.RunHere(ctx, arena.Worker{Queue: q, Factory: factory}, runtime.NumCPU())
//
// It is safe for concurrent use.
type LocalQueue struct {
	open      sync.Map // chunks that were put and have not ended; compared as a whole, which is cheaper than by ID
	chunks    chan *Chunk
	delivered chan Delivery
}

// NewLocalQueue returns an empty queue.
func NewLocalQueue() *LocalQueue {
	return &LocalQueue{chunks: make(chan *Chunk, maxUnplayed), delivered: make(chan Delivery, maxUncollected)}
}

// Put implements Queue.
func (q *LocalQueue) Put(ctx context.Context, c Chunk) error {
	if _, there := q.open.LoadOrStore(c, true); there {
		return ctx.Err()
	}
	return send(ctx, q.chunks, &c)
}

// Take implements Queue.
func (q *LocalQueue) Take(ctx context.Context) (c Chunk, err error) {
	if err := ctx.Err(); err != nil {
		return c, err
	}
	next, err := receive(ctx, q.chunks)
	if err == nil {
		c = *next
	}
	return c, err
}

// Deliver implements Queue.
func (q *LocalQueue) Deliver(ctx context.Context, d Delivery) error {
	if len(d.Games) == 0 && !d.Final() {
		return nil
	}
	if d.Final() {
		q.open.Delete(d.Chunk)
	}
	return send(ctx, q.delivered, d)
}

// Collect implements Queue. Acknowledgements change nothing: the queue ends with its process.
func (q *LocalQueue) Collect(ctx context.Context) (d Delivery, ack func(), err error) {
	select {
	case d = <-q.delivered:
	default:
		d, err = receive(ctx, q.delivered)
	}
	return d, func() {}, err
}

// Ready implements Queue.
func (q *LocalQueue) Ready() bool { return len(q.delivered) > 0 }

func send[T any](ctx context.Context, to chan<- T, v T) error {
	select {
	case to <- v:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func receive[T any](ctx context.Context, from <-chan T) (v T, err error) {
	select {
	case v = <-from:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return v, err
}
