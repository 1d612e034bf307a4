package player_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/player"
)

// A limit ends its context after the time that nothing was loaded.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := player.WithLimit(t.Context(), 10*time.Second)
		defer cancel()
		time.Sleep(4 * time.Second)
		first, second := player.Loading(ctx), player.Loading(ctx)
		time.Sleep(time.Minute)
		first()
		time.Sleep(time.Minute)
		if ctx.Err() != nil {
			t.Error("it ended while something was loaded")
		}
		second()
		<-ctx.Done()
		if took := time.Since(start); took != 10*time.Second+2*time.Minute || context.Cause(ctx) != context.DeadlineExceeded {
			t.Errorf("it ended after %v: %v", took, context.Cause(ctx))
		}
		player.Loading(t.Context())()
	})
}
