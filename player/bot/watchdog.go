package bot

import (
	"sync"
	"time"
)

// watchdog calls bite when a deadline passes. Its single timer keeps running between answers and
// checks on expiry whether a deadline is set. Creating a timer for each answer would wake a thread
// each time and halve the rate of fast bots.
type watchdog struct {
	bite func()

	mu       sync.Mutex
	timer    *time.Timer
	due      time.Time // when the timer fires; zero: not running
	deadline time.Time // zero: no deadline
	bitten   bool
}

// guard sets the deadline to limit from now.
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
		return // the timer fires early enough and checks again
	}
	w.due = w.deadline
}

// rest clears the deadline and reports whether it was met.
func (w *watchdog) rest() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deadline = time.Time{}
	return !w.bitten
}

// stop stops the timer.
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
