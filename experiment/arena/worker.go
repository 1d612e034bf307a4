package arena

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search/solve"
)

// PlayerFactory is what a worker needs to play the games of a chunk.
type PlayerFactory struct {
	New   func() player.Player
	Spawn player.SpawnRule

	outcomesOnly bool // games are delivered without their moves
	exact        *solve.Table
}

// Worker takes chunks from a queue of this process and plays them.
type Worker struct {
	Queue *LocalQueue
	// Factory returns the player and the spawn rule of a chunk, which must match the chunk's Player
	// and Identity. Several workers call it concurrently.
	Factory func(c *Chunk) (PlayerFactory, error)
}

// Work plays one chunk after another until ctx ends. Then it delivers the finished games of the
// current chunk. A chunk that cannot be played is delivered as failed. Each chunk is delivered
// while the next is played.
func (w *Worker) Work(ctx context.Context) {
	p := ChunkPlayer{Factory: w.Factory}
	defer p.Close()
	var delivering sync.WaitGroup // the delivery of the previous chunk
	defer delivering.Wait()
	for {
		c, err := w.Queue.Take(ctx)
		if err != nil {
			return // ctx has ended
		}
		games, err := p.Play(ctx, &c)
		if ctx.Err() != nil {
			err = nil
		}
		d := Delivery{Chunk: c, Games: games, Failed: err}
		delivering.Wait()
		delivering.Go(func() { w.deliver(ctx, d) })
	}
}

// lastDeliveryTimeout limits the last delivery of a worker that is being stopped.
const lastDeliveryTimeout = 10 * time.Second

// deliver delivers a chunk. It waits for the scheduler, but once ctx has ended at most
// for lastDeliveryTimeout.
func (w *Worker) deliver(ctx context.Context, d Delivery) {
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastDeliveryTimeout, cancel) })()
	_ = w.Queue.Deliver(last, d) // on failure, the games are played again
	w.Queue.pending.Add(-1)
}

// ChunkPlayer plays chunks in one goroutine. It keeps its players from chunk to chunk. Call Close after use.
type ChunkPlayer struct {
	Factory func(c *Chunk) (PlayerFactory, error) // see Worker

	players map[string]player.Player // by identity
}

// Close closes the players.
func (p *ChunkPlayer) Close() {
	for _, pl := range p.players {
		_ = player.Close(pl) // an error is harmless: the player's games are finished
	}
	p.players = nil
}

// Play plays the games of a chunk. On an error it also returns the games that were finished before.
func (p *ChunkPlayer) Play(ctx context.Context, c *Chunk) (games []Recorded, err error) {
	if err := c.Setup.Check(); err != nil {
		return nil, err
	}
	factory, err := p.Factory(c)
	if err != nil {
		return nil, err
	}
	pl := p.players[c.Identity]
	if pl == nil {
		if pl = factory.New(); p.players == nil {
			p.players = map[string]player.Player{}
		}
		p.players[c.Identity] = pl
	}
	t := gameRunner{Setup: c.Setup, spawner: factory.Spawn.New}
	games = make([]Recorded, 0, min(c.Games, 64))
	for i := range uint64(c.Games) {
		g, out, err := t.play(ctx, pl, c.First+i)
		if err != nil {
			return games, fmt.Errorf("%s, game %d of seed %d: %w", c.Player, c.First+i, c.Setup.Seed, err)
		}
		r := Recorded{Outcome: out}
		if !factory.outcomesOnly {
			r.Trace = traceOf(t.moved, g, factory.Spawn.Random)
		}
		if factory.exact != nil { // after the game, so that judging does not count as the player's time
			if err := r.Judge(c.Setup, factory.exact); err != nil {
				return games, err
			}
		}
		games = append(games, r)
	}
	return games, nil
}

// gameRunner plays games of one seed, in one goroutine.
type gameRunner struct {
	Setup
	spawner func(seed, index uint64) game.Spawner

	driver player.Driver     // driver of the last game
	moved  []board.Direction // moves of the last game
}

// play plays one game. Outcome.Elapsed is the time from the first decision to the end of the game. It
// includes spawning and moving tiles, but not the preparation of the player. A forfeited game ends with its
// current board.
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

// moves plays the game to its end.
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
