package arena_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// slowQueue is a queue that accepts final deliveries only after some time.
type slowQueue struct {
	*arena.LocalQueue
	away     time.Duration
	arriving chan struct{} // a final delivery has begun
}

func (q *slowQueue) Deliver(ctx context.Context, d arena.Delivery) error {
	if d.Final() {
		q.arriving <- struct{}{}
		select {
		case <-time.After(q.away):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return q.LocalQueue.Deliver(ctx, d)
}

func newSlowQueue(away time.Duration) *slowQueue {
	return &slowQueue{arena.NewLocalQueue(), away, make(chan struct{}, 100)}
}

// A worker waits for a queue that is away, however long, and plays the next chunk meanwhile.
func TestWorkerWaitsForQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWork(t, 20, "greedy")
		q := newSlowQueue(time.Hour)
		s := &arena.Scheduler{Queue: q, Plan: w.plan(2), Keep: w.keep}
		if err := s.RunHere(t.Context(), arena.Worker{Queue: q, Factory: factory}, 2); err != nil {
			t.Fatal(err)
		}
		w.check()
	})
}

// A worker that is stopped waits for a queue that is away for a few seconds only.
func TestWorkerStopsWithoutQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newSlowQueue(time.Hour)
		if err := q.Put(t.Context(), arena.Chunk{Setup: setup, Player: "greedy", Identity: "greedy", Games: 1}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		worker := arena.Worker{Queue: q, Factory: factory}
		ended := make(chan error, 1)
		go func() { ended <- worker.Work(ctx) }()
		<-q.arriving
		time.Sleep(time.Minute)
		begun := time.Now()
		cancel()
		if err := <-ended; err != nil || time.Since(begun) != 10*time.Second {
			t.Errorf("%v after %v, want an end after 10 s", err, time.Since(begun))
		}
	})
}

// refusing is a queue that accepts no final delivery.
type refusing struct{ *arena.LocalQueue }

var errRefusing = errors.New("refused")

func (q refusing) Deliver(ctx context.Context, d arena.Delivery) error {
	if d.Final() {
		return errRefusing
	}
	return q.LocalQueue.Deliver(ctx, d)
}

// The error of a delivery ends a worker, also while it waits for the next chunk.
func TestWorkerRefused(t *testing.T) {
	for _, games := range []int{1, 50} {
		w := newWork(t, games, "greedy")
		q := refusing{arena.NewLocalQueue()}
		s := &arena.Scheduler{Queue: q, Plan: w.plan(1), Keep: w.keep}
		if err := s.RunHere(t.Context(), arena.Worker{Queue: q, Factory: factory}, 1); !errors.Is(err, errRefusing) {
			t.Errorf("%d games: error %v", games, err)
		}
	}
}
