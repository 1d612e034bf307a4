package player

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
)

// A notice is given once something has been loading for 0.3 s, and again when all is loaded.
func TestNotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type event struct {
			loading bool
			at      time.Duration
		}
		begin, events := time.Now(), []event{}
		ctx := WithNotice(t.Context(), func(loading bool) { events = append(events, event{loading, time.Since(begin)}) })
		load := func(d time.Duration) {
			defer Loading(ctx)()
			time.Sleep(d)
		}
		load(299 * time.Millisecond)
		time.Sleep(time.Second)
		synctest.Wait()
		if len(events) != 0 {
			t.Fatalf("told of what is quick: %v", events)
		}
		begin = time.Now()
		go load(500 * time.Millisecond)
		go load(2 * time.Second)
		load(time.Second)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if want := []event{{true, 300 * time.Millisecond}, {false, 2 * time.Second}}; !slices.Equal(events, want) {
			t.Errorf("%v, want %v", events, want)
		}
	})
}

// A notice goes along with a limit; an inner notice takes the place of an outer one.
func TestNoticeWithLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer, inner := 0, 0
		ctx := WithNotice(t.Context(), func(bool) { outer++ })
		ctx, cancel := WithLimit(WithNotice(ctx, func(bool) { inner++ }), time.Second)
		defer cancel()
		loaded := Loading(ctx)
		time.Sleep(time.Minute)
		synctest.Wait()
		loaded()
		if ctx.Err() != nil || inner != 2 || outer != 0 {
			t.Errorf("%v, %d notices, %d outside", ctx.Err(), inner, outer)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		must.Equal(t, context.Cause(ctx), context.DeadlineExceeded, "cause")
	})
}
