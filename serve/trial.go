package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"afterstate/arena"
	"afterstate/arena/queue"
	"afterstate/arena/store"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/wire"
)

const (
	mostExperiments = 1000             // in the store, for those who begin one here
	thinkTime       = 10 * time.Second // the longest time of a move
)

// trial is an experiment that is about to be played.
type trial struct {
	lab        *Lab
	store      *store.Store
	experiment *store.Experiment
	spawn      player.SpawnRule
	makers     map[string]catalog.Maker // by identity
}

// begin makes a new experiment.
func (t *trial) begin(ctx context.Context, w *wire.StartExperiment) (err error) {
	if w.Name != "" {
		if err := store.CheckName(w.Name); err != nil {
			return err
		}
	}
	if t.spawn, err = catalog.ParseSpawner("random", t.lab.o.Capabilities); err != nil {
		return err
	}
	e := &store.Experiment{Name: w.Name, Games: w.Games, Setup: arena.Setup{
		Size: w.Size, Spawn: t.spawn.Spec, SpawnIdentity: t.spawn.Spec, Seed: w.Seed, Until: w.Until,
	}}
	for _, text := range w.Players {
		m, err := catalog.Parse(text, t.lab.o.Capabilities)
		if err != nil {
			return err
		}
		if err := fitsMaker(ctx, m, w.Size); err != nil {
			return err
		}
		id, err := t.lab.o.Identity(m.Spec)
		if err != nil {
			return err
		}
		if _, twice := t.makers[id]; twice {
			return fmt.Errorf("%s takes part twice", m.Spec)
		}
		t.makers[id] = m
		e.Players = append(e.Players, store.Player{
			Spec: m.Spec, Identity: id, Versions: []string{t.lab.o.Version}, Foresees: m.Foresees, TimeLimited: m.TimeLimited,
		})
	}
	if err := t.named(ctx, e); err != nil {
		return err
	}
	t.experiment = e
	return t.store.Create(ctx, e)
}

// named finds a place in the store for an experiment, and a name if it has none.
func (t *trial) named(ctx context.Context, e *store.Experiment) error {
	all, err := t.store.Experiments(ctx)
	if err != nil {
		return err
	}
	if len(all) >= mostExperiments {
		return fmt.Errorf("there are %d experiments: want fewer, by arena rm", len(all))
	}
	taken := func() bool {
		return slices.ContainsFunc(all, func(x store.Experiment) bool { return x.Name == e.Name })
	}
	if e.Name != "" && taken() {
		return fmt.Errorf("there is an experiment %s already: want another name, or no players to go on with it", short(e.Name))
	}
	for n := 1; e.Name == "" || taken(); n++ {
		e.Name = fmt.Sprintf("trial-%d", n)
	}
	return nil
}

// goOn takes up an experiment that is there, if its players are what they were.
func (t *trial) goOn(ctx context.Context, w *wire.StartExperiment) (err error) {
	if t.experiment, err = t.store.Experiment(ctx, w.Name); err != nil {
		if errors.Is(err, store.ErrUnknown) {
			err = ErrNoExperiment
		}
		return err
	}
	e := t.experiment
	if r := t.lab.running[e.Name]; r != nil && r.experiment.Is(e) {
		return fmt.Errorf("%s is running", short(e.Name))
	}
	if t.spawn, err = catalog.ParseSpawner(e.Setup.Spawn, t.lab.o.Capabilities); err != nil {
		return fmt.Errorf("its spawn rule: %w", err)
	}
	counts, err := t.store.Count(ctx, e)
	if err != nil {
		return err
	}
	for i := range e.Players {
		if counts[i] < e.Games {
			if err := t.admit(ctx, &e.Players[i], counts[i] > 0); err != nil {
				return err
			}
		}
	}
	if len(t.makers) == 0 {
		return fmt.Errorf("all games of %s are finished", short(e.Name))
	}
	return nil
}

// admit makes a player of the store ready to play: if it has played, it must be what
// it was.
func (t *trial) admit(ctx context.Context, p *store.Player, played bool) error {
	m, err := catalog.Parse(p.Spec, t.lab.o.Capabilities)
	if err != nil {
		return fmt.Errorf("%w: arena run can go on with it", err)
	}
	id, err := t.lab.o.Identity(p.Spec)
	switch {
	case err != nil:
		return err
	case id != p.Identity:
		return fmt.Errorf("%s names a file that has other contents now", p.Spec)
	case played && !slices.Contains(p.Versions, t.lab.o.Version):
		return fmt.Errorf("%s was played by another version of the program: arena run --any-version can go on with it", p.Spec)
	}
	t.makers[p.Identity] = m
	return t.store.Played(ctx, t.experiment, p, t.lab.o.Version)
}

// play plays the games that are missing.
func (t *trial) play(ctx context.Context) error {
	e, workers := t.experiment, max(t.lab.o.Workers, 1)
	plan := &arena.Plan{Workers: workers}
	players := map[string]*store.Player{} // by identity
	for i := range e.Players {
		p := &e.Players[i]
		if _, plays := t.makers[p.Identity]; !plays {
			continue
		}
		have, err := t.store.Games(ctx, e, p)
		if err != nil {
			return err
		}
		players[p.Identity] = p
		plan.Add(arena.Chunk{Setup: e.Setup, Player: p.Spec, Identity: p.Identity, Version: t.lab.o.Version},
			arena.Gaps(arena.Ranges(have), e.Games), 0, 0)
	}
	ctx, stop := t.store.WhileThere(ctx, e)
	defer stop()
	q := queue.New(queue.Options{})
	conductor := &arena.Conductor{Queue: q, Plan: plan, Keep: func(c *arena.Chunk, games []arena.Recorded) error {
		// What was finished is kept also when the experiment is stopped.
		_, err := t.store.Keep(context.WithoutCancel(ctx), e, players[c.Identity], games)
		return err
	}}
	err := conductor.RunHere(ctx, arena.Worker{Queue: q, Seat: t.seat}, workers)
	return store.Ended(ctx, err)
}

// seat is what a worker needs to play a chunk here.
func (t *trial) seat(c *arena.Chunk) (arena.Seat, error) {
	m := t.makers[c.Identity]
	return arena.Seat{New: func() (player.Player, error) { return inTime(m.New()), nil }, Spawn: t.spawn}, nil
}

// inTime lets a player's thoughts end in time.
func inTime(p player.Player) player.Player { return &patient{p, thinkTime} }
