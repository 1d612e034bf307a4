package arena_test

import (
	"testing"
	"testing/synctest"

	"afterstate/arena"
)

// Deliver waits while nobody collects, so that workers cannot run away from a slow
// disk.
func TestLocalQueueRoom(t *testing.T) { synctest.Test(t, room) }

func room(t *testing.T) {
	q := arena.NewLocalQueue(arena.LocalQueueOptions{MaxUncollected: 2})
	delivered := make(chan struct{}, 3)
	go func() {
		for range 3 {
			if err := q.Deliver(t.Context(), arena.Delivery{Done: true}); err != nil {
				t.Error(err)
			}
			delivered <- struct{}{}
		}
	}()
	<-delivered
	<-delivered
	synctest.Wait() // the third can do nothing more
	if len(delivered) > 0 {
		t.Error("three deliveries found room for two")
	}
	if _, _, err := q.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-delivered
}
