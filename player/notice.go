package player

import (
	"context"
	"sync"
	"time"
)

// noticeAfter is how long a player loads something before its user is told.
const noticeAfter = 300 * time.Millisecond

// notice calls tell when something is being loaded for long.
type notice struct {
	tell func(loading bool)

	mu      sync.Mutex
	loading int // how many load
	timer   *time.Timer
	told    bool
}

type noticeKey struct{}

// WithNotice returns a context with a function that is called with true when a player has been
// loading something, such as a network, for 0.3 s, and with false when it is loaded. It is called
// from other goroutines, one call at a time, and must not wait for the player. A notice replaces
// that of an enclosing context.
func WithNotice(ctx context.Context, tell func(loading bool)) context.Context {
	return context.WithValue(ctx, noticeKey{}, &notice{tell: tell})
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
	if n.loading > 0 && !n.told {
		n.told = true
		n.tell(true)
	}
}

func (n *notice) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.loading--; n.loading > 0 {
		return
	}
	n.timer.Stop()
	if n.told {
		n.told = false
		n.tell(false)
	}
}
