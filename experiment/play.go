package experiment

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/player"
)

// PlayOptions configures Play. The zero value plays all players' missing games with one worker.
type PlayOptions struct {
	Workers   int            // number of concurrent games in this process; 0 means 1, or none if Machines is set
	Players   []arena.Player // players whose missing games are played; nil means Experiment.Playing
	Games     int            // number of games of each player; 0 means the number that the experiment requests
	ChunkTime time.Duration  // target duration of a chunk; 0 means localChunkTime; with Machines see chunksPerSecond

	// OnStart is called once, before the first game is played, with the stored games of each of
	// Players. It is not called if no games are missing.
	OnStart func(have [][]arena.Outcome)
	// OnGames is called for every batch of stored games, by one goroutine at a time. An error ends
	// Play; arena.ErrStop ends it successfully.
	OnGames func(p *arena.Player, games []arena.Recorded) error
	// Wrap decorates each player, for example with a time limit.
	Wrap func(player.Player) player.Player
	// Machines lets workers on other machines play too; nil means that all games are played here.
	Machines *Machines
}

// localChunkTime is the target duration of a chunk that is played in this process. Its games are stored together.
const localChunkTime = 250 * time.Millisecond

// Play plays the missing games. If ctx ends, it stores the finished games and returns ctx's error. If the
// experiment is removed meanwhile, the error is arena.ErrRemoved.
func (x *Experiment) Play(ctx context.Context, o PlayOptions) error {
	if o.Players == nil {
		o.Players = x.Playing()
	}
	finished, missing, err := x.loadAll(ctx, &o)
	if err != nil || !missing {
		return err
	}
	ctx, stop := x.store.UntilRemoved(ctx, x.Plan)
	defer stop()
	s := &arena.Scheduler{
		Plan: &arena.Planner{Workers: max(o.Workers, 1), ChunkTime: cmp.Or(o.ChunkTime, localChunkTime)},
		Keep: func(c *arena.Chunk, games []arena.Recorded) error {
			// Finished games are stored even while the program is being stopped.
			return x.keep(context.WithoutCancel(ctx), c, games, &o)
		},
	}
	for i := range o.Players {
		x.add(s.Plan, &o.Players[i], finished[i], cmp.Or(o.Games, x.Plan.Games))
	}
	if o.OnStart != nil {
		o.OnStart(finished)
	}
	w := arena.Worker{Factory: x.factory(o.Wrap)}
	if o.Machines != nil {
		return arena.RemovalCause(ctx, x.playElsewhere(ctx, s, w, &o, finished))
	}
	q := arena.NewLocalQueue()
	s.Queue, w.Queue = q, q
	return arena.RemovalCause(ctx, s.Run(ctx, w, max(o.Workers, 1)))
}

// loadAll returns the stored games of the players, and whether some games are missing.
func (x *Experiment) loadAll(ctx context.Context, o *PlayOptions) (finished [][]arena.Outcome, missing bool, err error) {
	for i := range o.Players {
		games, err := x.store.Games(ctx, x.Plan, &o.Players[i])
		if err != nil {
			return nil, false, err
		}
		missing = missing || len(arena.Gaps(arena.Ranges(games), cmp.Or(o.Games, x.Plan.Games))) > 0
		finished = append(finished, games)
	}
	return finished, missing, nil
}

// add plans the missing games of a player.
func (x *Experiment) add(plan *arena.Planner, p *arena.Player, finished []arena.Outcome, games int) {
	var took time.Duration
	for i := range finished {
		took = arena.AddTimes(took, finished[i].Elapsed)
	}
	c := arena.Chunk{Setup: x.Plan.Setup, Player: p.Spec, Identity: p.Identity, Version: x.config.Program.Version}
	if x.makers[p.Identity].External != nil {
		c.Folder, _ = os.Getwd() // folder in which the external program starts; "" if unknown
	}
	plan.Add(c, arena.Gaps(arena.Ranges(finished), games), len(finished), took)
}

func (x *Experiment) keep(ctx context.Context, c *arena.Chunk, games []arena.Recorded, o *PlayOptions) error {
	p := x.Player(c.Identity)
	if p == nil {
		return nil // the chunk was queued before the players changed
	}
	if _, err := x.store.Keep(ctx, x.Plan, p, games); err != nil {
		return err
	}
	if o.OnGames != nil {
		return o.OnGames(p, games)
	}
	return nil
}

// factory returns a function that returns the player and the spawn rule of a chunk. If wrap is not
// nil, it decorates the player.
func (x *Experiment) factory(wrap func(player.Player) player.Player) func(*arena.Chunk) (arena.PlayerFactory, error) {
	return func(c *arena.Chunk) (arena.PlayerFactory, error) {
		m, ok := x.makers[c.Identity]
		if !ok {
			return arena.PlayerFactory{}, fmt.Errorf("%s is not a player of %s", c.Player, x.Plan.Name)
		}
		f := arena.PlayerFactory{Spawn: x.spawn, New: m.New}
		if wrap != nil {
			f.New = func() player.Player { return wrap(m.New()) }
		}
		return f, nil
	}
}

// Results returns the stored games of all players.
func (x *Experiment) Results(ctx context.Context) (*arena.Results, error) {
	return Results(ctx, x.store, x.Plan, nil)
}
