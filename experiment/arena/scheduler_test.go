package arena_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

var setup = arena.Setup{Size: board.Size{Rows: 3, Cols: 3}, Spawn: "random", SpawnIdentity: "random", Seed: 7}

// work is an experiment with the games that were kept, by player and game number.
type work struct {
	t     *testing.T
	setup arena.Setup
	specs []string
	games int

	kept  map[string]map[uint64]arena.Recorded
	times int // number of games that were delivered, including duplicates
}

func newWork(t *testing.T, games int, specs ...string) *work {
	w := &work{t: t, setup: setup, specs: specs, games: games, kept: map[string]map[uint64]arena.Recorded{}}
	for _, s := range specs {
		w.kept[s] = map[uint64]arena.Recorded{}
	}
	return w
}

func (w *work) chunk(spec string) arena.Chunk {
	return arena.Chunk{Setup: w.setup, Player: spec, Identity: spec, Version: "1"}
}

// plan returns the plan of the games that are not kept yet.
func (w *work) plan(workers int) *arena.Planner {
	p := &arena.Planner{Workers: workers, ChunkTime: 20 * time.Millisecond}
	for _, s := range w.specs {
		var have []arena.Range
		for i := range uint64(w.games) {
			if _, ok := w.kept[s][i]; ok {
				have = append(have, arena.Range{First: i, Games: 1})
			}
		}
		p.Add(w.chunk(s), arena.Gaps(have, w.games), 0, 0)
	}
	return p
}

func (w *work) keep(c *arena.Chunk, games []arena.Recorded) error {
	for _, g := range games {
		w.times++
		g.Elapsed = 0
		if before, ok := w.kept[c.Player][g.Index]; ok && !cmp.Equal(before, g) {
			w.t.Errorf("%s, game %d was delivered twice with different contents", c.Player, g.Index)
		}
		w.kept[c.Player][g.Index] = g
	}
	return nil
}

func factory(c *arena.Chunk) (arena.PlayerFactory, error) {
	m, err := catalog.Parse(c.Player, catalog.Capabilities{})
	if err != nil {
		return arena.PlayerFactory{}, err
	}
	rule, err := catalog.ParseSpawner(c.Setup.Spawn, catalog.Capabilities{})
	return arena.PlayerFactory{New: m.New, Spawn: rule}, err
}

// check compares all games with those of arena.Run, and every record with its game.
func (w *work) check() {
	w.t.Helper()
	exp := arena.RunOptions{Size: w.setup.Size, Seed: w.setup.Seed, Games: w.games, Stop: w.setup.Stop}
	for _, s := range w.specs {
		made := must.Get(factory(&arena.Chunk{Player: s, Setup: w.setup}))(w.t)
		exp.Spawn = made.Spawn
		exp.Players = append(exp.Players, catalog.Maker{Spec: s, New: made.New})
	}
	want := must.Get(arena.Run(w.t.Context(), exp, nil))(w.t)
	for _, p := range want.Players {
		must.Equal(w.t, len(w.kept[p.Name]), w.games, "games of", p.Name)
		for _, g := range p.Games {
			got := w.kept[p.Name][g.Index]
			g.Elapsed = 0
			must.Equal(w.t, got.Outcome, g, p.Name, "game", g.Index)
			again, err := got.Replay(w.setup)
			if err != nil {
				w.t.Error(err)
			} else if b := again.Board(); again.Score() != g.Score || b.Largest() != g.Largest || again.Moves() != g.Moves {
				w.t.Errorf("%s, game %d replays with score %d", p.Name, g.Index, again.Score())
			}
		}
	}
}

func (w *work) scheduler(workers int) (*arena.Scheduler, arena.Worker) {
	q := arena.NewLocalQueue()
	return &arena.Scheduler{Queue: q, Plan: w.plan(workers), Keep: w.keep}, arena.Worker{Queue: q, Factory: factory}
}

// With any chunks, workers and queue, the games are the same.
func TestScheduler(t *testing.T) {
	for _, rule := range []string{"random", "random(p4=0.5)", "adversary", "friendly(eval=empty)"} {
		for _, workers := range []int{1, 3} {
			w := newWork(t, 60, "random", "greedy", "expectimax(eval=empty,plies=1)")
			w.setup.Spawn, w.setup.SpawnIdentity, w.setup.Stop = rule, rule, game.Stop{Tile: 256}
			c, worker := w.scheduler(workers)
			must.Do(t, c.Run(t.Context(), worker, workers))
			w.check()
			must.Equal(t, w.times, 180, "times")
		}
	}
}

// Work that is stopped at any moment and resumed ends with the same games, and no game that was kept is
// played again.
func TestSchedulerGoesOn(t *testing.T) {
	w := newWork(t, 400, "random", "greedy")
	stops := 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		c, worker := w.scheduler(2)
		before := w.times
		c.Keep = func(chunk *arena.Chunk, games []arena.Recorded) error {
			if w.times > before+stops*7 {
				cancel()
			}
			return w.keep(chunk, games)
		}
		err := c.Run(ctx, worker, 2)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stops++
	}
	w.check()
	t.Logf("%d stops", stops)
	if w.times != 800 || stops < 3 {
		t.Errorf("%d games were played for 800, with %d stops", w.times, stops)
	}
}

// lateQueue first delivers games of an earlier scheduler, and delivers some chunks twice.
type lateQueue struct {
	*arena.LocalQueue
	delivered chan arena.Delivery
}

func newLateQueue(ctx context.Context, left arena.Delivery) *lateQueue {
	q := &lateQueue{arena.NewLocalQueue(), make(chan arena.Delivery, 1000)}
	q.delivered <- left
	go func() {
		for {
			select {
			case d := <-q.LocalQueue.Delivered():
				if q.delivered <- d; d.Failed == nil && d.Chunk.First%3 == 0 {
					q.delivered <- d
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return q
}

func (q *lateQueue) Delivered() <-chan arena.Delivery { return q.delivered }

// Games that arrive twice or from an earlier scheduler change nothing, and games that arrived are not played again.
func TestSchedulerWithLateDeliveries(t *testing.T) {
	w := newWork(t, 100, "random", "greedy")
	p := arena.ChunkPlayer{Factory: factory}
	defer p.Close()
	former := w.chunk("greedy")
	former.First, former.Games = 30, 50
	games, err := p.Play(t.Context(), &former)
	if err != nil {
		t.Fatal(err)
	}
	stored := 0
	q := newLateQueue(t.Context(), arena.Delivery{Chunk: former, Games: games, Stored: func() { stored++ }})
	played := 0
	s := &arena.Scheduler{Queue: q, Plan: w.plan(2), Keep: w.keep}
	err = s.Run(t.Context(), arena.Worker{Queue: q.LocalQueue, Factory: func(c *arena.Chunk) (arena.PlayerFactory, error) {
		if c.Player == "greedy" {
			played += c.Games
		}
		return factory(c)
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.check()
	if played > 60 || stored != 1 {
		t.Errorf("%d games of greedy were played, and %d deliveries stored; want about 50, and 1", played, stored)
	}
}

// stumbling fails in one game, a number of times.
type stumbling struct {
	player.Player
	in, game uint64
	left     *int
}

func (s *stumbling) Start(seed, game uint64) {
	s.game = game
	s.Player.Start(seed, game)
}

func (s *stumbling) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	if s.game == s.in && *s.left > 0 {
		*s.left--
		return player.Decision{}, errors.New("stumbled")
	}
	return s.Player.Decide(ctx, q)
}

// A game that fails is tried again. One that always fails ends the work with an error that names
// the player and the game; all other games are kept.
func TestSchedulerWithFailures(t *testing.T) {
	for _, failures := range []int{2, 3} {
		w := newWork(t, 50, "random", "greedy")
		c, worker := w.scheduler(1)
		left := failures
		worker.Factory = func(c *arena.Chunk) (arena.PlayerFactory, error) {
			s, err := factory(c)
			if usual := s.New; c.Player == "greedy" {
				s.New = func() player.Player { return &stumbling{Player: usual(), in: 20, left: &left} }
			}
			return s, err
		}
		err := c.Run(t.Context(), worker, 1)
		if failures == 2 {
			if err != nil {
				t.Fatal(err)
			}
			w.check()
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), "greedy, game 20 of seed 7: move 1 on board ") || !strings.HasSuffix(err.Error(), ": stumbled") {
			t.Errorf("error %v", err)
		}
		if n := len(w.kept["greedy"]); n < 20 || n > 49 {
			t.Errorf("%d games of greedy were kept", n)
		}
	}
}

func TestSchedulerStops(t *testing.T) {
	w := newWork(t, 1000, "random")
	c, worker := w.scheduler(2)
	c.Keep = func(*arena.Chunk, []arena.Recorded) error { return fmt.Errorf("all said: %w", arena.ErrStop) }
	if err := c.Run(t.Context(), worker, 2); err != nil {
		t.Errorf("enough: %v", err)
	}
	c, worker = w.scheduler(2)
	calls := 0
	c.Keep = func(*arena.Chunk, []arena.Recorded) error { calls++; return errors.New("disk full") }
	if err := c.Run(t.Context(), worker, 2); err == nil || err.Error() != "disk full" || calls != 1 {
		t.Errorf("%v after %d calls, want one", err, calls)
	}
	c, worker = w.scheduler(2)
	worker.Factory = func(*arena.Chunk) (arena.PlayerFactory, error) {
		return arena.PlayerFactory{}, errors.New("no such player here")
	}
	must.Equal(t, fmt.Sprint(c.Run(t.Context(), worker, 2)), "no such player here")
}

// A worker that is stopped while nobody collects waits for a few seconds only.
func TestWorkerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := arena.NewLocalQueue()
		for range 64 {
			must.Do(t, q.Deliver(t.Context(), arena.Delivery{}))
		}
		must.Do(t, q.Put(t.Context(), arena.Chunk{Setup: setup, Player: "greedy", Identity: "greedy", Games: 1}))
		ctx, cancel := context.WithCancel(t.Context())
		worker := arena.Worker{Queue: q, Factory: factory}
		ended := make(chan bool)
		go func() { worker.Work(ctx); close(ended) }()
		time.Sleep(time.Minute)
		begun := time.Now()
		cancel()
		<-ended
		must.Equal(t, time.Since(begun), 10*time.Second, "after")
	})
}
