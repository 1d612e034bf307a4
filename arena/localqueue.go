package arena

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// LocalQueueOptions configure a LocalQueue. The zero value trusts its workers to finish, which is
// right for goroutines of one process.
type LocalQueueOptions struct {
	// Lease is how long a worker may be silent before its chunk is handed out again; 0: forever.
	Lease time.Duration
	// MaxAttempts is how often a chunk is handed out before it counts as failed; 0: 3.
	MaxAttempts int
	// MaxUncollected is how many deliveries may await Collect before Deliver blocks; 0: 64.
	MaxUncollected int
}

// LocalQueue is a Queue within one process:
//
//	q := arena.NewLocalQueue(arena.LocalQueueOptions{})
//	s := arena.Scheduler{Queue: q, Plan: plan, Keep: keep}
//	err := s.RunHere(ctx, arena.Worker{Queue: q, Factory: factory}, runtime.NumCPU())
//
// With a Lease it behaves like a queue whose workers may vanish. It is safe for concurrent use.
type LocalQueue struct {
	options LocalQueueOptions

	mu        sync.Mutex
	changed   chan struct{} // closed when something below has changed
	waiting   []Chunk       // chunks are compared as a whole, which is cheaper than by ID
	leases    map[Chunk]*lease
	attempts  map[Chunk]int // how often chunks were handed out
	delivered []Delivery
}

// lease is a worker's claim on a chunk.
type lease struct{ due time.Time }

// NewLocalQueue returns an empty queue.
func NewLocalQueue(o LocalQueueOptions) *LocalQueue {
	if o.MaxAttempts == 0 {
		o.MaxAttempts = 3
	}
	if o.MaxUncollected == 0 {
		o.MaxUncollected = 64
	}
	return &LocalQueue{options: o, changed: make(chan struct{}), leases: map[Chunk]*lease{}, attempts: map[Chunk]int{}}
}

// Put implements Queue.
func (q *LocalQueue) Put(ctx context.Context, c Chunk) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.leases[c] == nil && !slices.Contains(q.waiting, c) {
		q.waiting = append(q.waiting, c)
		delete(q.attempts, c)
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
		q.leases[c] = &lease{time.Now().Add(q.options.Lease)}
		q.attempts[c]++
		return true
	})
	return c, err
}

// Deliver implements Queue.
func (q *LocalQueue) Deliver(ctx context.Context, d Delivery) error {
	return q.retryUntil(ctx, func() bool {
		if l := q.leases[d.Chunk]; l != nil {
			l.due = time.Now().Add(q.options.Lease)
		}
		if len(d.Games) == 0 && !d.Final() {
			return true
		}
		if len(q.delivered) >= q.options.MaxUncollected {
			return false
		}
		if d.Final() {
			delete(q.leases, d.Chunk)
			delete(q.attempts, d.Chunk)
			q.waiting = slices.DeleteFunc(q.waiting, func(c Chunk) bool { return c == d.Chunk })
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
		wake := q.expire()
		if do() {
			q.change()
			q.mu.Unlock()
			return nil
		}
		changed := q.changed
		q.mu.Unlock()
		var alarm <-chan time.Time
		if wake > 0 {
			alarm = time.After(wake)
		}
		select {
		case <-changed:
		case <-alarm:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// expire ends overdue leases: their chunks are queued again or, after MaxAttempts, delivered as
// failed. It returns the time until the next lease is due; 0: none.
func (q *LocalQueue) expire() (wake time.Duration) {
	if q.options.Lease <= 0 {
		return 0
	}
	now := time.Now()
	for c, l := range q.leases {
		if left := l.due.Sub(now); left > 0 {
			if wake == 0 || left < wake {
				wake = left
			}
			continue
		}
		delete(q.leases, c)
		if q.attempts[c] < q.options.MaxAttempts {
			q.waiting = append(q.waiting, c)
		} else {
			q.delivered = append(q.delivered, Delivery{
				Chunk: c, Failed: fmt.Sprintf("%s: nothing more was heard of games %d to %d, %d times",
					c.Player, c.First, c.First+uint64(c.Games)-1, q.attempts[c]),
			})
			delete(q.attempts, c)
		}
		q.change()
	}
	return wake
}
