package serve

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"afterstate/experiment"
	"afterstate/wire"
)

// experiments answers clients from a runner and caches what it read from the store. All clients
// share the cache. An entry is valid for nine times as long as reading it took, so reading takes
// at most a tenth of the time, for any number of clients and any size of the store.
type experiments struct {
	runner  *experiment.Runner
	keepAll bool // see Options

	mu    sync.Mutex
	seen  int64     // the runner's change counter when the cache was filled
	until time.Time // when the cache expires
	all   []wire.ExperimentInfo
	other []wire.ExperimentElsewhere
	shown map[string]*wire.Experiment // by name
}

const freshness = time.Second

// found sets the expiry of a cache entry whose reading started at begun.
func (l *experiments) found(begun time.Time) {
	l.until = time.Now().Add(max(freshness, 9*time.Since(begun)))
}

// List returns all experiments, the newest first.
func (l *experiments) List(ctx context.Context) ([]wire.ExperimentInfo, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return nil, err
	}
	public := make([]wire.ExperimentInfo, len(l.all))
	for i, info := range l.all {
		public[i] = publicInfo(info)
	}
	return public, nil
}

// Elsewhere returns the experiments of other machines that share the NATS server.
func (l *experiments) Elsewhere(ctx context.Context) ([]wire.ExperimentElsewhere, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.look(ctx)
	return l.other, err
}

// look refreshes the list if it has expired.
func (l *experiments) look(ctx context.Context) error {
	begun, changes := time.Now(), l.runner.Changes()
	if l.seen == changes && begun.Before(l.until) {
		return nil
	}
	l.seen, l.until, l.all, l.other, l.shown = changes, time.Time{}, nil, nil, map[string]*wire.Experiment{}
	all, err := l.runner.List(ctx)
	if err != nil {
		return err
	}
	other, err := l.runner.Elsewhere(ctx)
	if err != nil {
		return err
	}
	for i := range other {
		for k, spec := range other[i].Players {
			other[i].Players[k] = publicSpec(spec)
		}
	}
	l.all, l.other = all, other
	l.found(begun)
	return nil
}

// Show returns one experiment.
func (l *experiments) Show(ctx context.Context, name string) (*wire.Experiment, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(l.all, func(x wire.ExperimentInfo) bool { return x.Name == name })
	if at < 0 {
		return nil, l.runner.NotFound(name)
	}
	if x := l.shown[name]; x != nil {
		return x, nil
	}
	begun := time.Now()
	r, err := l.runner.Results(ctx, name)
	if err != nil {
		return nil, err
	}
	x := experimentOf(l.all[at], r)
	l.shown[name] = x
	l.found(begun)
	return x, nil
}

// Start starts an experiment, or resumes one.
func (l *experiments) Start(ctx context.Context, q *wire.StartExperiment) (name string, err error) {
	name, err = l.runner.Start(ctx, q)
	return name, wordRefusal(err)
}

// Stop stops an experiment that runs in this process.
func (l *experiments) Stop(ctx context.Context, name string) error { return l.runner.Stop(ctx, name) }

// Remove removes an experiment with all its games, and stops it if this process plays it.
func (l *experiments) Remove(ctx context.Context, name string) error {
	if l.keepAll {
		return errors.New("a server that is open to all deletes no experiments: use afterstate arena rm on its machine")
	}
	return l.runner.Remove(ctx, name)
}

// Games returns the games of a player with the highest or lowest scores.
func (l *experiments) Games(ctx context.Context, q *wire.FindGames) (*wire.ExperimentGames, error) {
	found, err := l.runner.Games(ctx, q)
	if err == nil {
		found.Player = publicSpec(found.Player)
		for i := range found.Games {
			found.Games[i].Forfeit = publicSpec(found.Games[i].Forfeit)
		}
	}
	return found, err
}

// Record returns a game as a record.
func (l *experiments) Record(ctx context.Context, q *wire.FindGame) (*wire.GameRecord, error) {
	return l.runner.Record(ctx, q, publicSpec)
}

// Records returns the records of a player's next games.
func (l *experiments) Records(ctx context.Context, q *wire.FindRecords) (*wire.ExperimentRecords, error) {
	return l.runner.Records(ctx, q, publicSpec)
}

// Report returns the report on an experiment as a page.
func (l *experiments) Report(ctx context.Context, name string) (*wire.ExperimentReport, error) {
	return l.runner.Report(ctx, name, publicResults)
}
