package serve

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"afterstate/arena"
	"afterstate/arena/queue"
	"afterstate/arena/store"
	"afterstate/player"
	"afterstate/wire"
)

// Lab plays experiments of a store in the background. They can be gone on with, here
// and by arena run, which may play other experiments of the store at the same time.
type Lab struct {
	o       LabOptions
	ctx     context.Context
	end     context.CancelFunc
	playing sync.WaitGroup

	mu      sync.Mutex
	store   *store.Store // nil: not opened yet
	running map[string]context.CancelFunc
	trouble map[string]string // why experiments ended early, by name

	listing listing
}

// LabOptions describe a lab. Open and Identity are required.
type LabOptions struct {
	// Open opens the store. Where there is none, it makes one or, unless it is told to,
	// answers nil.
	Open func(create bool) (*store.Store, error)
	// Identity is what a spec stands for today; see arena.Identity.
	Identity     func(spec string) (string, error)
	Capabilities player.Capabilities // of the players
	Version      string              // of the program, kept with the players
	Workers      int                 // games of an experiment at once; 0: 1
}

const (
	mostExperiments = 1000 // in the store, for those who begin one here
	mostRunning     = 2
	thinkTime       = 10 * time.Second // the longest time of a move
)

// ErrNoExperiment is what a lab answers about a name that there is not.
var ErrNoExperiment = errors.New("no experiment is called that")

// labName is what experiments begun here may be called, as by arena run.
var labName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// NewLab is a lab. Close ends all that it plays.
func NewLab(o LabOptions) *Lab {
	ctx, end := context.WithCancel(context.Background())
	return &Lab{o: o, ctx: ctx, end: end, running: map[string]context.CancelFunc{}, trouble: map[string]string{}}
}

// Close ends all experiments; what is finished of them is kept.
func (l *Lab) Close() {
	l.end()
	l.playing.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store != nil {
		_ = l.store.Close() // every game is on the disk
	}
}

// opened is the store, or nil where there is none and none is to be made.
func (l *Lab) opened(create bool) (*store.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open(create)
}

func (l *Lab) open(create bool) (s *store.Store, err error) {
	if l.store == nil {
		l.store, err = l.o.Open(create)
	}
	return l.store, err
}

// find is an experiment of the store.
func (l *Lab) find(ctx context.Context, name string) (*store.Store, *store.Experiment, error) {
	s, err := l.opened(false)
	if err == nil && s == nil {
		err = ErrNoExperiment
	}
	if err != nil {
		return nil, nil, err
	}
	e, err := s.Experiment(ctx, name)
	if errors.Is(err, store.ErrUnknown) {
		err = ErrNoExperiment
	}
	return s, e, err
}

// Start begins an experiment, or goes on with the one of that name if no players are
// given, and tells its name. It does not wait for games.
func (l *Lab) Start(ctx context.Context, w *wire.StartExperiment) (name string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ctx.Err() != nil:
		return "", errors.New("the server ends")
	case len(l.running) >= mostRunning:
		return "", fmt.Errorf("%d experiments are running: want one of them to end or to be stopped", len(l.running))
	}
	s, err := l.open(len(w.Players) > 0)
	if err == nil && s == nil {
		err = ErrNoExperiment
	}
	if err != nil {
		return "", err
	}
	t := &trial{lab: l, store: s, makers: map[string]player.Maker{}}
	if len(w.Players) > 0 {
		err = t.begin(ctx, w)
	} else {
		err = t.goOn(ctx, w)
	}
	if err != nil {
		return "", err
	}
	name = t.experiment.Name
	ctx, l.running[name] = context.WithCancel(l.ctx)
	delete(l.trouble, name)
	l.listing.stale.Store(true)
	l.playing.Go(func() { l.ended(name, t.play(ctx)) })
	return name, nil
}

// ended notes that an experiment is not played any more.
func (l *Lab) ended(name string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[name]()
	delete(l.running, name)
	l.listing.stale.Store(true)
	switch {
	case errors.Is(err, context.Canceled):
		l.trouble[name] = "stopped"
	case err != nil:
		l.trouble[name] = err.Error()
	}
}

// Stop ends an experiment that is played here; what is finished is kept.
func (l *Lab) Stop(ctx context.Context, name string) error {
	l.mu.Lock()
	stop := l.running[name]
	l.mu.Unlock()
	if stop != nil {
		stop()
		return nil
	}
	_, _, err := l.find(ctx, name)
	return err
}

// trial is an experiment that is about to be played.
type trial struct {
	lab        *Lab
	store      *store.Store
	experiment *store.Experiment
	spawn      player.SpawnRule
	makers     map[string]player.Maker // by identity
}

// begin makes a new experiment.
func (t *trial) begin(ctx context.Context, w *wire.StartExperiment) (err error) {
	if w.Name != "" && !labName.MatchString(w.Name) {
		return fmt.Errorf("the name %s: want letters, digits, '.', '_' and '-', a letter or digit first", short(w.Name))
	}
	if t.spawn, err = player.ParseSpawner("random", t.lab.o.Capabilities); err != nil {
		return err
	}
	e := &store.Experiment{Name: w.Name, Games: w.Games, Setup: arena.Setup{
		Size: w.Size, Spawn: t.spawn.Spec, SpawnIdentity: t.spawn.Spec, Seed: w.Seed, Until: w.Until,
	}}
	for _, text := range w.Players {
		m, err := player.Parse(text, t.lab.o.Capabilities)
		if err != nil {
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
	if _, twice := t.lab.running[e.Name]; twice {
		return fmt.Errorf("%s is running", short(e.Name))
	}
	if t.spawn, err = player.ParseSpawner(e.Setup.Spawn, t.lab.o.Capabilities); err != nil {
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
	m, err := player.Parse(p.Spec, t.lab.o.Capabilities)
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
	return t.store.Played(ctx, p, t.lab.o.Version)
}

// play plays the games that are missing.
func (t *trial) play(ctx context.Context) error {
	e, workers := t.experiment, max(t.lab.o.Workers, 1)
	plan := &arena.Plan{Workers: workers}
	ids := map[string]int64{} // of the players in the store, by identity
	for i := range e.Players {
		p := &e.Players[i]
		if _, plays := t.makers[p.Identity]; !plays {
			continue
		}
		have, err := t.store.Games(ctx, e, p)
		if err != nil {
			return err
		}
		ids[p.Identity] = p.ID
		plan.Add(arena.Chunk{Setup: e.Setup, Player: p.Spec, Identity: p.Identity, Version: t.lab.o.Version},
			arena.Gaps(arena.Ranges(have), e.Games), 0, 0)
	}
	q := queue.New(queue.Options{})
	conductor := &arena.Conductor{Queue: q, Plan: plan, Keep: func(c *arena.Chunk, games []arena.Recorded) error {
		// What was finished is kept also when the experiment is stopped.
		_, err := t.store.Keep(context.WithoutCancel(ctx), ids[c.Identity], games)
		return err
	}}
	return conductor.RunHere(ctx, arena.Worker{Queue: q, Seat: t.seat}, workers)
}

// seat is what a worker needs to play a chunk here.
func (t *trial) seat(c *arena.Chunk) (arena.Seat, error) {
	m := t.makers[c.Identity]
	return arena.Seat{New: func() (player.Player, error) { return inTime(m.New()), nil }, Spawn: t.spawn}, nil
}

// inTime lets a player's thoughts end in time; one that sees the future goes on
// seeing it.
func inTime(p player.Player) player.Player {
	limited := &patient{p, thinkTime}
	if seer, ok := p.(player.Seer); ok {
		return &patientSeer{limited, seer}
	}
	return limited
}

type patientSeer struct {
	*patient
	player.Seer
}
