package serve

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"afterstate/arena/store"
	"afterstate/wire"
)

// listing is what was found in the store a moment ago. All clients share it, so that
// looking takes a tenth of the time at most, however many look and however large the
// store is.
type listing struct {
	stale atomic.Bool // something was begun or has ended

	mu    sync.Mutex
	until time.Time // when it is too old
	all   []wire.ExperimentInfo
	shown map[string]*wire.Experiment // by name
}

const freshness = time.Second

// found notes that looking began at a time and is done.
func (f *listing) found(begun time.Time) {
	f.until = time.Now().Add(max(freshness, 9*time.Since(begun)))
}

// List tells all experiments, the newest first.
func (l *Lab) List(ctx context.Context) ([]wire.ExperimentInfo, error) {
	f := &l.listing
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return nil, err
	}
	return slices.Clone(f.all), nil
}

// look renews the list where it is too old.
func (l *Lab) look(ctx context.Context) error {
	f, begun := &l.listing, time.Now()
	if !f.stale.Swap(false) && begun.Before(f.until) {
		return nil
	}
	f.until, f.all, f.shown = time.Time{}, nil, map[string]*wire.Experiment{}
	s, err := l.opened(false)
	if s == nil || err != nil {
		return err
	}
	experiments, err := s.Experiments(ctx)
	if err != nil {
		return err
	}
	for i := range slices.Backward(experiments) {
		info, err := l.info(ctx, s, &experiments[i])
		if err != nil {
			return err
		}
		f.all = append(f.all, info)
	}
	f.found(begun)
	return nil
}

// info tells about an experiment of the store.
func (l *Lab) info(ctx context.Context, s *store.Store, e *store.Experiment) (wire.ExperimentInfo, error) {
	info := wire.ExperimentInfo{Name: e.Name, Size: e.Setup.Size, Games: e.Games}
	counts, err := s.Count(ctx, e)
	if err != nil {
		return info, err
	}
	for i, p := range e.Players {
		info.Players = append(info.Players, p.Spec)
		info.Finished += counts[i]
		info.Games = max(info.Games, counts[i]) // matches ask for no number of games
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.running[e.Name]
	info.Running = r != nil && r.experiment.Is(e)
	info.Trouble = l.trouble[e.Name]
	return info, nil
}

// Show tells about one experiment.
func (l *Lab) Show(ctx context.Context, name string) (*wire.Experiment, error) {
	f := &l.listing
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(f.all, func(x wire.ExperimentInfo) bool { return x.Name == name })
	if at < 0 {
		return nil, l.missing(name)
	}
	if x := f.shown[name]; x != nil {
		return x, nil
	}
	begun := time.Now()
	s, e, err := l.find(ctx, name)
	if err != nil {
		return nil, err
	}
	r, err := s.Results(ctx, e)
	if err != nil {
		return nil, err
	}
	x := experimentOf(f.all[at], r)
	f.shown[name] = x
	f.found(begun)
	return x, nil
}
