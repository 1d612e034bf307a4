package learn

// The truncated lambda return of the afterstate after move m is
//
//	return(m) = reward(m+1) + (1-lambda) * value(m+1) + lambda * return(m+1)
//
// and at the horizon the last value alone. lambda 0 is TD(0). An afterstate is updated once, as
// soon as its return is known (delayed update, Jaśkowski 2018), so a longer return costs a few
// additions and no further updates. All values are read at the time of the update.

// target returns the return of the oldest move in a full ring; value is the next move's reward +
// value.
func (w *learning) target(oldest int, value float32) float32 {
	for at := w.before(oldest); at != oldest; at = w.before(at) {
		value = w.extend(&w.ring[at], value)
	}
	return value
}

// extend returns the return of the afterstate before move m, given the return of m's own
// afterstate.
func (w *learning) extend(m *move, value float32) float32 {
	now := w.net.Sum(m.stage, m.at)
	return m.reward + (float32((1-w.lambda)*now) + float32(w.lambda*value))
}

// finish updates the moves left in the ring at the end of a game, the newest first. The return of
// the last one is value.
func (w *learning) finish(next, moves int, value float32) {
	for at := next; moves > 0; moves-- {
		at = w.before(at)
		w.learn.update(&w.ring[at].features, value)
		value = w.extend(&w.ring[at], value)
	}
}

// before returns the index of the predecessor in the ring.
func (w *learning) before(at int) int {
	if at == 0 {
		at = len(w.ring)
	}
	return at - 1
}
