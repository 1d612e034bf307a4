package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/player"
)

// PlayOptions configure Play. The zero value plays all players' missing games by one worker.
type PlayOptions struct {
	Workers   int            // games at once; 0: 1
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
	plan := &arena.Plan{Workers: max(o.Workers, 1), ChunkTime: o.ChunkTime}
	var have [][]arena.Game
	for i := range o.Players {
		games, err := x.load(ctx, &o.Players[i])
		if err != nil {
			return err
		}
		x.add(plan, &o.Players[i], games, cmp.Or(o.Games, x.Stored.Games))
		have = append(have, games)
	}
	if o.DiscardOutcomes {
		clear(x.games)
	}
	if plan.Remaining() == 0 {
		return nil
	}
	if o.OnStart != nil {
		o.OnStart(have)
	}
	have = nil
	ctx, stop := x.store.UntilRemoved(ctx, x.Stored)
	defer stop()
	q := arena.NewLocalQueue(arena.LocalQueueOptions{})
	s := arena.Scheduler{Queue: q, Plan: plan, Keep: func(c *arena.Chunk, games []arena.Recorded) error {
		// What was finished is kept also while the program is being stopped.
		return x.keep(context.WithoutCancel(ctx), c, games, &o)
	}}
	err := s.RunHere(ctx, arena.Worker{Queue: q, Factory: x.factory(o.Wrap)}, max(o.Workers, 1))
	return store.RemovalCause(ctx, err)
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
func (x *Experiment) add(plan *arena.Plan, p *store.Player, have []arena.Game, games int) {
	var took time.Duration
	for i := range have {
		took += have[i].Elapsed
	}
	plan.Add(arena.Chunk{Setup: x.Stored.Setup, Player: p.Spec, Identity: p.Identity, Version: x.config.Program.Version},
		arena.Gaps(arena.Ranges(have), games), len(have), took)
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
