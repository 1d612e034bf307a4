package arena

// chunkInFlight is a chunk that was put and has not ended.
type chunkInFlight struct {
	chunk   Chunk
	missing []Range // its games that have not come back, ascending
}

// received removes a game from the missing ones.
func (l *chunkInFlight) received(index uint64) {
	l.missing = without(l.missing, Range{index, 1})
}

func (s *Scheduler) track(chunk Chunk) {
	s.forget(chunk.ID())
	s.inFlight[chunk.ID()] = &chunkInFlight{chunk, []Range{{chunk.First, chunk.Games}}}
	s.queued[chunk.Identity]++
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
