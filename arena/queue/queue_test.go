package queue_test

import (
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"afterstate/arena"
	"afterstate/arena/queue"
	"afterstate/arena/queuetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestQueue(t *testing.T) {
	queuetest.RunIn(t, func(_ *testing.T, lease time.Duration, tries int) arena.Queue {
		return queue.New(queue.Options{Lease: lease, Tries: tries})
	}, synctest.Test)
}

// Deliver waits while nobody collects, so that workers cannot run away from a slow
// disk.
func TestRoom(t *testing.T) { synctest.Test(t, room) }

func room(t *testing.T) {
	q := queue.New(queue.Options{Room: 2})
	delivered := make(chan struct{}, 3)
	go func() {
		for range 3 {
			if err := q.Deliver(t.Context(), arena.Delivery{}); err != nil {
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
	if _, err := q.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-delivered
}
