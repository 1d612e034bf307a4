package arena_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/game"
)

// link is the connection of a worker on another machine, which may change what it delivers.
type link struct {
	*arena.LocalQueue
	name   string
	tamper func(n int, d *arena.Delivery)
	out    *atomic.Bool // it was rejected, and stops as honest programs do
	after  *link        // this worker waits until that one has ended some chunks or was rejected

	mu     sync.Mutex
	n      int // games
	chunks int
}

func (l *link) Take(ctx context.Context) (arena.Chunk, error) {
	for l.after != nil && !l.after.begun() {
		time.Sleep(time.Millisecond)
		if ctx.Err() != nil {
			return arena.Chunk{}, ctx.Err()
		}
	}
	if l.out.Load() {
		<-ctx.Done()
		return arena.Chunk{}, ctx.Err()
	}
	return l.LocalQueue.Take(ctx)
}

func (l *link) begun() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.chunks >= 12 || l.out.Load() // it takes nine chunks until three games have failed three times
}

func (l *link) Deliver(ctx context.Context, d arena.Delivery) error {
	d.Worker = l.name
	d.Games = slices.Clone(d.Games)
	l.mu.Lock()
	l.n += len(d.Games)
	if d.Final() {
		l.chunks++
	}
	l.tamper(l.n, &d)
	l.mu.Unlock()
	return l.LocalQueue.Deliver(ctx, d)
}

func honest(int, *arena.Delivery) {}

// lies are what a false worker does to a delivery, and how it is found out; "" if it only loses games.
var lies = map[string]struct {
	tamper func(n int, d *arena.Delivery)
	found  string
}{
	"score": {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Score += 4 }) }, "does not replay"},
	"tile":  {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Largest++ }) }, "does not replay"},
	"sum":   {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Sum += 2 }) }, "its tiles add up to"},
	"ended early": {func(_ int, d *arena.Delivery) {
		each(d, func(g *arena.Recorded) { g.Moves, g.Trace, g.Score, g.Largest, g.Sum = 0, nil, 0, 1, 4 })
	}, ""}, // the start board may have a 4 or not
	"other game": {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Index += 1000 }) }, "is not among games"},
	"other seed": {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Seed++ }) }, "is not among games"},
	"padding":    {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Trace = append(g.Trace, 0) }) }, "its record has"},
	"forfeit":    {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Forfeit.Reason = "tired" }) }, "cannot forfeit"},
	"forfeited":  {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Forfeit.Detail = "tired" }) }, "cannot forfeit"},
	"time":       {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Elapsed = -1 }) }, "it took -1ns"},
	"long time":  {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Elapsed = math.MaxInt64 }) }, "it took 2562047h47m16.854775807s, must be from 0 to 720h0m0s"},
	"most moves": {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Moves = math.MaxInt }) }, "bytes do not hold 9223372036854775807 moves"},
	"no moves":   {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Moves = math.MinInt }) }, "bytes do not hold -9223372036854775808 moves"},
	"most points": {func(_ int, d *arena.Delivery) {
		each(d, func(g *arena.Recorded) { g.Score, g.Largest, g.Sum = math.MaxInt64, math.MaxUint8, math.MinInt64 })
	}, "does not replay"},
	"cluster": {func(_ int, d *arena.Delivery) { each(d, func(g *arena.Recorded) { g.Cluster = "x" }) }, "do not have"},
	"missing": {func(_ int, d *arena.Delivery) {
		if d.Done {
			d.Games = nil
		}
	}, "it ended 3 chunks without all of their games"},
	"twice": {func(_ int, d *arena.Delivery) { d.Games = append(d.Games, d.Games...) }, "games of a chunk of"},
}

func each(d *arena.Delivery, change func(g *arena.Recorded)) {
	for i := range d.Games {
		change(&d.Games[i])
	}
}

// crowd runs a scheduler with an honest and a false worker, and returns why the false one was rejected.
func (w *work) crowd(inspect *arena.Inspector, tamper func(int, *arena.Delivery), liar func(*arena.Chunk) (arena.PlayerFactory, error)) (reasons []string) {
	w.t.Helper()
	q := arena.NewLocalQueue()
	var out atomic.Bool
	if inspect.Factory == nil {
		inspect.Factory = factory
	}
	inspect.OnFalse = func(_ context.Context, d *arena.Delivery, reason string, former map[string][]arena.Range) error {
		if d.Worker != "false" {
			w.t.Errorf("worker %s was rejected: %s", d.Worker, reason)
		}
		reasons = append(reasons, reason)
		out.Store(true)
		for identity, games := range former {
			for _, r := range games {
				for i := range uint64(r.Games) {
					delete(w.kept[identity], r.First+i)
				}
			}
		}
		return nil
	}
	s := &arena.Scheduler{Queue: q, Plan: w.plan(2), Keep: w.keep, Inspect: inspect}
	ctx, cancel := context.WithCancel(w.t.Context())
	var workers sync.WaitGroup
	bad := &link{LocalQueue: q, name: "false", tamper: tamper, out: &out}
	for _, l := range []*link{bad, {LocalQueue: q, name: "honest", tamper: honest, out: new(atomic.Bool), after: bad}} {
		play := arena.Worker{Queue: l, Factory: factory, DeliverEvery: time.Millisecond}
		if l.name == "false" {
			play.Factory = liar
		}
		workers.Go(func() { _ = play.Work(ctx) })
	}
	err := s.Run(ctx)
	cancel()
	workers.Wait()
	if err != nil {
		w.t.Fatal(err)
	}
	return reasons
}

// Whatever a worker delivers, the games that are kept are those of one machine.
func TestInspectorFindsLies(t *testing.T) {
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWork(t, 80, "random", "greedy")
			if name == "ended early" {
				w.setup.Seed = 8
			}
			reasons := w.crowd(&arena.Inspector{}, lie.tamper, factory)
			w.check()
			if lie.found != "" && (len(reasons) == 0 || !strings.Contains(reasons[0], lie.found)) {
				t.Errorf("rejected for %q, want %q", reasons, lie.found)
			}
		})
	}
}

func always(*arena.Chunk) bool { return true }

// A worker whose games are legal and not the player's is found when the first one is played again.
func TestInspectorPlaysAgain(t *testing.T) {
	for range soak.Count(1, 20) {
		w := newWork(t, 80, "greedy")
		var replayed atomic.Int64
		inspect := &arena.Inspector{Deterministic: always, Share: -1, Factory: func(c *arena.Chunk) (arena.PlayerFactory, error) {
			replayed.Add(1)
			return factory(c)
		}}
		reasons := w.crowd(inspect, honest, func(c *arena.Chunk) (arena.PlayerFactory, error) {
			other := *c
			other.Player = "random"
			return factory(&other)
		})
		w.check()
		if len(reasons) != 1 || !strings.Contains(reasons[0], "has other moves than greedy makes") {
			t.Errorf("rejected for %q", reasons)
		}
		if n := replayed.Load(); n < 2 { // one of each worker
			t.Errorf("%d games were played again", n)
		}
	}
}

// A worker that turns false is found by the random share, and all its games are played again.
func TestInspectorWithdraws(t *testing.T) {
	for range soak.Count(1, 20) {
		w := newWork(t, 600, "greedy")
		mirror := func(n int, d *arena.Delivery) {
			if n > 30 { // it plays other games' moves as far as they are legal: the first game's with another end
				each(d, func(g *arena.Recorded) { replaceByRandom(t, d.Chunk, g) })
			}
		}
		reasons := w.crowd(&arena.Inspector{Deterministic: always, Share: 0.2}, mirror, factory)
		w.check()
		if len(reasons) != 1 || !strings.Contains(reasons[0], "has other moves than greedy makes") {
			t.Errorf("rejected for %q", reasons)
		}
	}
}

// replaceByRandom replaces a game by the one that the player random plays with this number.
func replaceByRandom(t *testing.T, c arena.Chunk, g *arena.Recorded) {
	c.Player, c.Identity, c.First, c.Games = "random", "random", g.Index, 1
	q := arena.NewLocalQueue()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := q.Put(ctx, c); err != nil {
		t.Error(err)
	}
	var done sync.WaitGroup
	w := arena.Worker{Queue: q, Factory: factory}
	done.Go(func() { _ = w.Work(ctx) })
	d, _, err := q.Collect(ctx)
	if err != nil || len(d.Games) != 1 {
		t.Errorf("%+v, %v", d, err)
		return
	}
	cancel()
	done.Wait()
	*g = d.Games[0]
}

// A worker at which games fail again and again does not end the work: the games are played on the
// scheduler's machine, and the worker is rejected.
func TestInspectorPlaysFailedGames(t *testing.T) {
	fails := func(_ int, d *arena.Delivery) {
		if d.Final() {
			d.Games, d.Done, d.Failed = nil, false, "out of order"
		}
	}
	for _, games := range []int{1, 80} { // the honest worker begins after four chunks: it plays none of a single game
		w := newWork(t, games, "greedy")
		w.crowd(&arena.Inspector{}, fails, factory)
		w.check()
	}
}

// A game that fails at a worker and on the scheduler's machine ends the work, with the worker's reason.
func TestInspectorFailsToPlay(t *testing.T) {
	w := newWork(t, 5, "greedy")
	broken := func(*arena.Chunk) (arena.PlayerFactory, error) {
		return arena.PlayerFactory{}, errors.New("no such player")
	}
	q := arena.NewLocalQueue()
	s := &arena.Scheduler{Queue: q, Plan: w.plan(1), Keep: w.keep, Inspect: &arena.Inspector{Factory: broken}}
	l := &link{LocalQueue: q, name: "other machine", tamper: honest, out: new(atomic.Bool)}
	if err := s.RunHere(t.Context(), arena.Worker{Queue: l, Factory: broken}, 1); err == nil || err.Error() != "no such player" {
		t.Errorf("error %v", err)
	}
}

// Deliveries of a chunk are kept in the order in which they came, although the first one waits.
func TestInspectorKeepsOrder(t *testing.T) {
	w := newWork(t, 300, "greedy")
	reasons := w.crowd(&arena.Inspector{Deterministic: always, Share: 0.5}, honest, factory)
	w.check()
	if len(reasons) > 0 || w.times != 300 {
		t.Errorf("%d games came, %q", w.times, reasons)
	}
}

// An error of OnFalse ends the work.
func TestInspectorFails(t *testing.T) {
	w := newWork(t, 20, "greedy")
	q := arena.NewLocalQueue()
	s := &arena.Scheduler{Queue: q, Plan: w.plan(1), Keep: w.keep, Inspect: &arena.Inspector{
		Factory: factory, OnFalse: func(context.Context, *arena.Delivery, string, map[string][]arena.Range) error {
			return errors.New("disk full")
		},
	}}
	l := &link{LocalQueue: q, name: "false", tamper: lies["score"].tamper, out: new(atomic.Bool)}
	if err := s.RunHere(t.Context(), arena.Worker{Queue: l, Factory: factory}, 1); err == nil || err.Error() != "disk full" {
		t.Errorf("error %v", err)
	}
}

// The record of a game with other spawns than the seed's is checked too.
func TestVerifyOtherSpawns(t *testing.T) {
	w := newWork(t, 3, "greedy")
	w.setup.Spawn, w.setup.SpawnIdentity, w.setup.Stop = "adversary", "adversary", game.Stop{Tile: 64}
	s, worker := w.scheduler(1)
	if err := s.RunHere(t.Context(), worker, 1); err != nil {
		t.Fatal(err)
	}
	c := w.chunk("greedy")
	c.Games = 3
	good := w.kept["greedy"][1]
	if err := arena.Verify(&c, []arena.Recorded{good}, player.SpawnRule{}); err != nil {
		t.Error(err)
	}
	for at := range good.Trace { // every byte counts
		bad := good
		bad.Trace = bytes.Clone(good.Trace)
		bad.Trace[at] ^= 0x21
		if err := arena.Verify(&c, []arena.Recorded{bad}, player.SpawnRule{}); err == nil && at >= (good.Moves+3)/4 {
			t.Errorf("another spawn at byte %d of %d was not noticed", at, len(good.Trace))
		}
	}
}
