package arena

// room is how many chunks may be queued.
type room struct {
	workers func(identity string) int // how many can play a player's chunks
	queued  map[int]int               // chunks, by how many workers can play them
}

// room returns how many chunks may be queued at present.
func (s *Scheduler) room() *room {
	known := map[string]int{} // numbers change at any time
	r := &room{queued: map[int]int{}, workers: func(identity string) int {
		n, ok := known[identity]
		if !ok {
			n = max(s.Plan.Workers, 1)
			if s.CapacityFor != nil {
				n = s.CapacityFor(identity)
			}
			known[identity] = n
		}
		return n
	}}
	for identity, chunks := range s.queued {
		r.queued[r.workers(identity)] += chunks
	}
	return r
}

// left is how many chunks of a player may be added. Chunks that fewer workers can play count too, so that those
// are not given more than they can take, which would leave no room for chunks that more can play.
func (r *room) left(identity string) int {
	n := r.workers(identity)
	left := 2 * max(n, 1)
	for m, chunks := range r.queued {
		if m == n || 0 < m && m < n {
			left -= chunks
		}
	}
	return left
}
