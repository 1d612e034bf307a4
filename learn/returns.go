package learn

// What an afterstate is worth follows from what came after it. One move later that is
// the move's reward and the value of the afterstate it led to: TD(0) moves the value
// towards this sum. A return that looks further takes as much of the next afterstate's
// own return, and only the rest of its value:
//
//	return(m) = reward(m+1) + (1-lambda) * value(m+1) + lambda * return(m+1)
//
// and where it ends, a horizon of moves later, the value alone. An afterstate is
// learned once, as soon as its return is known, so that a longer return costs few
// additions and no further steps. The values are those of this moment, as the one that
// is moved: what was learned meanwhile is in both.

// target is the return of the oldest move in a full ring, where the next move's
// reward and value is known.
func (w *worker) target(oldest int, value float32) float32 {
	for at := w.before(oldest); at != oldest; at = w.before(at) {
		value = w.longer(&w.ring[at], value)
	}
	return value
}

// longer is the return of the afterstate before a move, from that of the move's own.
func (w *worker) longer(m *move, value float32) float32 {
	now := w.net.Sum(m.stage, m.at)
	return m.reward + (float32((1-w.lambda)*now) + float32(w.lambda*value))
}

// finish learns the moves that a game's end leaves in the ring, from the newest, after
// which nothing came.
func (w *worker) finish(next, moves int) {
	value := float32(0)
	for at := next; moves > 0; moves-- {
		at = w.before(at)
		w.learn.update(&w.ring[at].features, value)
		value = w.longer(&w.ring[at], value)
	}
}

// before is the place of a move's predecessor in the ring.
func (w *worker) before(at int) int {
	if at == 0 {
		at = len(w.ring)
	}
	return at - 1
}
