package arena_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
)

// A worker that is stopped while nobody collects waits for a few seconds only.
func TestWorkerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := arena.NewLocalQueue()
		for range 64 {
			must.Do(t, q.Deliver(t.Context(), arena.Delivery{Done: true}))
		}
		must.Do(t, q.Put(t.Context(), arena.Chunk{Setup: setup, Player: "greedy", Identity: "greedy", Games: 1}))
		ctx, cancel := context.WithCancel(t.Context())
		worker := arena.Worker{Queue: q, Factory: factory}
		ended := make(chan bool)
		go func() { worker.Work(ctx); close(ended) }()
		time.Sleep(time.Minute)
		begun := time.Now()
		cancel()
		<-ended
		if time.Since(begun) != 10*time.Second {
			t.Errorf("after %v, want an end after 10 s", time.Since(begun))
		}
	})
}
