package arena

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/afterstate2048/afterstate/internal/workers"
)

// ErrStop is returned by Scheduler.Keep to end the work successfully.
var ErrStop = errors.New("enough games")

// Scheduler puts the chunks of a plan into a queue and collects the games. A Scheduler can run only once.
type Scheduler struct {
	Queue Queue
	Plan  *Planner
	// Keep stores finished games of a player permanently. It gets the games of one delivery, or of several
	// that arrived together, so that a database needs one transaction for them. c is a chunk of this player
	// with First and Games 0. The same game may come twice, and more games may come after Keep has returned
	// ErrStop. Any other error ends the work as failed. Keep is called by one goroutine at a time.
	Keep func(c *Chunk, games []Recorded) error
	// Capacity returns how many chunks of the player with this identity can currently be played at the same
	// time. For the identity "" it returns the number for a player that every worker can play. If Capacity is
	// nil, the number is Plan.Workers.
	Capacity func(identity string) int
	// MaxAttempts is the number of failures of the same game after which the work ends with the game's error;
	// 0 means 3.
	MaxAttempts int

	inFlight   map[string]*chunkInFlight // chunks that are in the queue or being played, by ID
	queued     map[string]int            // number of chunks in flight, by identity
	failures   map[gameKey]int
	enough     bool
	keepFailed bool // Keep has failed, and is not called again
	err        error
}

// gameKey identifies a game of the experiment.
type gameKey struct {
	identity string
	index    uint64
}

// Run runs n workers in this process until the plan is done or ctx ends. If ctx ends, finished games are still
// kept.
func (s *Scheduler) Run(ctx context.Context, w Worker, n int) error {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{}) // closed when all workers have ended
	go func() {
		defer close(ended)
		_ = workers.Try(ctx, n, func(ctx context.Context, _ int) error { // if one worker panics, Try ends the others
			w.Work(ctx)
			return nil
		})
	}()
	defer func() {
		stop()
		<-ended
	}()
	s.inFlight, s.queued, s.failures = map[string]*chunkInFlight{}, map[string]int{}, map[gameKey]int{}
	for {
		s.fill(ctx)
		if s.finished() {
			stop() // the workers deliver the games that they have finished, and end
		}
		if len(s.inFlight) == 0 || !s.collect(ended) {
			break
		}
	}
	if s.finished() || len(s.inFlight)+s.Plan.Remaining() == 0 {
		return s.err
	}
	return ctx.Err()
}

// finished reports whether no more games are needed, or the work has failed.
func (s *Scheduler) finished() bool { return s.enough || s.err != nil }

// refill is the interval between calls of Capacity while no deliveries arrive.
const refill = time.Second

// maxBatch is the maximum number of deliveries that are stored together.
const maxBatch = 64

// collect receives the deliveries that have arrived. It waits for the first one, but at most for refill if Capacity
// is set. It returns false once the workers have ended.
func (s *Scheduler) collect(ended <-chan struct{}) (working bool) {
	delivered, working := s.Queue.Delivered(), true
	var refillTime <-chan time.Time
	if s.Capacity != nil {
		refillTime = time.After(refill)
	}
	var batch []Delivery
	select {
	case d := <-delivered:
		batch = append(batch, d)
	case <-refillTime:
	case <-ended:
		working = false
	}
	for len(delivered) > 0 && len(batch) < maxBatch {
		batch = append(batch, <-delivered)
	}
	s.receive(batch)
	return working
}

// fill keeps the queue filled. The queue holds two chunks for each worker, and two chunks of
// players that no worker can play at present. A player that only some workers can play is limited
// to two chunks for each of these workers, so that its chunks do not fill the queue. Its chunks
// also count towards the limit of players that more workers can play. If the queue returns an
// error, fill stores it in s.err.
func (s *Scheduler) fill(ctx context.Context) {
	if s.Capacity != nil {
		s.Plan.Workers = max(s.Capacity(""), 1)
	}
	capacity := map[string]int{} // by identity, kept because Capacity may return another value at the next call
	workers := func(identity string) int {
		n, ok := capacity[identity]
		if !ok {
			n = max(s.Plan.Workers, 1)
			if s.Capacity != nil {
				n = s.Capacity(identity)
			}
			capacity[identity] = n
		}
		return n
	}
	queued := map[int]int{} // number of chunks in flight, by the number of workers that can play them
	for identity, chunks := range s.queued {
		queued[workers(identity)] += chunks
	}
	room := func(identity string) bool {
		n := workers(identity)
		left := 2 * max(n, 1)
		for m, chunks := range queued {
			if m == n || 0 < m && m < n {
				left -= chunks
			}
		}
		return left > 0
	}
	for ctx.Err() == nil && !s.finished() {
		chunk, ok := s.Plan.Next(room)
		if !ok {
			return
		}
		s.forget(chunk.ID())
		s.inFlight[chunk.ID()] = &chunkInFlight{chunk, []Range{{chunk.First, chunk.Games}}}
		s.queued[chunk.Identity]++
		if err := s.Queue.Put(ctx, chunk); err != nil && ctx.Err() == nil {
			s.err = err
		}
		queued[workers(chunk.Identity)]++
	}
}

// receive passes delivered games to Keep, and plans missing games again.
func (s *Scheduler) receive(batch []Delivery) {
	s.keep(batch)
	for i := range batch {
		d := &batch[i]
		s.Plan.RecordTimes(d)
		s.note(d)
		if d.Stored != nil && !s.keepFailed { // otherwise the games are delivered again when the work is resumed
			d.Stored()
		}
	}
}

// keep calls Keep once for each player, with all its games in the batch.
func (s *Scheduler) keep(batch []Delivery) {
	var order []Chunk // one chunk for each player
	games := map[Chunk][]Recorded{}
	for i := range batch {
		d := &batch[i]
		if len(d.Games) == 0 {
			continue
		}
		of := d.Chunk
		of.First, of.Games = 0, 0
		if games[of] == nil {
			order = append(order, of)
		}
		games[of] = append(games[of], d.Games...)
	}
	for i := range order {
		if s.keepFailed {
			return
		}
		switch err := s.Keep(&order[i], games[order[i]]); {
		case errors.Is(err, ErrStop):
			s.enough = true
		case err != nil:
			s.keepFailed, s.err = true, cmp.Or(s.err, err)
		}
	}
}

// note records that a chunk has ended, and plans its missing games again. If the same game has
// failed MaxAttempts times, note sets s.err.
func (s *Scheduler) note(d *Delivery) {
	id := d.Chunk.ID()
	l := s.inFlight[id]
	if l == nil {
		s.Plan.drop(d.Chunk.Identity, d.Games) // an earlier scheduler queued the chunk
		return
	}
	for i := range d.Games {
		l.missing = without(l.missing, Range{d.Games[i].Index, 1})
	}
	s.forget(id)
	if d.Failed != nil && len(l.missing) > 0 {
		at := gameKey{l.chunk.Identity, l.missing[0].First}
		if s.failures[at]++; s.failures[at] >= cmp.Or(s.MaxAttempts, 3) {
			s.err = cmp.Or(s.err, d.Failed)
		}
	}
	if !s.finished() {
		s.Plan.requeue(l.chunk.Identity, l.missing)
	}
}

// chunkInFlight is a chunk that was put into the queue and has not ended.
type chunkInFlight struct {
	chunk   Chunk
	missing []Range // games of the chunk that have not been delivered, ascending
}

// forget removes a chunk that has ended from the chunks in flight.
func (s *Scheduler) forget(id string) {
	if l := s.inFlight[id]; l != nil {
		delete(s.inFlight, id)
		if s.queued[l.chunk.Identity]--; s.queued[l.chunk.Identity] == 0 {
			delete(s.queued, l.chunk.Identity)
		}
	}
}
