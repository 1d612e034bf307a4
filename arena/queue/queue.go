// Package queue is the chunk queue of package arena within one process:
//
//	q := queue.New(queue.Options{})
//	c := arena.Conductor{Queue: q, Plan: plan, Keep: keep}
//	err := c.RunHere(ctx, arena.Worker{Queue: q, Seat: seat}, runtime.NumCPU())
//
// With Options.Lease it also stands in for a queue whose workers may vanish; so the
// tests of package arena/queuetest hold for it.
package queue

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"afterstate/arena"
)

// Options of a queue. The zero value trusts its workers, as goroutines of one
// process can be.
type Options struct {
	// Lease is how long a worker may be silent before its chunk is handed out again;
	// 0: for ever.
	Lease time.Duration
	// Tries is how often a chunk is handed out before it counts as failed; 0: 3 times.
	Tries int
	// Room is how many deliveries may wait to be collected before Deliver waits; 0: 64.
	Room int
}

// Queue is an arena.Queue. Its methods may be called by any goroutines.
type Queue struct {
	options Options

	mu      sync.Mutex
	changed chan struct{} // closed when something below has changed
	waiting []arena.Chunk
	loans   map[string]*loan
	tries   map[string]int // how often chunks were handed out
	arrived []arena.Delivery
}

type loan struct {
	chunk arena.Chunk
	due   time.Time
}

// New is an empty queue.
func New(o Options) *Queue {
	if o.Tries == 0 {
		o.Tries = 3
	}
	if o.Room == 0 {
		o.Room = 64
	}
	return &Queue{options: o, changed: make(chan struct{}), loans: map[string]*loan{}, tries: map[string]int{}}
}

// Put adds a chunk.
func (q *Queue) Put(ctx context.Context, c arena.Chunk) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	id := c.ID()
	if q.loans[id] == nil && !slices.ContainsFunc(q.waiting, named(id)) {
		q.waiting = append(q.waiting, c)
		delete(q.tries, id)
		q.change()
	}
	return ctx.Err()
}

// Take waits for a chunk.
func (q *Queue) Take(ctx context.Context) (c arena.Chunk, err error) {
	err = q.until(ctx, func() bool {
		if len(q.waiting) == 0 || ctx.Err() != nil {
			return false
		}
		c, q.waiting = q.waiting[0], q.waiting[1:]
		id := c.ID()
		q.loans[id] = &loan{c, time.Now().Add(q.options.Lease)}
		q.tries[id]++
		return true
	})
	return c, err
}

// Deliver brings games.
func (q *Queue) Deliver(ctx context.Context, d arena.Delivery) error {
	return q.until(ctx, func() bool {
		if len(q.arrived) >= q.options.Room {
			return false
		}
		id := d.Chunk.ID()
		if l := q.loans[id]; l != nil {
			l.due = time.Now().Add(q.options.Lease)
		}
		if d.Ends() {
			delete(q.loans, id)
			delete(q.tries, id)
			q.waiting = slices.DeleteFunc(q.waiting, named(id))
		}
		q.arrived = append(q.arrived, d)
		return true
	})
}

// Collect waits for a delivery.
func (q *Queue) Collect(ctx context.Context) (d arena.Delivery, err error) {
	err = q.until(ctx, func() bool {
		if len(q.arrived) == 0 {
			return false
		}
		d, q.arrived = q.arrived[0], q.arrived[1:]
		return true
	})
	return d, err
}

func named(id string) func(arena.Chunk) bool {
	return func(c arena.Chunk) bool { return c.ID() == id }
}

// change wakes all that wait.
func (q *Queue) change() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// until tries to do something, again whenever the queue has changed, until it
// succeeds or ctx ends.
func (q *Queue) until(ctx context.Context, do func() bool) error {
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

// expire ends the loans that are due: the chunks wait again, or are delivered as
// failed. It tells when the next one will be due; 0: never.
func (q *Queue) expire() (wake time.Duration) {
	if q.options.Lease <= 0 {
		return 0
	}
	now := time.Now()
	for id, l := range q.loans {
		if left := l.due.Sub(now); left > 0 {
			if wake == 0 || left < wake {
				wake = left
			}
			continue
		}
		delete(q.loans, id)
		if q.tries[id] < q.options.Tries {
			q.waiting = append(q.waiting, l.chunk)
		} else {
			q.arrived = append(q.arrived, arena.Delivery{
				Chunk: l.chunk, Failed: fmt.Sprintf("%s: nothing more was heard of games %d to %d, %d times",
					l.chunk.Player, l.chunk.First, l.chunk.First+uint64(l.chunk.Games)-1, q.tries[id]),
			})
			delete(q.tries, id)
		}
		q.change()
	}
	return wake
}
