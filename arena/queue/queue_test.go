package queue_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"afterstate/arena"
	"afterstate/arena/queue"
	"afterstate/arena/queuetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestQueue(t *testing.T) {
	queuetest.Run(t, func(_ *testing.T, lease time.Duration, tries int) arena.Queue {
		return queue.New(queue.Options{Lease: lease, Tries: tries})
	})
}

// Deliver waits while nobody collects, so that workers cannot run away from a slow
// disk.
func TestRoom(t *testing.T) {
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
	select {
	case <-delivered:
		t.Error("three deliveries found room for two")
	case <-time.After(100 * time.Millisecond):
	}
	if _, err := q.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-delivered
}
