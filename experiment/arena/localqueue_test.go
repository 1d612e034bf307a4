package arena_test

import (
	"testing"
	"testing/synctest"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Deliver waits while nobody collects, so that workers cannot run away from a slow
// disk.
func TestLocalQueueRoom(t *testing.T) { synctest.Test(t, room) }

func room(t *testing.T) {
	q := arena.NewLocalQueue()
	const maximum = 64
	delivered := make(chan struct{}, maximum+1)
	go func() {
		for range maximum + 1 {
			if err := q.Deliver(t.Context(), arena.Delivery{Done: true}); err != nil {
				t.Error(err)
			}
			delivered <- struct{}{}
		}
	}()
	synctest.Wait() // the last one can do nothing more
	if len(delivered) != maximum {
		t.Errorf("%d deliveries found room, want %d", len(delivered), maximum)
	}
	if _, err := q.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	if len(delivered) != maximum+1 {
		t.Error("a collected delivery made no room")
	}
}
