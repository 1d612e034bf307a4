package arena_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// anyone is the connection of a worker that invents a name for every delivery.
type anyone struct {
	*arena.LocalQueue
	names  atomic.Int64
	tamper func(d *arena.Delivery)
}

func (a *anyone) Deliver(ctx context.Context, d arena.Delivery) error {
	d.Worker = fmt.Sprint("worker ", a.names.Add(1))
	a.tamper(&d)
	return a.LocalQueue.Deliver(ctx, d)
}

// faults are the ways in which workers on other machines can end a chunk without its games.
var faults = map[string]func(d *arena.Delivery){
	"failing": func(d *arena.Delivery) { d.Failed = "out of order" },
	"lost":    func(d *arena.Delivery) { d.Failed, d.Worker, d.Lost = "nothing more was heard", "", true },
	"empty":   func(d *arena.Delivery) { d.Done = true },
}

// Whatever workers on other machines do with their chunks, and however many they say they are, it does not end
// the work: games that fail there are played on the scheduler's machine.
func TestFailuresElsewhere(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWork(t, 20, "greedy")
			q := arena.NewLocalQueue()
			rejected := 0
			s := &arena.Scheduler{Queue: q, Plan: w.plan(1), Keep: w.keep, Inspect: &arena.Inspector{
				Factory: factory,
				OnFalse: func(context.Context, *arena.Delivery, string, map[string][]arena.Range) error { rejected++; return nil },
			}}
			ctx, cancel := context.WithCancel(t.Context())
			bad := &anyone{LocalQueue: q, tamper: func(d *arena.Delivery) { d.Games, d.Done = nil, false; fault(d) }}
			var workers sync.WaitGroup
			workers.Go(func() { _ = (&arena.Worker{Queue: bad, Factory: factory}).Work(ctx) })
			err := s.Run(ctx)
			cancel()
			workers.Wait()
			if err != nil {
				t.Fatal(err)
			}
			w.check()
			if rejected > 0 {
				t.Errorf("%d workers were rejected for one failure each", rejected)
			}
		})
	}
}

// A game that fails elsewhere and here ends the work, with the reason here. What fails here alone ends it as
// without other machines.
func TestFailuresHere(t *testing.T) {
	for name, elsewhere := range map[string]bool{"elsewhere first": true, "here alone": false} {
		t.Run(name, func(t *testing.T) {
			w := newWork(t, 1, "greedy")
			q := arena.NewLocalQueue()
			played := 0
			broken := func(*arena.Chunk) (arena.PlayerFactory, error) {
				played++
				return arena.PlayerFactory{}, errors.New("no memory")
			}
			s := &arena.Scheduler{Queue: q, Plan: w.plan(1), Keep: w.keep, Inspect: &arena.Inspector{Factory: broken}}
			var queue arena.WorkerQueue = q
			if elsewhere {
				queue = &anyone{LocalQueue: q, tamper: func(d *arena.Delivery) { d.Failed = "\x1b[2Jfull of lies" }}
			}
			err := s.RunHere(t.Context(), arena.Worker{Queue: queue, Factory: broken}, 1)
			if err == nil || !strings.HasSuffix(err.Error(), "no memory") {
				t.Errorf("error %v", err)
			}
			if want := map[bool]int{true: 4, false: 3}[elsewhere]; played != want {
				t.Errorf("%d attempts, want %d", played, want)
			}
		})
	}
}
