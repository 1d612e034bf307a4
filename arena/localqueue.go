package arena

import (
	"context"
	"slices"
	"sync"
)

// maxUncollected is how many deliveries may await Collect before Deliver blocks.
const maxUncollected = 64

// LocalQueue is a Queue within one process, which trusts its workers to end their chunks:
//
//	q := arena.NewLocalQueue()
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
//	err := s.RunHere(ctx, arena.Worker{Queue: q, Factory: factory}, runtime.NumCPU())
//
// It is safe for concurrent use.
type LocalQueue struct {
	mu        sync.Mutex
	changed   chan struct{} // closed when something below has changed
	waiting   []Chunk       // chunks are compared as a whole, which is cheaper than by ID
	taken     map[Chunk]bool
	delivered []Delivery
}

// NewLocalQueue returns an empty queue.
func NewLocalQueue() *LocalQueue {
	return &LocalQueue{changed: make(chan struct{}), taken: map[Chunk]bool{}}
}

// Put implements Queue.
func (q *LocalQueue) Put(ctx context.Context, c Chunk) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.taken[c] && !slices.Contains(q.waiting, c) {
		q.waiting = append(q.waiting, c)
		q.change()
	}
	return ctx.Err()
}

// Take implements Queue.
func (q *LocalQueue) Take(ctx context.Context) (c Chunk, err error) {
	err = q.retryUntil(ctx, func() bool {
		if len(q.waiting) == 0 || ctx.Err() != nil {
			return false
		}
		c, q.waiting = q.waiting[0], q.waiting[1:]
		q.taken[c] = true
		return true
	})
	return c, err
}

// Deliver implements Queue.
func (q *LocalQueue) Deliver(ctx context.Context, d Delivery) error {
	if len(d.Games) == 0 && !d.Final() {
		return nil
	}
	return q.retryUntil(ctx, func() bool {
		if len(q.delivered) >= maxUncollected {
			return false
		}
		if d.Final() {
			delete(q.taken, d.Chunk)
		}
		q.delivered = append(q.delivered, d)
		return true
	})
}

// Collect implements Queue. Acknowledgements change nothing: the queue ends with its process.
func (q *LocalQueue) Collect(ctx context.Context) (d Delivery, ack func(), err error) {
	err = q.retryUntil(ctx, func() bool {
		if len(q.delivered) == 0 {
			return false
		}
		d, q.delivered = q.delivered[0], q.delivered[1:]
		return true
	})
	return d, func() {}, err
}

// Ready implements Queue.
func (q *LocalQueue) Ready() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.delivered) > 0
}

// change wakes all waiters.
func (q *LocalQueue) change() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// retryUntil calls do until it returns true, again whenever the queue has changed, or until ctx
// ends.
func (q *LocalQueue) retryUntil(ctx context.Context, do func() bool) error {
	for {
		q.mu.Lock()
		if do() {
			q.change()
			q.mu.Unlock()
			return nil
		}
		changed := q.changed
		q.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
