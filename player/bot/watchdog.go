package bot

import (
	"sync"
	"time"
)

// watchdog calls bite when a deadline passes. Guarding costs next to nothing: its
// one timer is left to run and looks, when it fires, whether there is a deadline
// yet to come. A timer of its own for each answer would wake a thread each time and
// halve the rate of quick bots.
type watchdog struct {
	bite func()

	mu       sync.Mutex
	timer    *time.Timer
	due      time.Time // when the timer fires; zero: it does not run
	deadline time.Time // zero: nothing to guard
	bitten   bool
}

// guard sets the deadline.
func (w *watchdog) guard(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deadline = time.Now().Add(limit)
	switch {
	case w.timer == nil:
		w.timer = time.AfterFunc(limit, w.look)
	case w.due.IsZero() || w.deadline.Before(w.due):
		w.timer.Reset(limit)
	default:
		return // it fires in time and looks again
	}
	w.due = w.deadline
}

// rest ends guarding and tells whether the deadline was met.
func (w *watchdog) rest() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deadline = time.Time{}
	return !w.bitten
}

// stop lets go of the timer.
func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deadline = time.Time{}
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *watchdog) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	left := time.Until(w.deadline)
	switch {
	case w.deadline.IsZero():
		w.due = time.Time{}
	case left > 0:
		w.timer.Reset(left)
		w.due = w.deadline
	default:
		w.bitten = true
		w.bite()
	}
}
