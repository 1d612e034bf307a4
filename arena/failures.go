package arena

import "cmp"

// failures are those of one game.
type failures struct {
	n      int
	worker string // of the first one; see Delivery.Worker
	others bool   // there are failures of other workers
}

func (f *failures) add(worker string) {
	if f.n++; f.n == 1 {
		f.worker = worker
	}
	f.others = f.others || worker != f.worker
}

// oneWorker reports whether all failures may be the fault of a single worker on another machine.
func (f *failures) oneWorker() bool { return f.worker != "" && !f.others }

// retry plans the rest of a chunk that failed, unless its next game failed too often. If it failed only at
// one worker on another machine, it is played here.
func (s *Scheduler) retry(l *chunkInFlight, d *Delivery, reason error) {
	if len(l.missing) == 0 {
		return
	}
	game := l.missing[0].First
	at := gameKey{l.chunk.Identity, game}
	f := s.failures[at]
	if f == nil {
		f = &failures{}
		s.failures[at] = f
	}
	if f.add(d.Worker); f.n >= cmp.Or(s.MaxAttempts, 3) {
		if !f.oneWorker() || !s.Inspect.playFailed(d, game, reason) {
			s.fail(reason)
			return
		}
		l.came(game)
	}
	s.requeue(l)
}

// settle receives a game that failed at one worker and was played here. If it failed here too, that ends
// the work, otherwise the worker has ended a chunk without reason.
func (s *Scheduler) settle(i *inspection) {
	if i.err != nil {
		s.fail(i.failed.reason)
		return
	}
	s.receive([]received{{i.delivery, i.ack}})
	s.Inspect.incomplete(&Delivery{Chunk: i.delivery.Chunk, Worker: i.failed.worker}, i.delivery.Chunk.First)
}

// failedGame is the game of an inspection that failed at a worker.
type failedGame struct {
	worker string
	reason error
}

// playFailed plays a game that failed at a worker; false if it cannot. The inspection is among ended later.
func (i *Inspector) playFailed(d *Delivery, game uint64, reason error) bool {
	if i == nil || i.Factory == nil {
		return false
	}
	one := d.Chunk
	one.First, one.Games = game, 1
	job := &inspection{delivery: Delivery{Chunk: one, Done: true}, ack: func() {}, failed: &failedGame{d.Worker, reason}}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.waiting >= cap(i.jobs) {
		return false
	}
	i.held = append(i.held, job)
	i.waiting++
	i.jobs <- job
	return true
}
