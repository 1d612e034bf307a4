package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
)

// PlayOptions configure Play. The zero value plays all players' missing games by one worker.
type PlayOptions struct {
	Workers   int            // games at once in this process; 0: 1, or none with Remote
	Players   []arena.Player // nil: all that may play
	Games     int            // of each player; 0: as many as the experiment has
	ChunkTime time.Duration  // how long a chunk should take; 0: see arena.Plan

	// OnStart is called once, before the first game is played, with the stored games of each of
	// Players. It is not called if no games are missing.
	OnStart func(have [][]arena.Outcome)
	// OnGames is called for every batch of stored games, by one goroutine at a time. An error ends
	// Play; arena.ErrStop ends it successfully.
	OnGames func(p *arena.Player, games []arena.Recorded) error
	// Luck accounts for the new tiles of each game after it is stored; nil: nothing does. It has the same store.
	Luck *Accounts
	// Wrap decorates each player, for example with a time limit.
	Wrap func(player.Player) player.Player
	// Remote lets workers on other machines play too; nil: all games are played here.
	Remote *Remote
	// onResume is called for games that came back before Play began, unless nil; see OnGames. onFalse is
	// called when games are removed that came from a worker that was rejected.
	onResume func(p *arena.Player, games []arena.Recorded) error
	onFalse  func(worker, reason string, games int) error

	// DiscardOutcomes keeps no outcomes in memory, for long experiments; Results then reads them
	// from the store.
	DiscardOutcomes bool
}

// hasWorkers is false in a browser, whose program leaves out the code for workers on other machines and for verdicts.
const hasWorkers = runtime.GOOS != "js"

// maxStarts limits the text of start boards for workers on other machines: it is a part of every message.
const maxStarts = 256 << 10

// Play plays the missing games. If ctx ends, finished games are stored and the error is ctx's; if
// the experiment was removed meanwhile it is a arena.ErrRemoved.
func (x *Experiment) Play(ctx context.Context, o PlayOptions) error {
	if o.Players == nil {
		o.Players = x.Playing()
	}
	have, missing, err := x.loadAll(ctx, &o)
	if err != nil || !missing {
		return err
	}
	ctx, stop := x.store.UntilRemoved(ctx, x.Stored)
	defer stop()
	s := &arena.Scheduler{Keep: func(c *arena.Chunk, games []arena.Recorded) error {
		// What was finished is kept also while the program is being stopped.
		return x.keep(context.WithoutCancel(ctx), c, games, &o)
	}}
	var remote *remotePlay
	var pending map[string][]arena.Range
	if hasWorkers && o.Remote != nil {
		if size := len(x.Stored.Setup.Starts.String()); size > maxStarts {
			return fmt.Errorf("%s: its start boards take %d bytes, and workers on other machines get at most %d", x.Stored.Name, size, maxStarts)
		}
		if remote, pending, err = x.resume(ctx, s, &o); err != nil {
			return arena.RemovalCause(ctx, err)
		}
		if have, missing, err = x.loadAll(ctx, &o); err != nil {
			return errors.Join(err, remote.queue.Close())
		}
		for i := range o.Players {
			remote.loaded(o.Players[i].Identity, have[i])
		}
	}
	s.Plan = &arena.Planner{Workers: max(o.Workers, 1), ChunkTime: o.ChunkTime}
	for i := range o.Players {
		p := &o.Players[i]
		x.add(s.Plan, p, have[i], pending[p.Identity], cmp.Or(o.Games, x.Stored.Games))
	}
	if o.DiscardOutcomes {
		clear(x.games)
	}
	if o.OnStart != nil && missing {
		o.OnStart(have)
	}
	have = nil
	w := arena.Worker{Factory: x.factory(o.Wrap)}
	if hasWorkers && remote != nil {
		return arena.RemovalCause(ctx, remote.play(ctx, s, w))
	}
	q := arena.NewLocalQueue()
	s.Queue, w.Queue = q, q
	return arena.RemovalCause(ctx, s.RunHere(ctx, w, max(o.Workers, 1)))
}

// loadAll returns the games of the players, and whether some are missing.
func (x *Experiment) loadAll(ctx context.Context, o *PlayOptions) (have [][]arena.Outcome, missing bool, err error) {
	for i := range o.Players {
		games, err := x.load(ctx, &o.Players[i])
		if err != nil {
			return nil, false, err
		}
		missing = missing || len(arena.Gaps(arena.Ranges(games), cmp.Or(o.Games, x.Stored.Games))) > 0
		have = append(have, games)
	}
	return have, missing, nil
}

// load returns a player's games, by number.
func (x *Experiment) load(ctx context.Context, p *arena.Player) ([]arena.Outcome, error) {
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

func byNumber(games []arena.Outcome) {
	slices.SortFunc(games, func(a, b arena.Outcome) int { return cmp.Compare(a.Index, b.Index) })
}

// add plans the missing games of a player, without those that workers elsewhere play already.
func (x *Experiment) add(plan *arena.Planner, p *arena.Player, have []arena.Outcome, pending []arena.Range, games int) {
	var took time.Duration
	for i := range have {
		took = arena.AddTimes(took, have[i].Elapsed)
	}
	c := arena.Chunk{Setup: x.Stored.Setup, Player: p.Spec, Identity: p.Identity, Version: x.config.Program.Version}
	if external := x.makers[p.Identity].External; external != nil {
		c.Folder = external.Folder()
	}
	plan.Add(c, arena.Gaps(append(arena.Ranges(have), pending...), games), len(have), took)
}

func (x *Experiment) keep(ctx context.Context, c *arena.Chunk, games []arena.Recorded, o *PlayOptions) error {
	p := x.Player(c.Identity)
	if p == nil {
		return nil // of a queue that outlived a change of the players
	}
	fresh, err := x.store.Keep(ctx, x.Stored, p, games)
	if err != nil {
		return err
	}
	x.shared = x.shared || fresh < len(games)
	if o.Luck != nil {
		if err := x.account(ctx, o.Luck, p, games); err != nil {
			return err
		}
	}
	if !o.DiscardOutcomes {
		for i := range games {
			x.games[c.Identity] = append(x.games[c.Identity], games[i].Outcome)
		}
	}
	if o.OnGames != nil {
		return o.OnGames(p, games)
	}
	return nil
}

// account accounts for games that were stored.
func (x *Experiment) account(ctx context.Context, a *Accounts, p *arena.Player, games []arena.Recorded) error {
	all := make([]*arena.Recorded, len(games))
	for i := range games {
		all[i] = &games[i]
	}
	if x.luck[p.Identity] == nil {
		x.luck[p.Identity] = map[uint64]float64{}
	}
	return a.account(ctx, p, all, x.luck[p.Identity], nil)
}

// factory builds the player of a chunk.
func (x *Experiment) factory(wrap func(player.Player) player.Player) func(*arena.Chunk) (arena.PlayerFactory, error) {
	return func(c *arena.Chunk) (arena.PlayerFactory, error) {
		m, ok := x.makers[c.Identity]
		if !ok {
			return arena.PlayerFactory{}, fmt.Errorf("%s is no player of %s", c.Player, x.Stored.Name)
		}
		f := arena.PlayerFactory{Spawn: x.spawn, New: m.New}
		if wrap != nil {
			f.New = func() player.Player { return wrap(m.New()) }
		}
		return f, nil
	}
}

// Results returns the games of all players. They are read from the store again only if another
// process played some of them or DiscardOutcomes was set.
func (x *Experiment) Results(ctx context.Context) (*arena.Results, error) {
	if x.shared {
		return Results(ctx, x.store, x.Stored, nil)
	}
	all, _, err := x.loadAll(ctx, &PlayOptions{Players: x.Stored.Players})
	if err != nil {
		return nil, err
	}
	return x.Stored.Results(all), nil
}

// Pool plays games for a program that needs their outcomes and stores none, with workers on other
// machines. It is not safe for concurrent use.
type Pool struct {
	queue   arena.RemoteQueue
	workers int
	version string
}

// OpenPool opens a queue for games of built-in players. id identifies the work among all that share
// the server; name describes it to workers. workers is the number of games at once in this process.
func (c *Config) OpenPool(ctx context.Context, r *Remote, id, name string, workers int) (*Pool, error) {
	signature, err := c.Program.signature(ctx)
	if err != nil {
		return nil, err
	}
	info := arena.QueueInfo{ID: arena.Digest(id), Name: name, Version: c.Program.Version, Signature: signature}
	q, err := r.Hub.OpenQueue(ctx, info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if r.OnOpen != nil {
		r.OnOpen(func() int { return q.Cores("") })
	}
	return &Pool{q, workers, c.Program.Version}, nil
}

// Play plays the games 0 to games-1 of a setup with random spawns, and returns their outcomes in this order.
// The makers' specs name no files.
func (p *Pool) Play(ctx context.Context, m catalog.Maker, setup arena.Setup, games int) ([]arena.Outcome, error) {
	spawn, err := catalog.ParseSpawner(setup.Spawn, catalog.Capabilities{})
	if err != nil {
		return nil, err
	}
	setup.SpawnIdentity = spawn.Spec
	chunk := arena.Chunk{Setup: setup, Player: m.Spec, Identity: m.Spec, Version: p.version}
	plan := &arena.Planner{Workers: max(p.workers, 1)}
	plan.Add(chunk, []arena.Range{{Games: games}}, 0, 0)
	all := make([]arena.Outcome, games)
	have := make([]bool, games)
	w := arena.Worker{Queue: p.queue, Heartbeat: p.queue.Heartbeat(), Factory: func(c *arena.Chunk) (arena.PlayerFactory, error) {
		if c.Identity != m.Spec {
			return arena.PlayerFactory{}, fmt.Errorf("%s belongs to an earlier part of the work", c.Player)
		}
		return arena.PlayerFactory{New: m.New, Spawn: spawn}, nil
	}}
	s := arena.Scheduler{
		Queue: p.queue, Plan: plan, Capacity: func(string) int { return p.queue.Cores("") + p.workers },
		Keep: func(c *arena.Chunk, delivered []arena.Recorded) error {
			if c.Identity != m.Spec || c.Setup != setup {
				return nil // late, from an earlier part
			}
			for i := range delivered {
				if g := &delivered[i]; g.Index < uint64(games) {
					all[g.Index], have[g.Index] = g.Outcome, true
				}
			}
			return nil
		},
		Inspect: &arena.Inspector{Factory: w.Factory, Deterministic: func(*arena.Chunk) bool { return !m.TimeLimited }, OnFalse: p.reject},
	}
	if err := s.RunHere(ctx, w, p.workers); err != nil {
		return nil, err
	}
	for i, ok := range have {
		if !ok {
			return nil, fmt.Errorf("%s: game %d did not come back", m.Spec, i)
		}
	}
	return all, nil
}

// reject leaves the former games of a rejected worker, which belong to work that has ended.
func (p *Pool) reject(ctx context.Context, d *arena.Delivery, reason string, _ map[string][]arena.Range) error {
	return p.queue.Reject(ctx, d, reason)
}

// Close leaves the queue. With done it is removed, since the work has ended.
func (p *Pool) Close(done bool) error {
	if !done {
		return p.queue.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), cleanUpTime)
	defer cancel()
	return p.queue.Remove(ctx)
}
