package workers

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

func loseMind() { panic("lost its mind") }

// caught returns the value with which f panics.
func caught(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

// A panic of any worker reaches the caller after all have ended, that of another goroutine with its stack.
func TestPanic(t *testing.T) {
	for _, guilty := range []int{-1, 0, 3} {
		var done atomic.Int64
		p := caught(func() {
			Run(6, func(worker int) {
				defer done.Add(1)
				if worker == guilty {
					loseMind()
				}
			})
		})
		if done.Load() != 6 || (p != nil) != (guilty >= 0) {
			t.Errorf("with a panic in worker %d: %d ended, caught %v", guilty, done.Load(), p)
		}
		if guilty <= 0 {
			continue
		}
		if p, ok := p.(*PanicError); !ok || p.Value != "lost its mind" || !strings.Contains(p.Error(), "workers.loseMind") {
			t.Errorf("worker %d: caught %v, want the value and the stack", guilty, p)
		}
	}
}

// A panic ends the context of the other workers.
func TestPanicStops(t *testing.T) {
	for guilty := range 3 {
		p := caught(func() {
			_ = Try(t.Context(), 3, func(ctx context.Context, worker int) error {
				if worker == guilty {
					loseMind()
				}
				<-ctx.Done()
				return nil
			})
		})
		if p == nil {
			t.Errorf("the panic of worker %d did not reach the caller", guilty)
		}
	}
}

// Each calls do once for each item; the first error ends it, and so does the context.
func TestEach(t *testing.T) {
	var done [100]atomic.Int64
	must.Do(t, Each(t.Context(), 4, len(done), func(_ context.Context, worker, item int) error {
		if worker < 0 || worker >= 4 {
			t.Errorf("worker %d of 4", worker)
		}
		done[item].Add(1)
		return nil
	}))
	for i := range done {
		must.Equal(t, done[i].Load(), 1, "times of item", i)
	}
	bad := errors.New("bad")
	calls := 0
	err := Each(t.Context(), 1, 10, func(_ context.Context, _, item int) error {
		if calls++; item == 3 {
			return bad
		}
		return nil
	})
	if err != bad || calls != 4 {
		t.Errorf("error %v after %d calls, want %v after 4", err, calls, bad)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Each(ended, 2, 10, func(context.Context, int, int) error { t.Error("called after the end"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's error", err)
	}
	if err := Each(t.Context(), 2, 0, nil); err != nil {
		t.Errorf("no items: %v", err)
	}
}
