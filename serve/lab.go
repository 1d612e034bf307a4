package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"afterstate/arena/store"
	"afterstate/player/catalog"
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
	store   *store.Store        // nil: not opened yet
	running map[string]*running // by name
	trouble map[string]string   // why experiments ended early, by name
	removed map[string]error    // those that were removed while they were played, by name

	listing listing
}

// running is an experiment that is played.
type running struct {
	experiment *store.Experiment
	stop       context.CancelFunc
}

// LabOptions describe a lab. Open and Identity are required.
type LabOptions struct {
	// Open opens the store. Where there is none, it makes one or, unless it is told to,
	// answers nil.
	Open func(create bool) (*store.Store, error)
	// Identity is what a spec stands for today; see arena.Identity.
	Identity     func(spec string) (string, error)
	Capabilities catalog.Capabilities // of the players
	Version      string               // of the program, kept with the players
	Workers      int                  // games of an experiment at once; 0: 1
}

const mostRunning = 2

// ErrNoExperiment is what a lab answers about a name that there is not.
var ErrNoExperiment = errors.New("no experiment is called that")

// NewLab is a lab. Close ends all that it plays.
func NewLab(o LabOptions) *Lab {
	ctx, end := context.WithCancel(context.Background())
	return &Lab{o: o, ctx: ctx, end: end, running: map[string]*running{}, trouble: map[string]string{}, removed: map[string]error{}}
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
		err = l.missing(name)
	}
	return s, e, err
}

// missing tells why there is no experiment of a name.
func (l *Lab) missing(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.removed[name], ErrNoExperiment)
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
	t := &trial{lab: l, store: s, makers: map[string]catalog.Maker{}}
	if len(w.Players) > 0 {
		err = t.begin(ctx, w)
	} else {
		err = t.goOn(ctx, w)
	}
	if err != nil {
		return "", err
	}
	l.play(t)
	return t.experiment.Name, nil
}

// play lets an experiment be played. Another one of its name was removed, or there would
// not be this one.
func (l *Lab) play(t *trial) {
	name := t.experiment.Name
	if before := l.running[name]; before != nil {
		before.stop()
	}
	ctx, stop := context.WithCancel(l.ctx)
	r := &running{t.experiment, stop}
	l.running[name] = r
	delete(l.trouble, name)
	delete(l.removed, name)
	l.listing.stale.Store(true)
	l.playing.Go(func() {
		defer stop()
		l.ended(name, r, t.play(ctx))
	})
}

// ended notes that an experiment is not played any more.
func (l *Lab) ended(name string, r *running, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listing.stale.Store(true)
	if l.running[name] != r {
		return // it was removed, and its name is another one's now
	}
	delete(l.running, name)
	switch {
	case errors.Is(err, store.ErrRemoved):
		l.removed[name] = err
	case errors.Is(err, context.Canceled):
		l.trouble[name] = "stopped"
	case err != nil:
		l.trouble[name] = err.Error()
	}
}

// Stop ends an experiment that is played here; what is finished is kept.
func (l *Lab) Stop(ctx context.Context, name string) error {
	l.mu.Lock()
	r := l.running[name]
	l.mu.Unlock()
	if r != nil {
		r.stop()
		return nil
	}
	_, _, err := l.find(ctx, name)
	return err
}
