package arena

import (
	"context"
	"errors"
	"sync"
)

// ErrEnough is what Conductor.Keep returns when no more games are wanted.
var ErrEnough = errors.New("enough games")

// Conductor has a plan carried out by whoever takes chunks from a queue. It serves
// once.
type Conductor struct {
	Queue Queue
	Plan  *Plan
	// Keep takes finished games of a chunk and keeps them for good: what is done when
	// it returns is not done again. Games may come twice, and a few more after it
	// returned ErrEnough, which ends the work; another error ends it as failed. One
	// goroutine at a time calls it.
	Keep func(c *Chunk, games []Recorded) error
	// Tries is how often a game may fail; 0: 3 times.
	Tries int

	out    map[string]*loan // chunks that were put and have not ended, by ID
	fails  map[spot]int
	enough bool
	full   bool // Keep failed: it is not called again
	failed error
}

// loan is a chunk that is out.
type loan struct {
	chunk Chunk
	next  uint64 // the first of its games that has not come back
}

// spot is a game of a player.
type spot struct {
	identity string
	index    uint64
}

// Run works until the plan is carried out or ctx ends.
func (c *Conductor) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	return c.run(ctx, ctx, stop)
}

// RunHere is Run with n workers in this process, which end with it. When ctx ends,
// the games that are finished are still kept.
func (c *Conductor) RunHere(ctx context.Context, w Worker, n int) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	present, leave := context.WithCancel(context.WithoutCancel(ctx))
	var (
		workers sync.WaitGroup
		once    sync.Once
		broken  error
	)
	for range max(n, 1) {
		workers.Go(func() {
			if err := w.Work(work); err != nil {
				once.Do(func() { broken = err })
				stop()
			}
		})
	}
	var watch sync.WaitGroup
	watch.Go(func() {
		workers.Wait()
		leave()
	})
	err := c.run(present, work, stop)
	stop()
	watch.Wait()
	if broken != nil {
		return broken
	}
	return err
}

// run puts chunks while put lasts and collects what comes back while collect does;
// stop ends put.
func (c *Conductor) run(collect, put context.Context, stop func()) error {
	c.out, c.fails = map[string]*loan{}, map[spot]int{}
	for {
		if err := c.fill(put); err != nil {
			c.fail(err)
		}
		if len(c.out) == 0 {
			break
		}
		d, err := c.Queue.Collect(collect)
		if err != nil {
			if collect.Err() == nil {
				c.fail(err)
			}
			break
		}
		c.take(&d)
		if c.enough || c.failed != nil {
			stop()
		}
	}
	switch {
	case c.failed != nil:
		return c.failed
	case !c.enough && len(c.out)+c.Plan.Left() > 0:
		return put.Err()
	}
	return nil
}

func (c *Conductor) fail(err error) {
	if c.failed == nil {
		c.failed = err
	}
}

// fill puts two chunks a worker into the queue.
func (c *Conductor) fill(ctx context.Context) error {
	for ctx.Err() == nil && c.failed == nil && len(c.out) < 2*max(c.Plan.Workers, 1) {
		chunk, ok := c.Plan.Next()
		if !ok {
			return nil
		}
		if err := c.put(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

func (c *Conductor) put(ctx context.Context, chunk Chunk) error {
	c.out[chunk.ID()] = &loan{chunk, chunk.First}
	err := c.Queue.Put(ctx, chunk)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// take keeps what was delivered, and has a chunk that failed tried again.
func (c *Conductor) take(d *Delivery) {
	if len(d.Games) > 0 && !c.full {
		switch err := c.Keep(&d.Chunk, d.Games); {
		case errors.Is(err, ErrEnough):
			c.enough = true
		case err != nil:
			c.full = true
			c.fail(err)
		}
		c.Plan.Learn(d)
	}
	id := d.Chunk.ID()
	l := c.out[id]
	if l == nil {
		return // it ended before: somebody else was faster
	}
	for i := range d.Games {
		l.next = max(l.next, d.Games[i].Index+1)
	}
	if !d.Ends() {
		return
	}
	delete(c.out, id)
	if d.Failed != "" {
		c.again(l, d.Failed)
	}
}

// again puts what is left of a chunk that failed, unless it failed too often.
func (c *Conductor) again(l *loan, reason string) {
	at := spot{l.chunk.Identity, l.next}
	tries := c.Tries
	if tries == 0 {
		tries = 3
	}
	if c.fails[at]++; c.fails[at] >= tries {
		c.fail(errors.New(reason))
		return
	}
	rest := l.chunk
	rest.First, rest.Games = l.next, int(l.chunk.First+uint64(l.chunk.Games)-l.next)
	if rest.Games > 0 && !c.enough && c.failed == nil {
		c.Plan.again(rest)
	}
}
