package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// ErrStop is returned by Scheduler.Keep to end the work successfully.
var ErrStop = errors.New("enough games")

// Scheduler puts the chunks of a plan into a queue and collects the games. Use it once.
type Scheduler struct {
	Queue SchedulerQueue
	Plan  *Planner
	// Keep stores finished games of a player permanently: those of one delivery, or of several that came
	// at once, so that a database needs one transaction for them. c is a chunk of this player without the numbers of games. Games may
	// come twice, and some more after it returned ErrStop; another error ends the work as failed. It is
	// called by one goroutine at a time.
	Keep func(c *Chunk, games []Recorded) error
	// MaxAttempts is how often a game may fail; 0: 3. Failures on other machines do not end the work: after
	// this number of them Inspect plays the game.
	MaxAttempts int
	// Capacity is the number of chunks of a player, by identity, that workers can play at once, where it changes
	// while they play; "": of the players that all workers can play. nil: Plan.Workers for all.
	Capacity func(identity string) int
	// Inspect checks deliveries of workers on other machines before Keep; nil: by Verify, without players.
	Inspect *Inspector

	inFlight   map[string]*chunkInFlight // chunks that were put and have not ended, by ID
	queued     map[string]int            // the number of them, by identity
	failures   map[gameKey]*failures
	enough     bool
	keepFailed bool // Keep failed: it is not called again
	err        error
}

// gameKey identifies a game of the experiment.
type gameKey struct {
	identity string
	index    uint64
}

// Run works until the plan is done or ctx ends, with workers elsewhere.
func (s *Scheduler) Run(ctx context.Context) error { return s.RunHere(ctx, Worker{}, 0) }

// RunHere is Run with n more workers in this process, which end with it. If ctx ends and there are some, finished
// games are still kept.
func (s *Scheduler) RunHere(ctx context.Context, w Worker, n int) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	if n == 0 {
		return s.run(work, work, stop)
	}
	present, leave := context.WithCancel(context.WithoutCancel(ctx))
	var broken error
	var workers sync.WaitGroup
	workers.Go(func() {
		broken = w.WorkOn(work, n)
		stop()
		leave()
	})
	err := s.run(present, work, stop)
	stop()
	workers.Wait()
	return cmp.Or(broken, err)
}

// run enqueues until put is cancelled, and drains until collect is; stop cancels put.
func (s *Scheduler) run(collect, put context.Context, stop func()) error {
	s.begin()
	defer s.Inspect.begin(collect)()
	for {
		if err := s.fill(put); err != nil {
			s.err = cmp.Or(s.err, err)
		}
		if len(s.inFlight) == 0 && s.Inspect.pending() == 0 {
			break
		}
		if err := s.collect(collect); err != nil {
			if collect.Err() == nil {
				s.err = cmp.Or(s.err, err)
			}
			break
		}
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

func (s *Scheduler) begin() {
	if s.Inspect == nil {
		s.Inspect = new(Inspector)
	}
	if s.inFlight == nil {
		s.inFlight, s.queued, s.failures = map[string]*chunkInFlight{}, map[string]int{}, map[gameKey]*failures{}
	}
}

// Resume takes over a queue that a former scheduler left: it collects what came back meanwhile, and
// returns the games that are still outstanding, by identity, ascending. have are the games that are kept
// already. Call it before Run or RunHere, with an empty plan; the plan for these must not hold the games
// that are kept then or outstanding.
func (s *Scheduler) Resume(ctx context.Context, q RemoteQueue, have map[string][]Range) (map[string][]Range, error) {
	s.begin()
	chunks, err := q.Outstanding(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range chunks {
		l := s.track(c)
		l.missing = without(l.missing, have[c.Identity]...)
	}
	defer s.Inspect.begin(ctx)()
	for s.err == nil && !s.enough && ctx.Err() == nil {
		now, cancel := context.WithCancel(ctx)
		if s.Inspect.pending() == 0 {
			cancel() // what exists is collected even so
		}
		err := s.collect(now)
		ended := now.Err() != nil
		cancel()
		if err != nil && !ended {
			return nil, err
		}
		if err != nil && s.Inspect.pending() == 0 {
			break
		}
	}
	all := map[string][]Range{}
	for _, l := range s.inFlight {
		all[l.chunk.Identity] = append(all[l.chunk.Identity], l.missing...)
	}
	for _, games := range all {
		slices.SortFunc(games, func(a, b Range) int { return cmp.Compare(a.First, b.First) })
	}
	return all, cmp.Or(s.err, ctx.Err())
}

// Enough reports whether Keep returned ErrStop.
func (s *Scheduler) Enough() bool { return s.enough }

// refill is how often the scheduler asks for Capacity while nothing is delivered.
const refill = time.Second

// maxBatch is the most deliveries that are kept at once.
const maxBatch = 64

// collect receives what has been delivered, and the deliveries whose inspection has ended. It waits for
// the first one.
func (s *Scheduler) collect(ctx context.Context) (err error) {
	wait, cancel := s.Inspect.wake(ctx)
	defer cancel()
	if s.Capacity != nil {
		wait, cancel = context.WithTimeout(wait, refill)
		defer cancel()
	}
	var batch []*inspection
	for more := true; more; more = len(batch) < maxBatch && s.Queue.Ready() {
		next := new(inspection)
		if next.delivery, next.ack, err = s.Queue.Collect(wait); err != nil {
			break
		}
		if s.Inspect.accepts(next) {
			batch = append(batch, next)
		}
	}
	s.receive(batch)
	if err != nil && (ctx.Err() != nil || wait.Err() == nil) {
		return err
	}
	return s.receiveInspected(ctx)
}

// receiveInspected receives the deliveries whose inspection has ended.
func (s *Scheduler) receiveInspected(ctx context.Context) error {
	var batch []*inspection
	for _, i := range s.Inspect.ended() {
		if i.failed == nil && i.err == nil {
			batch = append(batch, i)
			continue
		}
		s.receive(batch) // before a worker is rejected with all that was kept
		batch = nil
		if i.failed != nil {
			s.settle(i)
		} else if err := s.reject(ctx, &i.delivery, i.err); err != nil {
			return err
		}
		i.ack()
	}
	s.receive(batch)
	return nil
}

// fill keeps two chunks for each worker in the queue. Two of players that nobody plays wait there besides. Chunks that
// fewer workers can play count as theirs too, so that those are not given more than they can take, which would leave no
// room for chunks that more can play.
func (s *Scheduler) fill(ctx context.Context) error {
	if s.Capacity != nil {
		s.Plan.Workers = max(s.Capacity(""), 1)
	}
	known := map[string]int{} // numbers change at any time
	workers := func(identity string) int {
		n, ok := known[identity]
		if !ok {
			n = max(s.Plan.Workers, 1)
			if s.Capacity != nil {
				n = s.Capacity(identity)
			}
			known[identity] = n
		}
		return n
	}
	queued := map[int]int{} // chunks, by how many workers can play them
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
	for ctx.Err() == nil && !s.enough && s.err == nil {
		chunk, ok := s.Plan.Next(room)
		if !ok {
			return nil
		}
		s.track(chunk)
		if err := s.Queue.Put(ctx, chunk); err != nil && ctx.Err() == nil {
			return err
		}
		queued[workers(chunk.Identity)]++
	}
	return nil
}

// receive keeps delivered games, acknowledges the deliveries, and plans the rest of chunks that ended
// without some games.
func (s *Scheduler) receive(batch []*inspection) {
	for _, i := range batch {
		s.Inspect.disown(&i.delivery)
	}
	s.keep(batch)
	for _, i := range batch {
		s.Plan.RecordTimes(&i.delivery)
		s.note(&i.delivery)
		if !s.keepFailed { // otherwise they come again when the work is resumed
			i.ack()
		}
	}
}

// keep keeps the games of deliveries, those of one player at once.
func (s *Scheduler) keep(batch []*inspection) {
	var order []Chunk // one of each player
	games := map[Chunk][]Recorded{}
	for _, i := range batch {
		d := &i.delivery
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

// note notes which games of a chunk have come, and plans the rest of one that has ended.
func (s *Scheduler) note(d *Delivery) {
	id := d.Chunk.ID()
	l := s.inFlight[id]
	if l == nil {
		return // another worker has finished it
	}
	for i := range d.Games {
		l.missing = without(l.missing, Range{d.Games[i].Index, 1})
	}
	if !d.Final() {
		return
	}
	s.forget(id)
	switch {
	case d.Returned:
		s.requeue(l)
	case d.Failed != "":
		s.retry(l, d, cmp.Or(d.cause, errors.New(d.Failed)))
	case len(l.missing) > 0:
		s.retry(l, d, fmt.Errorf("%s: games %d to %d ended without game %d", d.Chunk.Player, d.Chunk.First, d.Chunk.First+uint64(d.Chunk.Games)-1, l.missing[0].First))
	}
}

// reject plans all games again that the worker of a false delivery delivered.
func (s *Scheduler) reject(ctx context.Context, d *Delivery, reason error) error {
	former, err := s.Inspect.reject(context.WithoutCancel(ctx), d, reason)
	if err != nil {
		return err
	}
	for identity, games := range former {
		if !s.enough && s.err == nil {
			s.Plan.requeue(identity, games)
		}
	}
	if l := s.inFlight[d.Chunk.ID()]; l != nil && d.Final() {
		s.forget(d.Chunk.ID())
		s.requeue(l)
	}
	return nil
}

// chunkInFlight is a chunk that was put and has not ended.
type chunkInFlight struct {
	chunk   Chunk
	missing []Range // its games that have not come back, ascending
}

// track notes that a chunk was put.
func (s *Scheduler) track(chunk Chunk) *chunkInFlight {
	s.forget(chunk.ID())
	l := &chunkInFlight{chunk, []Range{{chunk.First, chunk.Games}}}
	s.inFlight[chunk.ID()] = l
	s.queued[chunk.Identity]++
	return l
}

// forget notes that a chunk has ended.
func (s *Scheduler) forget(id string) {
	if l := s.inFlight[id]; l != nil {
		delete(s.inFlight, id)
		if s.queued[l.chunk.Identity]--; s.queued[l.chunk.Identity] == 0 {
			delete(s.queued, l.chunk.Identity)
		}
	}
}

// requeue plans the missing games of a chunk.
func (s *Scheduler) requeue(l *chunkInFlight) {
	if !s.enough && s.err == nil {
		s.Plan.requeue(l.chunk.Identity, l.missing)
	}
}
