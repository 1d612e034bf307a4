package arena

import "cmp"

// failures are those of one game.
type failures struct {
	n, here int             // all, and those of workers of this process
	workers map[string]bool // on other machines, that reported one
}

func (f *failures) add(d *Delivery) {
	f.n++
	switch {
	case d.Lost: // whoever had the chunk
	case d.Worker == "":
		f.here++
	default:
		f.workers[d.Worker] = true
	}
}

// retry plans the rest of a chunk that failed, or ended without some games. If its next game failed too often,
// that ends the work. But what happens on other machines ends nothing, whatever the workers there say that they
// are: the game is then played here.
func (s *Scheduler) retry(l *chunkInFlight, d *Delivery, reason error) {
	if len(l.missing) == 0 {
		return
	}
	game := l.missing[0].First
	at := gameKey{l.chunk.Identity, game}
	f := s.failures[at]
	if f == nil {
		f = &failures{workers: map[string]bool{}}
		s.failures[at] = f
	}
	f.add(d)
	if maximum := cmp.Or(s.MaxAttempts, 3); f.n >= maximum {
		if f.here >= maximum || s.Inspect.Factory == nil {
			s.err = cmp.Or(s.err, reason)
			return
		}
		if s.Inspect.playFailed(d, game, f.workers) {
			l.missing = without(l.missing, Range{game, 1})
			delete(s.failures, at)
		}
	}
	s.requeue(l)
}

// settle receives a game that failed on other machines and was played here. If it failed here too, that ends
// the work, otherwise the workers that reported a failure ended a chunk without reason.
func (s *Scheduler) settle(i *inspection) {
	if i.err != nil {
		s.err = cmp.Or(s.err, i.err)
		return
	}
	s.receive([]*inspection{i})
	for worker := range i.failed {
		s.Inspect.incomplete(&Delivery{Chunk: i.delivery.Chunk, Worker: worker}, i.delivery.Chunk.First)
	}
}
