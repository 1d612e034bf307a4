package arena

import (
	"context"
	"errors"
	"sync"
)

// ErrStop is returned by Scheduler.Keep to end the work successfully.
var ErrStop = errors.New("enough games")

// Scheduler puts the chunks of a plan into a queue and collects the games. Use it once.
type Scheduler struct {
	Queue Queue
	Plan  *Plan
	// Keep stores finished games of a chunk permanently. Games may come twice, and some more after
	// it returned ErrStop; another error ends the work as failed. It is called by one goroutine
	// at a time.
	Keep func(c *Chunk, games []Recorded) error
	// MaxAttempts is how often a game may fail; 0: 3.
	MaxAttempts int

	inFlight   map[string]*chunkInFlight // chunks that were put and have not ended, by ID
	failures   map[gameKey]int
	enough     bool
	keepFailed bool // Keep failed: it is not called again
	err        error
}

// chunkInFlight is a chunk that was put and has not ended.
type chunkInFlight struct {
	chunk Chunk
	next  uint64 // the first of its games that has not come back
}

// gameKey identifies a game of the experiment.
type gameKey struct {
	identity string
	index    uint64
}

// Run works until the plan is done or ctx ends.
func (s *Scheduler) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	return s.run(ctx, ctx, stop)
}

// RunHere is Run with n workers in this process, which end with it. If ctx ends, finished games are
// still kept.
func (s *Scheduler) RunHere(ctx context.Context, w Worker, n int) error {
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
	err := s.run(present, work, stop)
	stop()
	watch.Wait()
	if broken != nil {
		return broken
	}
	return err
}

// run enqueues until put is cancelled, and drains until collect is; stop cancels put.
func (s *Scheduler) run(collect, put context.Context, stop func()) error {
	s.inFlight, s.failures = map[string]*chunkInFlight{}, map[gameKey]int{}
	for {
		if err := s.fill(put); err != nil {
			s.fail(err)
		}
		if len(s.inFlight) == 0 {
			break
		}
		d, err := s.Queue.Collect(collect)
		if err != nil {
			if collect.Err() == nil {
				s.fail(err)
			}
			break
		}
		s.receive(&d)
		if s.enough || s.err != nil {
			stop()
		}
	}
	switch {
	case s.err != nil:
		return s.err
	case !s.enough && len(s.inFlight)+s.Plan.Remaining() > 0:
		return put.Err()
	}
	return nil
}

func (s *Scheduler) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// fill keeps two chunks for each worker in the queue.
func (s *Scheduler) fill(ctx context.Context) error {
	for ctx.Err() == nil && s.err == nil && len(s.inFlight) < 2*max(s.Plan.Workers, 1) {
		chunk, ok := s.Plan.Next()
		if !ok {
			return nil
		}
		if err := s.put(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scheduler) put(ctx context.Context, chunk Chunk) error {
	s.inFlight[chunk.ID()] = &chunkInFlight{chunk, chunk.First}
	err := s.Queue.Put(ctx, chunk)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// receive keeps delivered games, and retries a chunk that failed.
func (s *Scheduler) receive(d *Delivery) {
	if len(d.Games) > 0 && !s.keepFailed {
		switch err := s.Keep(&d.Chunk, d.Games); {
		case errors.Is(err, ErrStop):
			s.enough = true
		case err != nil:
			s.keepFailed = true
			s.fail(err)
		}
		s.Plan.RecordTimes(d)
	}
	id := d.Chunk.ID()
	l := s.inFlight[id]
	if l == nil {
		return // another worker has finished it
	}
	for i := range d.Games {
		l.next = max(l.next, d.Games[i].Index+1)
	}
	if !d.Final() {
		return
	}
	delete(s.inFlight, id)
	if d.Failed != "" {
		s.retry(l, d.failure())
	}
}

// retry plans the rest of a chunk that failed, unless its next game failed too often.
func (s *Scheduler) retry(l *chunkInFlight, reason error) {
	at := gameKey{l.chunk.Identity, l.next}
	tries := s.MaxAttempts
	if tries == 0 {
		tries = 3
	}
	if s.failures[at]++; s.failures[at] >= tries {
		s.fail(reason)
		return
	}
	rest := l.chunk
	rest.First, rest.Games = l.next, int(l.chunk.First+uint64(l.chunk.Games)-l.next)
	if rest.Games > 0 && !s.enough && s.err == nil {
		s.Plan.requeue(rest)
	}
}
