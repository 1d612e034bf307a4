package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"afterstate/arena"
	"afterstate/board"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/wire"
)

// Runner plays experiments of a store in the background. Others may play experiments of the store
// at the same time. It is safe for concurrent use.
type Runner struct {
	o       RunnerOptions
	ctx     context.Context
	end     context.CancelFunc
	playing sync.WaitGroup
	changes atomic.Int64

	mu       sync.Mutex
	store    Store               // nil: not opened yet
	running  map[string]*running // by name
	failures map[string]string   // why experiments ended early, by name
	removed  map[string]error    // those that were removed while they were played, by name
}

// running is an experiment being played.
type running struct {
	kept *arena.Experiment
	stop context.CancelCauseFunc
	done chan struct{} // closed when it has ended
}

// RunnerOptions configure a Runner. Open and Config's Identity are required.
type RunnerOptions struct {
	Config
	// Open opens the store. If there is none it creates it if create is set, and returns nil
	// otherwise.
	Open    func(create bool) (Store, error)
	Report  func(w io.Writer, e *arena.Experiment, r *arena.Results) error // writes a page; nil: there are no reports
	Workers int                                                            // games of an experiment at once; 0: 1, or none with Remote
	// Remote returns what lets workers on other machines play an experiment; nil: none do.
	Remote         func() *Remote
	MaxRunning     int // experiments at once; 0: any number
	MaxExperiments int // in the store, for those who begin one here; 0: any number
	// Check, unless nil, refuses players that cannot play a size.
	Check func(ctx context.Context, m catalog.Maker, size board.Size) error
	Wrap  func(player.Player) player.Player // see PlayOptions
}

// ErrNoExperiment is the error for a name that no experiment has.
var ErrNoExperiment = errors.New("no experiment has this name")

// NewRunner returns a runner. Call Close to end what it plays.
func NewRunner(o RunnerOptions) *Runner {
	ctx, end := context.WithCancel(context.Background())
	return &Runner{o: o, ctx: ctx, end: end, running: map[string]*running{}, failures: map[string]string{}, removed: map[string]error{}}
}

// Close stops all experiments; their finished games are stored.
func (r *Runner) Close() {
	r.end()
	r.playing.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.store != nil {
		_ = r.store.Close() // every game is on the disk
	}
}

// Wait waits until no experiment is being played.
func (r *Runner) Wait() { r.playing.Wait() }

// Running is the number of experiments being played.
func (r *Runner) Running() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.running)
}

// Changes counts the beginnings and ends of experiments.
func (r *Runner) Changes() int64 { return r.changes.Load() }

// opened returns the store, or nil if no store is open.
func (r *Runner) opened() (Store, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open(false)
}

func (r *Runner) open(create bool) (Store, error) {
	if r.store == nil {
		s, err := r.o.Open(create)
		if err != nil {
			return nil, err
		}
		r.store = s
	}
	return r.store, nil
}

// find returns an experiment of the store.
func (r *Runner) find(ctx context.Context, name string) (Store, *arena.Experiment, error) {
	s, err := r.opened()
	if err == nil && s == nil {
		err = ErrNoExperiment
	}
	if err != nil {
		return nil, nil, err
	}
	e, err := s.Experiment(ctx, name)
	if errors.Is(err, arena.ErrUnknown) {
		err = r.NotFound(name)
	}
	return s, e, err
}

// NotFound returns why there is no experiment of this name.
func (r *Runner) NotFound(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.removed[name], ErrNoExperiment)
}

// Start begins an experiment or, if no players are given, resumes the one of that name, and returns
// its name. It does not wait for games.
func (r *Runner) Start(ctx context.Context, q *wire.StartExperiment) (name string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ctx.Err() != nil:
		return "", errors.New("the server ends")
	case r.o.MaxRunning > 0 && len(r.running) >= r.o.MaxRunning:
		return "", fmt.Errorf("%d experiments are running: wait for one to end, or stop one", len(r.running))
	}
	s, err := r.open(len(q.Players) > 0)
	if err == nil && s == nil {
		err = ErrNoExperiment
	}
	if err != nil {
		return "", err
	}
	var x *Experiment
	if len(q.Players) > 0 {
		x, err = r.begin(ctx, s, q)
	} else {
		x, err = r.resume(ctx, s, q.Name)
	}
	if err != nil {
		return "", err
	}
	r.play(x)
	return x.Stored.Name, nil
}

// begin creates a new experiment.
func (r *Runner) begin(ctx context.Context, s Store, q *wire.StartExperiment) (*Experiment, error) {
	if q.Name != "" {
		if err := arena.CheckName(q.Name); err != nil {
			return nil, err
		}
	}
	entrants, err := r.o.Entrants(ctx, q.Players, q.Size)
	if err != nil {
		return nil, err
	}
	for _, n := range entrants {
		if r.o.Check == nil {
			break
		}
		if err := r.o.Check(ctx, n.Maker, q.Size); err != nil {
			return nil, err
		}
	}
	name, err := r.name(ctx, s, q.Name)
	if err != nil {
		return nil, err
	}
	return r.o.Begin(ctx, s, &arena.Experiment{Name: name, Games: q.Games, Setup: arena.Setup{
		Size: q.Size, Spawn: "random", Seed: q.Seed, Until: q.Until,
	}}, entrants)
}

// name checks that the store has room for an experiment, and chooses a name if none is given.
func (r *Runner) name(ctx context.Context, s Store, name string) (string, error) {
	all, err := s.Experiments(ctx)
	if err != nil {
		return "", err
	}
	if r.o.MaxExperiments > 0 && len(all) >= r.o.MaxExperiments {
		return "", fmt.Errorf("there are %d experiments, the maximum here: delete some, or remove them by arena rm", len(all))
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(all, func(e arena.Experiment) bool { return e.Name == name })
	}
	if name != "" {
		if taken(name) {
			return "", fmt.Errorf("there is an experiment %q already: want another name, or no players to resume it", name)
		}
		return name, nil
	}
	for n := 1; name == "" || taken(name); n++ {
		name = fmt.Sprintf("experiment-%d", n)
	}
	return name, nil
}

// resume extends an existing experiment, if its players are unchanged.
func (r *Runner) resume(ctx context.Context, s Store, name string) (*Experiment, error) {
	x, err := r.o.Find(ctx, s, name)
	if errors.Is(err, arena.ErrUnknown) {
		return nil, ErrNoExperiment
	}
	if err != nil {
		return nil, err
	}
	if other := r.running[name]; other != nil && other.kept.Same(x.Stored) {
		return nil, fmt.Errorf("%q is running", name)
	}
	if err := x.Extend(ctx, Extension{}); err != nil {
		return nil, err
	}
	if len(x.makers) == 0 {
		return nil, fmt.Errorf("all games of %q are finished", name)
	}
	return x, nil
}

// play plays an experiment in the background. A former one of its name was removed, or this one
// could not exist.
func (r *Runner) play(x *Experiment) {
	name := x.Stored.Name
	if before := r.running[name]; before != nil {
		before.stop(arena.ErrRemoved)
	}
	ctx, stop := context.WithCancelCause(r.ctx)
	now := &running{x.Stored, stop, make(chan struct{})}
	r.running[name] = now
	delete(r.failures, name)
	delete(r.removed, name)
	r.changes.Add(1)
	r.playing.Go(func() {
		defer close(now.done)
		defer stop(nil)
		o := PlayOptions{Workers: r.o.Workers, Wrap: r.o.Wrap, DiscardOutcomes: true}
		if r.o.Remote != nil {
			o.Remote = r.o.Remote()
		}
		r.ended(name, now, x.Play(ctx, o))
	})
}

// ended records the end of an experiment.
func (r *Runner) ended(name string, it *running, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes.Add(1)
	if r.running[name] != it {
		return // it was removed, and its name is another one's now
	}
	delete(r.running, name)
	switch {
	case errors.Is(err, arena.ErrRemoved):
		r.removed[name] = err
	case errors.Is(err, context.Canceled):
		r.failures[name] = "stopped"
	case err != nil:
		r.failures[name] = err.Error()
	}
}

// Stop stops an experiment that is played here; its finished games are stored.
func (r *Runner) Stop(ctx context.Context, name string) error {
	r.mu.Lock()
	it := r.running[name]
	r.mu.Unlock()
	if it != nil {
		it.stop(nil)
		return nil
	}
	_, _, err := r.find(ctx, name)
	return err
}

// Remove removes an experiment with all its games and its queue, and stops it if it is played here. Other
// processes that play it stop too.
func (r *Runner) Remove(ctx context.Context, name string) error {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return err
	}
	if err := s.Remove(ctx, e); err != nil {
		return err
	}
	r.mu.Lock()
	it := r.running[name]
	r.mu.Unlock()
	if it != nil && it.kept.Same(e) {
		it.stop(arena.ErrRemoved)
		select {
		case <-it.done:
		case <-ctx.Done():
		}
	}
	if r.o.Remote != nil {
		r.o.Remote().removeQueue(ctx, s, e)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running[name] == nil { // else the name is another one's now
		delete(r.failures, name)
		delete(r.removed, name)
	}
	r.changes.Add(1)
	return nil
}

// List returns the experiments of the store, newest first.
func (r *Runner) List(ctx context.Context) (all []wire.ExperimentInfo, err error) {
	s, err := r.opened()
	if s == nil || err != nil {
		return nil, err
	}
	experiments, err := s.Experiments(ctx)
	if err != nil {
		return nil, err
	}
	for i := range slices.Backward(experiments) {
		info, err := r.info(ctx, s, &experiments[i])
		if err != nil {
			return nil, err
		}
		all = append(all, info)
	}
	return all, nil
}

func (r *Runner) info(ctx context.Context, s Store, e *arena.Experiment) (wire.ExperimentInfo, error) {
	info := wire.ExperimentInfo{Name: e.Name, Size: e.Setup.Size, Games: e.Games, Imported: e.Setup.Imported()}
	counts, err := s.Count(ctx, e)
	if err != nil {
		return info, err
	}
	info.Players = e.Names()
	for i := range e.Players {
		info.Finished += counts[i]
		info.Games = max(info.Games, counts[i]) // matches ask for no number of games
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	it := r.running[e.Name]
	info.Running = it != nil && it.kept.Same(e)
	info.Error = r.failures[e.Name]
	return info, nil
}

// Results returns the games of an experiment.
func (r *Runner) Results(ctx context.Context, name string) (*arena.Results, error) {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return nil, err
	}
	return Results(ctx, s, e)
}
