package jetstream_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
)

// Every chunk is handed out once, in the order in which it was put, and what is
// delivered is collected in the order in which it was.
func comesAndGoes(t *testing.T, open openQueue) {
	b := on(t, open(t, forever, 3))
	b.put(chunk(0), chunk(3), chunk(6))
	for _, first := range []uint64{0, 3, 6} {
		c := b.take()
		if c.First != first {
			t.Fatalf("took games from %d, want %d", c.First, first)
		}
		b.deliver(arena.Delivery{Chunk: c, Games: []arena.Recorded{game(first)}})
		b.deliver(done(c))
	}
	for _, first := range []uint64{0, 0, 3, 3, 6, 6} {
		if d := b.collect(); d.Chunk.First != first {
			t.Fatalf("collected of games from %d, want %d", d.Chunk.First, first)
		}
	}
	b.nothingToTake()
	b.nothingToCollect()
}

// Chunk and games arrive as they were sent.
func intact(t *testing.T, open openQueue) {
	b := on(t, open(t, forever, 3))
	sent := chunk(9)
	sent.Setup.Stop.Tile, sent.Player = 2048, `exec(cmd="bot \"x\"")`
	b.put(sent)
	c := b.take()
	if c != sent {
		t.Errorf("took %+v, want %+v", c, sent)
	}
	want := done(c)
	b.deliver(want)
	if got := b.collect(); !reflect.DeepEqual(got, want) {
		t.Errorf("collected %+v, want %+v", got, want)
	}
}

// A chunk that waits or is out is not added again; one that has ended may be.
func putTwice(t *testing.T, open openQueue) {
	b := on(t, open(t, forever, 3))
	b.put(chunk(0), chunk(0))
	c := b.take()
	b.put(chunk(0))
	b.nothingToTake()
	b.deliver(done(c))
	b.collect()
	b.put(chunk(0))
	b.take()
	b.nothingToTake()
}

// A worker disappears: another one gets its chunk.
func lost(t *testing.T, open openQueue) {
	b := on(t, open(t, lease, 3))
	b.put(chunk(0))
	b.take()
	c := b.take()
	b.deliver(done(c))
	if d := b.collect(); !d.Done || d.Chunk != c {
		t.Errorf("collected %+v", d)
	}
	b.nothingToTake()
}

// A chunk that all workers are lost with is not handed out for ever.
func lostTooOften(t *testing.T, open openQueue) {
	b := on(t, open(t, lease, 3))
	b.put(chunk(0))
	b.take()
	b.take()
	b.take()
	if d := b.collect(); d.Failed == "" || d.Done || len(d.Games) > 0 || d.Chunk != chunk(0) {
		t.Errorf("collected %+v, want a failure", d)
	}
	b.nothingToTake()
	b.put(chunk(0)) // which starts over
	b.take()
	b.deliver(done(b.take())) // with one attempt left, so that a slow delivery is none too many
	if d := b.collect(); !d.Done {
		t.Errorf("collected %+v", d)
	}
}

// Deliveries without games show that the worker lives. They are not collected.
func alive(t *testing.T, open openQueue) {
	// The leases of later attempts are longer, for machines on which deliveries were late.
	for long := 12 * lease; ; long *= 3 {
		b := on(t, open(t, long, 3))
		b.put(chunk(0))
		err, late := b.keepAlive(b.take(), long)
		if errors.Is(err, context.DeadlineExceeded) {
			b.nothingToCollect()
			return
		}
		if !late {
			t.Fatalf("take: %v, want it to wait: the chunk's worker lives", err)
		}
	}
}

// keepAlive delivers nothing, again and again for longer than a lease, and returns the error of another take
// that waits meanwhile. late is true when a delivery took so long that the lease may have ended.
func (b *bench) keepAlive(c arena.Chunk, long time.Duration) (err error, late bool) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, long*3/2)
	defer cancel()
	stolen := make(chan error, 1)
	go func() {
		_, err := b.q.Take(ctx)
		stolen <- err
	}()
	for last := time.Now(); ; {
		select {
		case err := <-stolen:
			return err, late || time.Since(last) > long/2
		case <-time.After(long / 12):
			b.deliver(arena.Delivery{Chunk: c})
			late = late || time.Since(last) > long/2
			last = time.Now()
		}
	}
}

// A worker whose chunk was failed delivers late: its games arrive, and no other worker
// starts the chunk.
func late(t *testing.T, open openQueue) {
	b := on(t, open(t, lease, 9))
	b.put(chunk(0))
	c := b.take()
	time.Sleep(3 * lease)
	b.deliver(done(c))
	if d := b.collect(); !d.Done || len(d.Games) != 3 {
		t.Errorf("collected %+v", d)
	}
	b.nothingToTake()
	b.nothingToCollect()
}

// Two workers do the same chunk: both deliver, and the first one ends it.
func doubled(t *testing.T, open openQueue) {
	b := on(t, open(t, lease, 9))
	b.put(chunk(0))
	first := b.take()
	second := b.take()
	b.deliver(done(second))
	b.nothingToTake()
	b.deliver(done(first))
	b.deliver(done(first)) // even so
	for range 3 {
		if d := b.collect(); !d.Done || len(d.Games) != 3 {
			t.Errorf("collected %+v", d)
		}
	}
	b.nothingToTake()
	b.nothingToCollect()
}

// A failure arrives with its reason and the games before it, and the queue does not
// retry: the collector decides.
func failing(t *testing.T, open openQueue) {
	b := on(t, open(t, lease, 9))
	b.put(chunk(0))
	c := b.take()
	b.deliver(arena.Delivery{Chunk: c, Games: []arena.Recorded{game(0)}, Failed: "out of luck"})
	if d := b.collect(); d.Failed != "out of luck" || d.Done || len(d.Games) != 1 {
		t.Errorf("collected %+v", d)
	}
	b.nothingToTake()
	b.put(c)
	b.deliver(done(b.take()))
	if d := b.collect(); !d.Done {
		t.Errorf("collected %+v", d)
	}
}

// Nothing waits longer than its context.
func endsWithContext(t *testing.T, open openQueue) {
	b := on(t, open(t, forever, 3))
	b.nothingToTake()
	b.nothingToCollect()
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	b.put(chunk(0))
	if _, err := b.q.Take(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("take: %v, want no chunk after its context ended", err)
	}
	b.take()
}

// What was delivered before a coordinator stops is not lost.
func keptAfterContext(t *testing.T, open openQueue) {
	b := on(t, open(t, forever, 3))
	b.put(chunk(0))
	b.deliver(done(b.take()))
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	if d, _, err := b.q.Collect(ctx); err != nil || !d.Done {
		t.Errorf("collect: %v, %+v", err, d)
	}
	if _, _, err := b.q.Collect(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("collect: %v", err)
	}
}

// Workers that vanish, are late, deliver twice, in pieces, or fail: every game of
// every chunk arrives.
func unreliableCrowd(t *testing.T, open openQueue) {
	const chunks = 30
	b := on(t, open(t, lease, 1000))
	ctx, cancel := context.WithCancel(b.ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for n := range uint64(8) {
		workers.Go(func() { unreliable(ctx, b.q, rand.New(rand.NewPCG(n, 1))) })
	}
	go func() {
		for i := range chunks {
			_ = b.q.Put(ctx, chunk(3*i)) // missing results are reported below
		}
	}()
	came := map[uint64]bool{}
	ended := map[string]bool{}
	for len(ended) < chunks || len(came) < 3*chunks {
		d := b.collect()
		for _, g := range d.Games {
			if !reflect.DeepEqual(g, game(g.Index)) {
				t.Fatalf("collected %+v, want %+v", g, game(g.Index))
			}
			came[g.Index] = true
		}
		if (d.Failed != "" || d.Returned) && !ended[d.Chunk.ID()] {
			b.put(d.Chunk)
		}
		if d.Done {
			ended[d.Chunk.ID()] = true
		}
	}
}

func unreliable(ctx context.Context, q arena.Queue, chance *rand.Rand) {
	for {
		c, err := q.Take(ctx)
		if err != nil {
			return
		}
		all := done(c)
		deliver := func(d arena.Delivery) { _ = q.Deliver(ctx, d) } // what is missing is noticed
		switch chance.IntN(7) {
		case 0: // lost
		case 1: // late
			select {
			case <-time.After(lease * 3 / 2):
			case <-ctx.Done():
			}
			deliver(all)
		case 2: // doubled
			deliver(all)
			deliver(all)
		case 3: // failing
			deliver(arena.Delivery{Chunk: c, Games: all.Games[:1], Failed: "test"})
		case 4: // stopped
			deliver(arena.Delivery{Chunk: c, Games: all.Games[:1], Returned: true})
		default: // in pieces
			deliver(arena.Delivery{Chunk: c, Games: all.Games[:2]})
			deliver(arena.Delivery{Chunk: c, Games: all.Games[2:], Done: true})
		}
	}
}
