package player

import (
	"context"
	"sync"
	"time"
)

// noticeAfter is the loading time after which a notice is given.
const noticeAfter = 300 * time.Millisecond

// loading counts what is being loaded with a context.
type loading struct {
	mu    sync.Mutex
	count int
	// begin is called when the first begins to load, and end when the last has loaded, both with mu held.
	begin, end func()
}

type (
	limitKey  struct{}
	noticeKey struct{}
)

// Loading is called by a player that begins to load something, such as a network, and loaded when
// that is done. Meanwhile the time of a context made by [WithLimit] does not run, since loading is no
// part of the time that a player thinks, and a notice of [WithNotice] is given.
func Loading(ctx context.Context) (loaded func()) {
	var all []*loading
	for _, key := range []any{limitKey{}, noticeKey{}} {
		if l, ok := ctx.Value(key).(*loading); ok {
			all = append(all, l)
			l.add(1)
		}
	}
	return func() {
		for _, l := range all {
			l.add(-1)
		}
	}
}

func (l *loading) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.count += n; {
	case n > 0 && l.count == 1:
		l.begin()
	case l.count == 0:
		l.end()
	}
}

// WithLimit returns a context that ends after some time. The time does not run between [Loading]
// and the call of what that returns.
func WithLimit(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	left, running := most, time.Now()
	timer := time.AfterFunc(most, func() { cancel(context.DeadlineExceeded) })
	l := &loading{
		begin: func() {
			timer.Stop()
			left -= time.Since(running)
		},
		end: func() {
			if ctx.Err() == nil {
				running = time.Now()
				timer.Reset(max(0, left))
			}
		},
	}
	return context.WithValue(ctx, limitKey{}, l), func() {
		timer.Stop()
		cancel(nil)
	}
}

// WithNotice returns a context with a function that is called with true when a player has been
// loading something, such as a network, for 0.3 s, and with false when it is loaded. It is called
// from other goroutines, one call at a time, and must not wait for the player. A notice replaces
// that of an enclosing context.
func WithNotice(ctx context.Context, report func(loading bool)) context.Context {
	l, given := new(loading), false
	give := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.count > 0 && !given {
			given = true
			report(true)
		}
	}
	var timer *time.Timer
	l.begin = func() { timer = time.AfterFunc(noticeAfter, give) }
	l.end = func() {
		timer.Stop()
		if given {
			given = false
			report(false)
		}
	}
	return context.WithValue(ctx, noticeKey{}, l)
}
