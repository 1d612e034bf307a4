package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/player"
)

// PlayOptions configure Play. The zero value plays all players' missing games by one worker.
type PlayOptions struct {
	Workers   int            // games at once in this process; 0: 1, or none with a Hub
	Players   []store.Player // nil: all that may play
	Games     int            // of each player; 0: as many as the experiment wants
	ChunkTime time.Duration  // how long a chunk should take; 0: see arena.Plan

	// OnStart is called once, before the first game is played, with the stored games of each of
	// Players. It is not called if no games are missing.
	OnStart func(have [][]arena.Game)
	// OnGames is called for every batch of stored games, by one goroutine at a time. An error ends
	// Play; arena.ErrStop ends it successfully.
	OnGames func(p *store.Player, games []arena.Recorded) error
	// Wrap decorates each player, for example with a time limit.
	Wrap func(player.Player) player.Player
	// Hub lets workers on other machines take part; nil: this process plays alone. Games that came
	// back since the experiment was played last are stored first. Wrap does not apply to other
	// machines.
	Hub Hub
	// OnRejected is called when a worker of another machine delivered a false game and was rejected:
	// what it delivered before (withdrawn games) is played again. An error ends Play.
	OnRejected func(worker, reason string, withdrawn int) error
	// onResume is called for games that came back before OnStart.
	onResume func(p *store.Player, games []arena.Recorded) error

	// DiscardOutcomes keeps no outcomes in memory, for long experiments; Results then reads them
	// from the store.
	DiscardOutcomes bool
}

// Play plays the missing games. If ctx ends, finished games are stored and the error is ctx's; if
// the experiment was removed meanwhile it is a store.ErrRemoved.
func (x *Experiment) Play(ctx context.Context, o PlayOptions) error {
	if o.Players == nil {
		o.Players = x.Playing()
	}
	ctx, stop := x.store.UntilRemoved(ctx, x.Stored)
	defer stop()
	var r *remote
	var outstanding map[string][]arena.Range
	if o.Hub != nil {
		var err error
		if r, outstanding, err = x.remote(ctx, &o); err != nil {
			return store.RemovalCause(ctx, err)
		}
	}
	plan, err := x.plan(ctx, &o, outstanding)
	if r != nil {
		if err != nil {
			return errors.Join(err, r.queue.Close())
		}
		r.scheduler.Plan = plan
		return r.play(ctx)
	}
	if err != nil || plan.Remaining() == 0 {
		return err
	}
	q := arena.NewLocalQueue(arena.LocalQueueOptions{})
	s := arena.Scheduler{Queue: q, Plan: plan, Keep: func(c *arena.Chunk, games []arena.Recorded) error {
		// What was finished is kept also while the program is being stopped.
		return x.keep(context.WithoutCancel(ctx), c, games, &o)
	}}
	err = s.RunHere(ctx, arena.Worker{Queue: q, Factory: x.factory(o.Wrap)}, max(o.Workers, 1))
	return store.RemovalCause(ctx, err)
}

// plan plans the games that are neither stored nor outstanding, by identity.
func (x *Experiment) plan(ctx context.Context, o *PlayOptions, outstanding map[string][]arena.Range) (*arena.Plan, error) {
	plan := &arena.Plan{Workers: max(o.Workers, 1), ChunkTime: o.ChunkTime}
	var have [][]arena.Game
	left := 0
	for i := range o.Players {
		p := &o.Players[i]
		games, err := x.load(ctx, p)
		if err != nil {
			return nil, err
		}
		x.add(plan, p, games, outstanding[p.Identity], cmp.Or(o.Games, x.Stored.Games))
		have = append(have, games)
		for _, r := range outstanding[p.Identity] {
			left += r.Games
		}
	}
	if o.DiscardOutcomes {
		clear(x.games)
	}
	if o.OnStart != nil && left+plan.Remaining() > 0 {
		o.OnStart(have)
	}
	return plan, nil
}

// load returns a player's games, by number.
func (x *Experiment) load(ctx context.Context, p *store.Player) ([]arena.Game, error) {
	if games, ok := x.games[p.Identity]; ok {
		byNumber(games)
		return games, nil
	}
	games, err := x.store.Games(ctx, x.Stored, p)
	if err == nil {
		x.games[p.Identity] = games
	}
	return games, err
}

func byNumber(games []arena.Game) {
	slices.SortFunc(games, func(a, b arena.Game) int { return cmp.Compare(a.Index, b.Index) })
}

// add plans the missing games of a player.
func (x *Experiment) add(plan *arena.Plan, p *store.Player, have []arena.Game, outstanding []arena.Range, games int) {
	var took time.Duration
	for i := range have {
		took += have[i].Elapsed
	}
	plan.Add(arena.Chunk{Setup: x.Stored.Setup, Player: p.Spec, Identity: p.Identity, Version: x.config.Program.Version},
		arena.Gaps(arena.Union(arena.Ranges(have), outstanding), games), len(have), took)
}

func (x *Experiment) keep(ctx context.Context, c *arena.Chunk, games []arena.Recorded, o *PlayOptions) error {
	p := x.Player(c.Identity)
	fresh, err := x.store.Keep(ctx, x.Stored, p, games)
	if err != nil {
		return err
	}
	x.shared = x.shared || fresh < len(games)
	if !o.DiscardOutcomes {
		for i := range games {
			x.games[c.Identity] = append(x.games[c.Identity], games[i].Game)
		}
	}
	if o.OnGames != nil {
		return o.OnGames(p, games)
	}
	return nil
}

// factory builds the player of a chunk.
func (x *Experiment) factory(wrap func(player.Player) player.Player) func(*arena.Chunk) (arena.PlayerFactory, error) {
	return func(c *arena.Chunk) (arena.PlayerFactory, error) {
		m, ok := x.makers[c.Identity]
		if !ok {
			return arena.PlayerFactory{}, fmt.Errorf("%s is no player of %s", c.Player, x.Stored.Name)
		}
		return arena.PlayerFactory{Spawn: x.spawn, New: func() (player.Player, error) {
			p := m.New()
			if wrap != nil {
				p = wrap(p)
			}
			return p, nil
		}}, nil
	}
}

// Results returns the games of all players. They are read from the store again only if another
// process played some of them or DiscardOutcomes was set.
func (x *Experiment) Results(ctx context.Context) (*arena.Results, error) {
	if x.shared {
		return x.store.Results(ctx, x.Stored)
	}
	all := make([][]arena.Game, len(x.Stored.Players))
	for i := range x.Stored.Players {
		p := &x.Stored.Players[i]
		games, err := x.load(ctx, p)
		if err != nil {
			return nil, err
		}
		byNumber(games)
		all[i] = games
		_ = x.store.CacheBlocks(ctx, p, games) // it only saves time later
	}
	return x.Stored.Results(all), nil
}
