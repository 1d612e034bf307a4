// Package solo plays experiments where package arena/store has no place, as in a browser: one process
// plays them, one at a time, and a [Keeper] stores what it is given. Games are played by package
// arena, so they are those of any other experiment with the same players, seed and setup.
//
//	runner, err := solo.New(solo.Options{Keeper: keeper, Version: version})
//	name, err := runner.Start(ctx, &wire.StartExperiment{Players: []string{"greedy", "random"}, Games: 100})
//
// A Runner answers the methods about experiments of a session.Host, but it writes no reports.
package solo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"afterstate/arena"
	"afterstate/internal/names"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/wire"
)

// Keeper stores values by key, permanently. Several runners may share what it stores, as the tabs of
// a browser do; each method is one step for all of them.
type Keeper interface {
	// Save stores a value, or replaces it, if the value of the key guard is still want; nil: it has
	// none. Otherwise it returns ErrChanged.
	Save(key string, value []byte, guard string, want []byte) error
	// Remove removes a value, and all values whose keys begin with prefix, if the value is still want.
	// Otherwise it returns ErrChanged.
	Remove(key string, want []byte, prefix string) error
	// Load returns all values whose keys begin with one of the prefixes, except those of the known keys.
	Load(prefixes, known []string) (map[string][]byte, error)
}

// ErrChanged is the error of a Keeper when another runner has changed or removed the value.
var ErrChanged = errors.New("the value has changed")

// Options configures a Runner. Keeper and Version are required.
type Options struct {
	Keeper       Keeper
	Locks        Locker // nil: nothing prevents that several runners play the same experiment
	Capabilities catalog.Capabilities
	// Version returns the version of the program and of whatever else decides how its players play,
	// such as a network, for which it waits.
	Version func(ctx context.Context) (string, error)
	// Wrap decorates each player, for example with a time limit; nil: no decoration.
	Wrap func(player.Player) player.Player
}

// maxExperiments is the limit of stored experiments.
const maxExperiments = 200

// Runner plays and keeps experiments. It is safe for concurrent use.
type Runner struct {
	o Options

	playing sync.WaitGroup

	mu  sync.Mutex
	all []*kept // in the order in which they were begun
}

// kept is an experiment with its games.
type kept struct {
	Experiment
	stored  []byte                  // the value of its key, which it has until it is removed
	games   [][]arena.Recorded      // by player, in the order in which they were finished
	batches map[string]bool         // the keys of batches whose games are in games
	stop    context.CancelCauseFunc // nil: this runner does not play it
	done    chan struct{}           // closed when no further game is stored; nil: it was not played
	release func()                  // releases its lock
	err     string                  // why it ended early here
	// elsewhere is whether another runner played it at the last refresh.
	elsewhere bool
}

// Experiment is the stored form of an experiment, without its games.
type Experiment struct {
	Name    string      `json:"name"`
	Created time.Time   `json:"created"`
	Games   int         `json:"games"` // of each player
	Setup   arena.Setup `json:"setup"`
	Version string      `json:"version"` // Options.Version when it was begun
	Players []Player    `json:"players"`
}

// Player is a player of an experiment.
type Player struct {
	Spec        string `json:"spec"`
	Foresees    bool   `json:"foresees,omitempty"`
	TimeLimited bool   `json:"time_limited,omitempty"`
}

// batch is the stored form of games that were finished together.
type batch struct {
	Experiment string           `json:"experiment"`
	Player     int              `json:"player"` // from 0
	Games      []arena.Recorded `json:"games"`
}

// New returns a runner with the experiments that the keeper has.
func New(o Options) (*Runner, error) {
	r := &Runner{o: o}
	return r, r.refresh()
}

// add adds the games of a stored batch that are not there yet.
func (e *kept) add(key string, player int, games []arena.Recorded) {
	e.batches[key] = true
	for _, g := range games {
		if !slices.ContainsFunc(e.games[player], func(have arena.Recorded) bool { return have.Index == g.Index }) {
			e.games[player] = append(e.games[player], g)
		}
	}
}

func (e *kept) finished() (n int) {
	for _, games := range e.games {
		n += len(games)
	}
	return n
}

// complete reports whether all games are finished.
func (e *kept) complete() bool { return e.finished() == e.Games*len(e.Players) }

// find returns the experiment with a name, or nil. The caller holds the lock.
func (r *Runner) find(name string) *kept {
	if i := slices.IndexFunc(r.all, func(e *kept) bool { return e.Name == name }); i >= 0 {
		return r.all[i]
	}
	return nil
}

// Start begins an experiment or, if no players are given, resumes the one of that name, and returns
// its name. It does not wait for games.
func (r *Runner) Start(ctx context.Context, q *wire.StartExperiment) (name string, err error) {
	version, err := r.o.Version(ctx)
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.all {
		if e.stop != nil {
			return "", fmt.Errorf("%q is running: wait for its end, or stop it", e.Name)
		}
	}
	if err := r.refresh(); err != nil {
		return "", err
	}
	e, makers, err := r.prepare(q, version)
	if err != nil {
		return "", err
	}
	playing, stop := context.WithCancelCause(context.Background())
	e.stop, e.done, e.err, e.elsewhere = stop, make(chan struct{}), "", false
	r.playing.Go(func() {
		defer close(e.done)
		err := r.play(playing, e, makers)
		if errors.Is(err, context.Canceled) {
			err = context.Cause(playing)
		}
		stop(nil)
		e.release()
		r.mu.Lock()
		defer r.mu.Unlock()
		e.stop = nil
		switch {
		case errors.Is(err, ErrChanged): // another runner has removed it
			r.forget(e)
		case errors.Is(err, context.Canceled):
			e.err = stopped
		case err != nil:
			e.err = err.Error()
		}
	})
	return e.Name, nil
}

// stopped is the reason why an experiment has ended early when nothing failed.
const stopped = "stopped"

// prepare returns the experiment to play and the makers of its players.
func (r *Runner) prepare(q *wire.StartExperiment, version string) (*kept, []catalog.Maker, error) {
	if len(q.Players) == 0 {
		return r.resume(q.Name, version)
	}
	makers, err := r.makers(q.Players, &arena.Setup{Size: q.Size, Spawn: "random"})
	if err != nil {
		return nil, nil, err
	}
	e := &kept{Experiment: Experiment{
		Created: time.Now(), Games: q.Games, Version: version,
		Setup: arena.Setup{Size: q.Size, Spawn: "random", SpawnIdentity: "random", Seed: q.Seed, Until: q.Until},
	}}
	for i := range makers {
		m := &makers[i]
		e.Players = append(e.Players, Player{m.Spec, m.Foresees, m.TimeLimited})
	}
	e.empty()
	if err := r.add(e, q.Name); err != nil {
		return nil, nil, err
	}
	return e, makers, nil
}

// add stores a new experiment under a name, or under one that is free if it is empty, and locks it.
func (r *Runner) add(e *kept, name string) (err error) {
	taken := map[string]bool{} // by other runners
	for {
		if e.Name, err = r.name(name, taken); err != nil {
			return err
		}
		if err = r.lock(e); err != nil { // before it is stored: others see it as played from the beginning
			return err
		}
		if e.stored, err = json.Marshal(e.Experiment); err == nil {
			err = r.o.Keeper.Save(experimentKey(e.Name), e.stored, experimentKey(e.Name), nil)
		}
		if err == nil {
			r.all = append(r.all, e)
			return nil
		}
		e.release()
		if !errors.Is(err, ErrChanged) {
			return fmt.Errorf("the experiment cannot be stored: %w", err)
		}
		taken[e.Name] = true
	}
}

// resume locks an experiment and checks that it can be played on.
func (r *Runner) resume(name, version string) (_ *kept, makers []catalog.Maker, err error) {
	e := r.find(name)
	if e == nil {
		return nil, nil, errNone
	}
	if err := r.lock(e); err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			e.release()
		}
	}()
	// The runner that had the lock before may have stored games.
	if err := r.refresh(); err != nil {
		return nil, nil, err
	}
	switch {
	case r.find(name) != e:
		return nil, nil, changed(name)
	case e.complete():
		return nil, nil, fmt.Errorf("all games of %q are finished", name)
	case e.Version != version:
		return nil, nil, fmt.Errorf("%q was played by %s, and this is %s, whose players may play otherwise: begin another experiment", name, e.Version, version)
	}
	makers, err = r.makers(e.specs(), &e.Setup)
	return e, makers, err
}

func changed(name string) error { return fmt.Errorf("%q has changed meanwhile: try again", name) }

var errNone = errors.New("no experiment has this name")

// makers parses the specs of players.
func (r *Runner) makers(specs []string, s *arena.Setup) (all []catalog.Maker, err error) {
	for _, text := range specs {
		m, err := catalog.Parse(text, r.o.Capabilities)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other catalog.Maker) bool { return other.Spec == m.Spec }) {
			return nil, fmt.Errorf("%s takes part twice", m.Spec)
		}
		p := m.New()
		_, err = player.Ready(p, s.Size)
		if err = errors.Join(err, player.Close(p)); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// name checks a name, or chooses one. It also avoids the names in taken.
func (r *Runner) name(name string, taken map[string]bool) (string, error) {
	if len(r.all) >= maxExperiments {
		return "", fmt.Errorf("there are %d experiments, the maximum here: delete some", maxExperiments)
	}
	if name != "" {
		if r.find(name) != nil || taken[name] {
			return "", fmt.Errorf("there is an experiment %q already: want another name, or no players to resume it", name)
		}
		return name, names.Check("experiment", name)
	}
	for n := 1; ; n++ {
		if name = fmt.Sprintf("experiment-%d", n); r.find(name) == nil && !taken[name] {
			return name, nil
		}
	}
}

// Close stops what is played and waits for it; finished games are stored.
func (r *Runner) Close() {
	r.mu.Lock()
	for _, e := range r.all {
		if e.stop != nil {
			e.stop(nil)
		}
	}
	r.mu.Unlock()
	r.playing.Wait()
}

// Stop stops an experiment that is being played; its finished games are stored.
func (r *Runner) Stop(_ context.Context, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.find(name)
	switch {
	case e == nil:
		return errNone
	case e.stop != nil:
		e.stop(nil)
	case e.elsewhere:
		return elsewhere(name)
	}
	return nil
}

// Remove stops an experiment if it is being played, and removes it with all its games. Another runner that
// plays it stops when it lists experiments, or has games to store.
func (r *Runner) Remove(ctx context.Context, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.find(name)
	if e == nil {
		return errNone
	}
	if e.stop != nil {
		e.stop(nil)
		done := e.done
		r.mu.Unlock()
		select {
		case <-done:
		case <-ctx.Done():
		}
		r.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.find(name) != e || e.stop != nil { // others were faster
			return changed(name)
		}
	}
	// ErrChanged: another runner has removed it, and the name may be another experiment's now.
	if err := r.o.Keeper.Remove(experimentKey(name), e.stored, batchPrefix(name)); err != nil && !errors.Is(err, ErrChanged) {
		return fmt.Errorf("%q cannot be removed: %w", name, err)
	}
	r.forget(e)
	return nil
}

// forget drops an experiment that is removed. The caller holds the lock.
func (r *Runner) forget(e *kept) {
	r.all = slices.DeleteFunc(r.all, func(other *kept) bool { return other == e })
}
