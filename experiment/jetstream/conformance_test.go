package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/rules/board"
)

// openQueue makes an empty queue that hands a chunk out again after lease, and counts it as failed after
// this number of attempts. Queues that are open at the same time are independent.
type openQueue func(t *testing.T, lease time.Duration, tries int) arena.Queue

const (
	lease   = 120 * time.Millisecond
	forever = time.Hour
)

// cases are the tests of a queue.
type cases map[string]func(t *testing.T, open openQueue)

// basics are those for all queues. Chunks in them are names only: nothing is played.
var basics = cases{
	"comes and goes":    comesAndGoes,
	"put twice":         putTwice,
	"failing":           failing,
	"ends with ctx":     endsWithContext,
	"kept after ctx":    keptAfterContext,
	"a chunk is intact": intact,
}

// leases are those for queues whose workers may vanish.
var leases = cases{
	"lost":             lost,
	"lost too often":   lostTooOften,
	"alive":            alive,
	"late":             late,
	"doubled":          doubled,
	"unreliable crowd": unreliableCrowd,
}

// run runs all tests, each within in, such as synctest.Test.
func (c cases) run(t *testing.T, in func(*testing.T, func(*testing.T)), open openQueue) {
	for name, test := range c {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in(t, func(t *testing.T) { test(t, open) })
		})
	}
}

// chunk is a unit of work named by its first game.
func chunk(first int) arena.Chunk {
	return arena.Chunk{
		Setup:  arena.Setup{Size: board.Size{Rows: 3, Cols: 5}, Spawn: "random", SpawnIdentity: "random", Seed: 1 << 63},
		Player: "test", Identity: "test", Version: "1", First: uint64(first), Games: 3,
	}
}

// done is the delivery that ends a chunk.
func done(c arena.Chunk) arena.Delivery {
	d := arena.Delivery{Chunk: c, Done: true}
	for i := range uint64(c.Games) {
		d.Games = append(d.Games, game(c.First+i))
	}
	return d
}

// game is fictitious; its index decides the rest.
func game(index uint64) arena.Recorded {
	g := arena.Recorded{Outcome: arena.Outcome{
		Seed: 1 << 63, Index: index, Score: int64(4 * index), Largest: 11, Moves: 5, Elapsed: time.Duration(index) * time.Millisecond,
	}, Trace: []byte{byte(index), 2}}
	if index%5 == 0 {
		g.Forfeit.Reason, g.Forfeit.Detail = "test", fmt.Sprint(index)
	}
	return g
}

// bench is a queue with its test.
type bench struct {
	*testing.T
	ctx context.Context
	q   arena.Queue
}

func on(t *testing.T, q arena.Queue) *bench {
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	t.Cleanup(cancel)
	return &bench{t, ctx, q}
}

func (b *bench) put(cs ...arena.Chunk) {
	b.Helper()
	for _, c := range cs {
		if err := b.q.Put(b.ctx, c); err != nil {
			b.Fatalf("put: %v", err)
		}
	}
}

func (b *bench) take() arena.Chunk {
	b.Helper()
	c, err := b.q.Take(b.ctx)
	if err != nil {
		b.Fatalf("take: %v", err)
	}
	return c
}

func (b *bench) deliver(d arena.Delivery) {
	b.Helper()
	if err := b.q.Deliver(b.ctx, d); err != nil {
		b.Fatalf("deliver: %v", err)
	}
}

func (b *bench) collect() arena.Delivery {
	b.Helper()
	d, ack, err := b.q.Collect(b.ctx)
	if err != nil {
		b.Fatalf("collect: %v", err)
	}
	ack()
	d.Worker = "" // depends on the queue
	return d
}

// nothing fails unless a method blocks for a few leases.
func (b *bench) nothing(what string, wait func(context.Context) error) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 2*lease)
	defer cancel()
	if err := wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		b.Errorf("%s: %v, want it to wait until its context ends", what, err)
	}
}

func (b *bench) nothingToTake() {
	b.Helper()
	b.nothing("take", func(ctx context.Context) error { _, err := b.q.Take(ctx); return err })
}

func (b *bench) nothingToCollect() {
	b.Helper()
	b.nothing("collect", func(ctx context.Context) error { _, _, err := b.q.Collect(ctx); return err })
}

// passes runs all tests in real time. Leases are short, and no test fails because a step takes longer than a lease on
// a slow machine.
func passes(t *testing.T, open openQueue) {
	for _, all := range []cases{basics, leases} {
		all.run(t, func(t *testing.T, test func(*testing.T)) { test(t) }, open)
	}
}
