package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// PlayerFactory is what a worker needs to play the games of a chunk.
type PlayerFactory struct {
	New   func() player.Player
	Spawn player.SpawnRule

	outcomesOnly bool // only outcomes are wanted
	exact        *solve.Table
}

// Worker takes chunks from a queue and plays them.
type Worker struct {
	Queue WorkerQueue
	// Factory returns player and spawn rule of a chunk; they must match its Player and Identity.
	// Several workers call it concurrently.
	Factory func(c *Chunk) (PlayerFactory, error)
	// Task does the work of a chunk that is a task; nil: such chunks fail.
	Task func(ctx context.Context, c *Chunk, report func(json.RawMessage) error) error
	// DeliverEvery is how often finished games are delivered during a chunk; 0: every 250 ms.
	DeliverEvery time.Duration
	// Heartbeat is the interval of empty deliveries that show the queue that the worker is alive,
	// also during a game; 0: none. Queues with leases need it.
	Heartbeat time.Duration
}

// Work plays one chunk after the other until ctx ends, which is no error: finished games are
// delivered, the unfinished one is dropped, and the rest of the chunk is returned. A chunk that cannot be
// played is delivered as failed. The last games of a chunk are delivered while the next one is played.
// An error is the queue's.
func (w *Worker) Work(ctx context.Context) error {
	players := map[string]player.Player{} // by identity
	defer func() {
		for _, p := range players {
			_ = player.Close(p) // its games are played; nothing is lost
		}
	}()
	taking, fail := context.WithCancelCause(ctx) // ends when a delivery fails
	defer fail(nil)
	var delivering sync.WaitGroup // the delivery that ends the last chunk
	for {
		c, err := w.Queue.Take(taking)
		if err == nil {
			d := w.chunk(ctx, &c, players)
			delivering.Wait()
			delivering.Go(func() {
				if err := w.deliverLast(ctx, d); err != nil {
					fail(err)
				}
			})
			if d.Done && ctx.Err() == nil {
				continue // the next chunk is played during the delivery
			}
		}
		delivering.Wait() // the queue may have to know of a failure before this worker takes a chunk again
		switch {
		case ctx.Err() != nil:
			return nil
		case taking.Err() != nil:
			return context.Cause(taking)
		case err != nil:
			return err
		}
	}
}

// WorkOn is Work on n goroutines. The first error of one ends the others.
func (w *Worker) WorkOn(ctx context.Context, n int) error {
	err := workers.Try(ctx, n, func(ctx context.Context, _ int) error { return w.Work(ctx) })
	if err == context.Cause(ctx) {
		return nil // the end of ctx is no error
	}
	return err
}

// lastDeliveryTimeout limits the last delivery of a worker that is stopped.
const lastDeliveryTimeout = 10 * time.Second

// deliverLast delivers what ends a chunk. It waits for the queue, but not for long once ctx has ended.
func (w *Worker) deliverLast(ctx context.Context, d Delivery) error {
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastDeliveryTimeout, cancel) })()
	return w.Queue.Deliver(last, d)
}

// chunk plays a chunk, and returns the delivery that ends it.
func (w *Worker) chunk(ctx context.Context, c *Chunk, players map[string]player.Player) Delivery {
	stop := w.heartbeat(ctx, c)
	games, failed := w.play(ctx, c, players)
	stop()
	d := Delivery{Chunk: *c, Games: games}
	switch {
	case failed == nil:
		d.Done = true
	case ctx.Err() == nil:
		var unable *UnableError
		d.Failed, d.cause, d.Unable = failed.Error(), failed, errors.As(failed, &unable)
	default:
		d.Returned = true
	}
	return d
}

// play plays a chunk's games, delivers them now and then, and returns the rest.
func (w *Worker) play(ctx context.Context, c *Chunk, players map[string]player.Player) (games []Recorded, err error) {
	if c.Task != "" {
		if w.Task == nil {
			return nil, &UnableError{errors.New("no tasks are done here")}
		}
		return nil, w.Task(ctx, c, func(r json.RawMessage) error { return w.Queue.Deliver(ctx, Delivery{Chunk: *c, Report: r}) })
	}
	if err := c.Setup.Check(); err != nil {
		return nil, err
	}
	factory, err := w.Factory(c)
	if err != nil {
		return nil, err
	}
	p := players[c.Identity]
	if p == nil {
		p = factory.New()
		players[c.Identity] = p
	}
	every := cmp.Or(w.DeliverEvery, 250*time.Millisecond)
	t := gameRunner{Setup: c.Setup, spawner: factory.Spawn.New}
	last := time.Now()
	games = make([]Recorded, 0, min(c.Games, 64))
	for i := range uint64(c.Games) {
		g, out, err := t.play(ctx, p, c.First+i)
		if err != nil {
			return games, fmt.Errorf("%s, game %d of seed %d: %w", c.Player, c.First+i, c.Setup.Seed, err)
		}
		r := Recorded{Outcome: out}
		if !factory.outcomesOnly {
			r.Trace = traceOf(t.moved, g, factory.Spawn.Random)
		}
		if factory.exact != nil { // after the game, so that it does not count as the player's time
			if err := r.Judge(c.Setup, factory.exact); err != nil {
				return games, err
			}
		}
		games = append(games, r)
		if now := time.Now(); now.Sub(last) >= every && i+1 < uint64(c.Games) {
			if err := w.Queue.Deliver(ctx, Delivery{Chunk: *c, Games: games}); err != nil {
				return games, err
			}
			games, last = nil, now
		}
	}
	return games, nil
}

// heartbeat sends empty deliveries until stop is called.
func (w *Worker) heartbeat(ctx context.Context, c *Chunk) (stop func()) {
	if w.Heartbeat <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for {
			select {
			case <-time.After(w.Heartbeat):
				_ = w.Queue.Deliver(ctx, Delivery{Chunk: *c}) // the next one may get through
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		done.Wait()
	}
}

// gameRunner plays games of one seed, in one goroutine.
type gameRunner struct {
	Setup
	spawner func(seed, index uint64) game.Spawner

	driver player.Driver     // of the last game
	moved  []board.Direction // its moves
}

// play plays one game. Its time runs from the first decision to the last one, the game's own work
// included; preparing players is not. A forfeited game ends at the board it had.
func (t *gameRunner) play(ctx context.Context, p player.Player, index uint64) (*game.Game, Outcome, error) {
	t.moved = t.moved[:0]
	o := game.Options{Size: t.Size, Spawner: t.spawner(t.Seed, index)}
	if t.Starts != nil {
		o.Board = t.Starts.Of(index).Board
	}
	g, err := game.New(o)
	if err != nil {
		return nil, Outcome{}, err
	}
	t.driver = player.Driver{Player: p, Game: g, Stop: t.Stop}
	err = t.driver.Begin(ctx, t.Seed, index)
	start := time.Now()
	if err == nil {
		err = t.moves(ctx)
	}
	lost := player.Forfeited(ctx, err)
	if err != nil && lost == nil {
		return nil, Outcome{}, err
	}
	b := g.Board()
	out := Outcome{
		Seed: t.Seed, Index: index, Score: g.Score(), Largest: b.Largest(),
		Moves: g.Moves(), Sum: b.Sum(), Elapsed: time.Since(start),
	}
	if lost != nil {
		out.Forfeit = *lost
	}
	return g, out, nil
}

// moves plays the game's moves to its end.
func (t *gameRunner) moves(ctx context.Context) error {
	d := &t.driver
	for {
		moved, err := d.Move(ctx)
		switch {
		case err != nil && err == ctx.Err():
			return err
		case err != nil:
			return fmt.Errorf("move %d on board %v: %w", d.Game.Moves()+1, d.Game.Board(), err)
		case !moved:
			return nil
		}
		t.moved = append(t.moved, d.Decision.Move)
	}
}
