package arena_test

import (
	"testing"
	"testing/synctest"
	"time"

	"afterstate/arena"
	"afterstate/arena/queuetest"
)

func TestLocalQueue(t *testing.T) {
	queuetest.RunIn(t, func(_ *testing.T, lease time.Duration, tries int) arena.Queue {
		return arena.NewLocalQueue(arena.LocalQueueOptions{Lease: lease, MaxAttempts: tries})
	}, synctest.Test)
}

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
