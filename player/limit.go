package player

import (
	"context"
	"sync"
	"time"
)

// limit is a time that does not run while something is loaded.
type limit struct {
	mu      sync.Mutex
	timer   *time.Timer
	left    time.Duration
	running time.Time // since when
	loading int       // how many load
}

type limitKey struct{}

// WithLimit returns a context that ends after some time. The time does not run between [Loading]
// and the call of what that returns.
func WithLimit(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	l := &limit{left: most, running: time.Now()}
	l.timer = time.AfterFunc(most, func() { cancel(context.DeadlineExceeded) })
	return context.WithValue(ctx, limitKey{}, l), func() {
		l.timer.Stop()
		cancel(nil)
	}
}

// Loading is called by a player that begins to load something, such as a network, and loaded when
// that is done. Meanwhile the time of a context made by [WithLimit] does not run, since loading is no
// part of the time that a player thinks, and a notice of [WithNotice] is given.
func Loading(ctx context.Context) (loaded func()) {
	running, noticed := stopLimit(ctx), beginNotice(ctx)
	return func() {
		noticed()
		running()
	}
}

// stopLimit stops the time of a context until running is called.
func stopLimit(ctx context.Context) (running func()) {
	l, ok := ctx.Value(limitKey{}).(*limit)
	if !ok {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.loading++; l.loading == 1 {
		l.timer.Stop()
		l.left -= time.Since(l.running)
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.loading--; l.loading == 0 && ctx.Err() == nil {
			l.running = time.Now()
			l.timer.Reset(max(0, l.left))
		}
	}
}
