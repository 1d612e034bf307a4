package jetstream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/jetstream"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
)

// A delivery that was not acknowledged is collected again by the next scheduler, and an acknowledged one
// is not. Chunks in flight stay so.
func TestReopened(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	c := connect(t, o)
	q := open(t, c, info)
	for _, first := range []uint64{0, 3, 6, 9} {
		if err := q.Put(t.Context(), chunkOf(first)); err != nil {
			t.Fatal(err)
		}
	}
	w := worker(t, connect(t, o), workerInfo)
	deliver := func(first uint64) {
		t.Helper()
		got, err := w.Take(t.Context())
		if err != nil || got != chunkOf(first) {
			t.Fatalf("took %+v, %v", got, err)
		}
		if err := w.Deliver(t.Context(), arena.Delivery{Chunk: got, Games: gamesOf(got), Done: true}); err != nil {
			t.Fatal(err)
		}
	}
	deliver(0)
	deliver(3)
	collect(t, q)                                                   // of the first one
	if d, _, err := q.Collect(t.Context()); err != nil || !d.Done { // without acknowledgement
		t.Fatalf("collected %+v, %v", d, err)
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	deliver(6) // while there is no scheduler
	for range 20 {
		if err := q.Put(t.Context(), chunkOf(12)); !errors.Is(err, jetstream.ErrClosed) {
			t.Fatalf("a closed queue takes a chunk: %v", err)
		}
	}
	again := open(t, c, info)
	left, err := again.Outstanding(t.Context())
	if err != nil || len(left) != 1 || left[0] != chunkOf(9) {
		t.Errorf("outstanding %+v, %v", left, err)
	}
	for _, first := range []uint64{3, 6} {
		d := collect(t, again)
		for d.Chunk.First == 0 { // a delivery whose acknowledgment was lost comes again
			d = collect(t, again)
		}
		if d.Chunk.First != first || !d.Done {
			t.Errorf("collected %+v, want the chunk of game %d", d, first)
		}
	}
	collectNone(t, again)
}

// An experiment has one scheduler at a time.
func TestHeld(t *testing.T) {
	t.Parallel()
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	first := open(t, connect(t, o), info)
	c := connect(t, o)
	if _, err := c.OpenQueue(t.Context(), info); !errors.Is(err, jetstream.ErrHeld) {
		t.Errorf("a second scheduler: %v", err)
	}
	other := info
	other.ID = "other"
	open(t, c, other)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, c, info)
}

// Remove deletes the chunks of an experiment, and leaves its queue: the next scheduler may be of the same process.
func TestRemove(t *testing.T) {
	t.Parallel()
	c := connect(t, jetstream.Options{URL: hub(t), Namespace: "x"})
	q := open(t, c, info)
	if err := q.Put(t.Context(), chunkOf(9)); err != nil {
		t.Fatal(err)
	}
	if err := q.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all, err := c.Experiments(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("experiments %+v, %v", all, err)
	}
	if left, err := open(t, c, info).Outstanding(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("outstanding %+v, %v", left, err)
	}
}

var setup = arena.Setup{Size: board.Size{Rows: 3, Cols: 3}, Spawn: "random", SpawnIdentity: "random", Seed: 7}

// factory builds players by their specs.
func factory(c *arena.Chunk) (arena.PlayerFactory, error) {
	m, err := catalog.Parse(c.Player, catalog.Capabilities{})
	if err != nil {
		return arena.PlayerFactory{}, err
	}
	rule, err := catalog.ParseSpawner(c.Setup.Spawn, catalog.Capabilities{})
	return arena.PlayerFactory{New: m.New, Spawn: rule}, err
}

// kept is a store in memory.
type kept struct {
	mu    sync.Mutex
	games map[string]map[uint64]arena.Outcome
	again int // games that came although they were kept

	limit atomic.Int64 // keep waits while this number of games is kept; 0: no limit
}

// allow changes the limit.
func (k *kept) allow(games int) { k.limit.Store(int64(games)) }

// count is the number of games that are kept.
func (k *kept) count() (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, g := range k.games {
		n += len(g)
	}
	return n
}

func (k *kept) keep(c *arena.Chunk, games []arena.Recorded) error {
	for limit := k.limit.Load(); limit > 0 && int64(k.count()) >= limit; limit = k.limit.Load() {
		time.Sleep(10 * time.Millisecond)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.games[c.Player] == nil {
		k.games[c.Player] = map[uint64]arena.Outcome{}
	}
	for _, g := range games {
		if _, twice := k.games[c.Player][g.Index]; twice {
			k.again++
		}
		g.Elapsed = 0
		k.games[c.Player][g.Index] = g.Outcome
	}
	return nil
}

// have are the games that are kept, by player.
func (k *kept) have() map[string][]arena.Range {
	k.mu.Lock()
	defer k.mu.Unlock()
	all := map[string][]arena.Range{}
	for p, games := range k.games {
		var list []arena.Outcome
		for _, g := range games {
			list = append(list, g)
		}
		slices.SortFunc(list, func(a, b arena.Outcome) int { return int(a.Index) - int(b.Index) })
		all[p] = arena.Ranges(list)
	}
	return all
}

// The scheduler is stopped at random moments, repeatedly, while its workers continue. Every game arrives and
// equals that of a single process. Games that workers finish meanwhile are not played again.
func TestSchedulerRestarts(t *testing.T) {
	t.Parallel()
	const games = 300
	specs := []string{"random", "greedy"}
	o := jetstream.Options{URL: hub(t), Namespace: "x"}
	ctx, cancel := context.WithCancel(t.Context())
	var workers sync.WaitGroup
	for i := range 3 {
		at := workerInfo
		at.Name, at.Cores = fmt.Sprint("rack-", i), 1
		w := worker(t, connect(t, o), at)
		play := arena.Worker{Queue: w, Factory: factory, Heartbeat: w.Heartbeat(), DeliverEvery: 5 * time.Millisecond}
		workers.Go(func() {
			if err := play.Work(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	defer workers.Wait()
	defer cancel()
	k := &kept{games: map[string]map[uint64]arena.Outcome{}}
	restarts := 0
	for ; ; restarts++ {
		err := schedule(t, o, k, specs, games, 10+restarts*20)
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if want := soak.Count(2, 3); restarts < want {
		t.Errorf("%d restarts, want at least %d", restarts, want)
	}
	checkAll(t, k, specs, games)
	t.Logf("%d restarts, %d games came twice", restarts, k.again)
	if k.again > games/4 {
		t.Errorf("%d games came twice", k.again)
	}
}

// A scheduler that lost the connection collects again when the server is back, however much of its open
// request for results is used up.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	port := freePort(t)
	s := startServer(t, func(o *server.Options) { o.StoreDir, o.Port = folder, port })
	o := jetstream.Options{URL: s.ClientURL(), Namespace: "x"}
	q, w := open(t, connect(t, o), info), worker(t, connect(t, o), workerInfo)
	for i := range uint64(100) {
		c := chunkOf(3 * i)
		if err := q.Put(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		if i == 33 || i == 66 { // more than half of an open request is used up
			s.Shutdown()
			s.WaitForShutdown()
			s = startServer(t, func(o *server.Options) { o.StoreDir, o.Port = folder, port })
		}
		if err := w.Deliver(t.Context(), arena.Delivery{Chunk: c, Games: gamesOf(c), Done: true}); err != nil {
			t.Fatal(err)
		}
		d := collect(t, q)
		for d.Chunk.First < c.First { // a delivery whose acknowledgment was lost comes again
			d = collect(t, q)
		}
		if d.Chunk != c || !d.Done {
			t.Fatalf("collected %+v, want chunk %d", d, i)
		}
	}
}

// checkAll compares the games with those of one process.
func checkAll(t *testing.T, k *kept, specs []string, games int) {
	t.Helper()
	exp := arena.RunOptions{Size: setup.Size, Seed: setup.Seed, Games: games}
	for _, s := range specs {
		f, err := factory(&arena.Chunk{Player: s, Setup: setup})
		if err != nil {
			t.Fatal(err)
		}
		exp.Players = append(exp.Players, catalog.Maker{Spec: s, New: f.New})
	}
	want, err := arena.Run(t.Context(), exp, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range want.Players {
		expected := map[uint64]arena.Outcome{}
		for _, g := range p.Games {
			g.Elapsed = 0
			expected[g.Index] = g
		}
		if diff := cmp.Diff(expected, k.games[p.Name]); diff != "" {
			t.Errorf("%s: games differ: %s", p.Name, diff)
		}
	}
}

// schedule plays what is missing until a number of games has come.
func schedule(t *testing.T, o jetstream.Options, k *kept, specs []string, games, until int) error {
	c := connect(t, o)
	defer c.Close()
	q := open(t, c, info)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	came := 0
	s := &arena.Scheduler{
		Queue: q, Plan: &arena.Planner{}, Capacity: q.Cores, Inspect: &arena.Inspector{Factory: factory, Deterministic: func(*arena.Chunk) bool { return true }},
		Keep: func(c *arena.Chunk, games []arena.Recorded) error {
			if came += len(games); came > until {
				cancel()
			}
			return k.keep(c, games)
		},
	}
	left, err := s.Resume(ctx, q, k.have())
	if err == nil {
		s.Plan = &arena.Planner{ChunkTime: 10 * time.Millisecond}
		have := k.have()
		for _, spec := range specs {
			s.Plan.Add(arena.Chunk{Setup: setup, Player: spec, Identity: spec, Version: "1"}, arena.Gaps(append(have[spec], left[spec]...), games), 0, 0)
		}
		err = s.Run(ctx)
	}
	if err == nil {
		err = q.Remove(t.Context())
	}
	return errors.Join(err, q.Close())
}
