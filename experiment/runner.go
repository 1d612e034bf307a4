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

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Runner plays the experiments in a store in the background. Other processes may play experiments in the same
// store at the same time. It is safe for concurrent use.
type Runner struct {
	o        RunnerOptions
	playing  sync.WaitGroup
	changes  atomic.Int64 // counts starts, ends and removals of experiments
	starting sync.Mutex   // held by Start: concurrent starts could exceed the limits

	opening sync.Mutex
	store   Store // nil: not opened yet

	mu       sync.Mutex
	closed   bool
	running  map[string]*running // by name
	failures map[string]error    // why experiments ended early, by name; arena.ErrRemoved if removed

	reading sync.Mutex
	cache   map[string]cacheEntry // answers that were read from the store, by request
}

// running is an experiment being played.
type running struct {
	plan *arena.Plan
	stop context.CancelCauseFunc
	done chan struct{} // closed when the experiment has ended
}

// RunnerOptions configures a Runner. Open and Config.Identity are required.
type RunnerOptions struct {
	Config
	// Open opens the store. If the store does not exist, Open creates it if create is true, and otherwise
	// returns nil.
	Open func(create bool) (Store, error)
	// Report writes the report on an experiment as an HTML page; nil: no reports.
	Report func(w io.Writer, e *arena.Plan, r *arena.Results) error
	// Workers is the number of games of an experiment that are played at once; 0: 1, or none if Machines is
	// set.
	Workers int
	// Machines returns the connection to workers on other machines; nil: all games are played here.
	Machines       func() *Machines
	MaxRunning     int                               // maximum number of experiments that run at once; 0: no limit
	MaxExperiments int                               // maximum number of experiments in the store; 0: no limit
	Wrap           func(player.Player) player.Player // see PlayOptions
	// Version, if not nil, replaces Config.Program. It returns one version for the program and everything else that
	// determines how players play, such as a network. It may wait, for example until the network is loaded.
	Version func(ctx context.Context) (string, error)
	// Browser is set in a browser, where no other process plays the experiments.
	Browser bool
}

// ErrNoExperiment is returned if no experiment has the given name.
var ErrNoExperiment = errors.New("no experiment has this name")

// NewRunner returns a runner. Call Close to stop its experiments.
func NewRunner(o RunnerOptions) *Runner {
	return &Runner{o: o, running: map[string]*running{}, failures: map[string]error{}, cache: map[string]cacheEntry{}}
}

// Close stops all experiments; their finished games are stored.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	for _, x := range r.running {
		x.stop(nil)
	}
	r.mu.Unlock()
	r.playing.Wait()
	r.opening.Lock()
	defer r.opening.Unlock()
	if r.store != nil {
		_ = r.store.Close() // an error is harmless: every game is on disk
	}
}

// Wait waits until no experiment is being played.
func (r *Runner) Wait() { r.playing.Wait() }

// Running returns the number of experiments being played.
func (r *Runner) Running() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.running)
}

func noWorkers(server, reason string) *protocol.WorkerList {
	return &protocol.WorkerList{Server: server, Error: reason, Workers: []protocol.Worker{}, Queues: []protocol.ExperimentQueue{}}
}

// open returns the store, which it opens at the first call. If the store does not exist, open creates it if create is
// true, and otherwise returns nil.
func (r *Runner) open(create bool) (Store, error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	if r.store == nil {
		s, err := r.o.Open(create)
		if err != nil {
			return nil, err
		}
		r.store = s
	}
	return r.store, nil
}

// find returns the store and the experiment with this name. If there is none, the error is ErrNoExperiment,
// or arena.ErrRemoved if the experiment was removed while it was played here.
func (r *Runner) find(ctx context.Context, name string) (Store, *arena.Plan, error) {
	s, err := r.open(false)
	if err == nil && s == nil {
		err = ErrNoExperiment
	}
	if err != nil {
		return nil, nil, err
	}
	e, err := s.Experiment(ctx, name)
	if errors.Is(err, arena.ErrUnknown) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if err = r.failures[name]; !errors.Is(err, arena.ErrRemoved) {
			err = ErrNoExperiment
		}
	}
	return s, e, err
}

// errStopped is the error of an experiment that was stopped before its end.
var errStopped = errors.New("stopped")

// Start creates an experiment and plays it in the background. If q names no players, Start resumes the
// experiment with the name q.Name instead. Start returns the name of the experiment without waiting for
// games.
func (r *Runner) Start(ctx context.Context, q *protocol.StartExperiment) (name string, err error) {
	config := r.o.Config
	if r.o.Version != nil {
		v, err := r.o.Version(ctx)
		if err != nil {
			return "", err
		}
		config.Program = Program{Version: v}
	}
	r.starting.Lock()
	defer r.starting.Unlock()
	if err := r.checkRunning(); err != nil {
		return "", err
	}
	s, err := r.open(len(q.Players) > 0)
	if err == nil && s == nil {
		err = ErrNoExperiment
	}
	if err != nil {
		return "", err
	}
	all, err := s.Experiments(ctx)
	if err != nil {
		return "", err
	}
	var x *Experiment
	if len(q.Players) > 0 {
		x, err = r.begin(ctx, &config, s, all, q)
	} else {
		x, err = r.resume(ctx, &config, s, all, q.Name)
	}
	play := func(ctx context.Context, o PlayOptions) error { return x.Play(ctx, o) }
	if err == nil && x.Plan.Games == 0 {
		play, err = x.decide(ctx)
	}
	if err != nil {
		return "", err
	}
	return x.Plan.Name, r.play(x, play)
}

var errClosed = errors.New("the server is shutting down")

// checkRunning returns an error if no further experiment may run.
func (r *Runner) checkRunning() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return errClosed
	case r.o.MaxRunning == 1 && len(r.running) == 1:
		for name := range r.running {
			return fmt.Errorf("%q is running: wait for its end, or stop it", name)
		}
	case r.o.MaxRunning > 0 && len(r.running) >= r.o.MaxRunning:
		return fmt.Errorf("%d experiments are running: wait for one to end, or stop one", len(r.running))
	}
	return nil
}

// runningAs returns the experiment with this name if it is being played, otherwise nil.
func (r *Runner) runningAs(name string) *running {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.running[name]
}

// maxDecide is the maximum number of games for each player in an experiment that ends at a verdict.
const maxDecide = 10_000

// begin creates a new experiment. all holds the existing experiments.
func (r *Runner) begin(ctx context.Context, config *Config, s Store, all []arena.Plan, q *protocol.StartExperiment) (*Experiment, error) {
	if q.Name != "" {
		if err := arena.CheckName(q.Name); err != nil {
			return nil, err
		}
	}
	if q.Games == 0 && (r.o.Browser || len(q.Players) < 2) {
		return nil, errors.New("games: 0: playing until a verdict requires a server and at least two players")
	}
	entrants, err := config.Entrants(ctx, q.Players, q.Size)
	if err != nil {
		return nil, err
	}
	for _, n := range entrants {
		if err := check(n.Maker, q.Size); err != nil {
			return nil, err
		}
	}
	if r.o.MaxExperiments > 0 && len(all) >= r.o.MaxExperiments {
		hint := " with afterstate arena rm"
		if r.o.Browser {
			hint = ""
		}
		return nil, fmt.Errorf("there are %d experiments, the maximum: delete some%s", len(all), hint)
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(all, func(e arena.Plan) bool { return e.Name == name })
	}
	if taken(q.Name) {
		return nil, fmt.Errorf("experiment %q already exists: use another name, or give no players to resume it", q.Name)
	}
	name := q.Name
	for n := 1; ; n++ {
		if q.Name == "" {
			name = fmt.Sprintf("experiment-%d", n)
		}
		if taken(name) {
			continue
		}
		x, err := config.Begin(ctx, s, &arena.Plan{Name: name, Games: q.Games, Setup: arena.Setup{
			Size: q.Size, Spawn: "random", Seed: q.Seed, Stop: game.Stop{Tile: q.Until},
		}}, entrants)
		if q.Name == "" && errors.Is(err, arena.ErrExists) { // another process has taken this name just now
			continue
		}
		return x, err
	}
}

// resume makes an existing experiment ready to play its missing games. all holds the existing experiments. It
// fails if a player has changed, or if no games are missing.
func (r *Runner) resume(ctx context.Context, config *Config, s Store, all []arena.Plan, name string) (*Experiment, error) {
	at := slices.IndexFunc(all, func(e arena.Plan) bool { return e.Name == name })
	if at < 0 {
		return nil, ErrNoExperiment
	}
	x := config.experiment(s, &all[at])
	if other := r.runningAs(name); other != nil && other.plan.Same(x.Plan) {
		return nil, fmt.Errorf("%q is running", name)
	}
	extension := Extension{}
	if x.Plan.Games == 0 {
		extension = Extension{Games: maxDecide, Match: true}
	}
	err := x.Extend(ctx, extension)
	if err == nil && len(x.makers) == 0 {
		err = fmt.Errorf("all games of %q are finished", name)
	}
	for _, m := range x.makers {
		err = cmp.Or(err, check(m, x.Plan.Setup.Size))
	}
	return x, err
}

// play plays an experiment in the background. If an earlier experiment with the same name is still being played, it was
// removed from the store, and play stops it.
func (r *Runner) play(x *Experiment, play func(context.Context, PlayOptions) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errClosed
	}
	name := x.Plan.Name
	if before := r.running[name]; before != nil {
		before.stop(arena.ErrRemoved)
	}
	ctx, stop := context.WithCancelCause(context.Background())
	now := &running{x.Plan, stop, make(chan struct{})}
	r.running[name] = now
	delete(r.failures, name)
	r.changes.Add(1)
	r.playing.Go(func() {
		defer close(now.done)
		defer stop(nil)
		r.ended(name, now, play(ctx, PlayOptions{Workers: r.o.Workers, Wrap: r.o.Wrap, Machines: r.machines()}))
	})
	return nil
}

// ended records the end of an experiment.
func (r *Runner) ended(name string, played *running, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes.Add(1)
	if r.running[name] != played {
		return // the experiment was removed, and a new one has the same name
	}
	delete(r.running, name)
	if errors.Is(err, context.Canceled) && !errors.Is(err, arena.ErrRemoved) {
		err = errStopped
	}
	r.failures[name] = err
}

// Stop stops the experiment with this name if it is played here; its finished games are stored.
func (r *Runner) Stop(ctx context.Context, name string) error {
	if played := r.runningAs(name); played != nil {
		played.stop(nil)
		return nil
	}
	_, _, err := r.find(ctx, name)
	return err
}

// Remove removes the experiment with this name, all its games and its queue on the server. If the
// experiment is being played, here or by another process, playing stops.
func (r *Runner) Remove(ctx context.Context, name string) error {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return err
	}
	if err := s.Remove(ctx, e); err != nil {
		return err
	}
	if played := r.runningAs(name); played != nil && played.plan.Same(e) {
		played.stop(arena.ErrRemoved)
		select {
		case <-played.done:
		case <-ctx.Done():
		}
	}
	r.machines().removeQueue(ctx, s, e)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running[name] == nil { // if not nil, a new experiment has the same name
		delete(r.failures, name)
	}
	r.changes.Add(1)
	return nil
}
