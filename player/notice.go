package player

import (
	"context"
	"sync"
	"time"
)

// noticeAfter is the loading time after which a notice is given.
const noticeAfter = 300 * time.Millisecond

// notice calls report when something is being loaded for long.
type notice struct {
	report func(loading bool)

	mu      sync.Mutex
	loading int // how many load
	timer   *time.Timer
	given   bool
}

type noticeKey struct{}

// WithNotice returns a context with a function that is called with true when a player has been
// loading something, such as a network, for 0.3 s, and with false when it is loaded. It is called
// from other goroutines, one call at a time, and must not wait for the player. A notice replaces
// that of an enclosing context.
func WithNotice(ctx context.Context, report func(loading bool)) context.Context {
	return context.WithValue(ctx, noticeKey{}, &notice{report: report})
}

// beginNotice begins the time after which the notice is given; end ends it.
func beginNotice(ctx context.Context) (end func()) {
	n, ok := ctx.Value(noticeKey{}).(*notice)
	if !ok {
		return func() {}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.loading++; n.loading == 1 {
		n.timer = time.AfterFunc(noticeAfter, n.give)
	}
	return n.end
}

func (n *notice) give() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.loading > 0 && !n.given {
		n.given = true
		n.report(true)
	}
}

func (n *notice) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.loading--; n.loading > 0 {
		return
	}
	n.timer.Stop()
	if n.given {
		n.given = false
		n.report(false)
	}
}
