package serve

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// experiments answers clients from a runner and caches what it read from the store. All clients
// share the cache. An entry is valid for nine times as long as reading it took, so reading takes
// at most a tenth of the time, for any number of clients and any size of the store.
type experiments struct {
	*experiment.Runner
	keepAll bool // see Options

	mu    sync.Mutex
	seen  int64     // the runner's change counter when the cache was filled
	until time.Time // when the cache expires
	all   []protocol.ExperimentInfo
	other []protocol.RemoteExperiment
	shown map[string]any // results, and evidence, by name

	asking  sync.Mutex // apart from mu: the NATS server may be slow
	workers *protocol.WorkerList
	asked   time.Time
}

const freshness = time.Second

// found sets the expiry of a cache entry whose reading started at begun.
func (l *experiments) found(begun time.Time) {
	l.until = time.Now().Add(max(freshness, 9*time.Since(begun)))
}

// List returns all experiments, the newest first.
func (l *experiments) List(ctx context.Context) ([]protocol.ExperimentInfo, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return nil, err
	}
	return l.all, nil
}

// Remote returns the experiments of other machines that share the NATS server.
func (l *experiments) Remote(ctx context.Context) ([]protocol.RemoteExperiment, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.look(ctx)
	return l.other, err
}

// Workers returns the workers and queues of the NATS server. It is asked once a second, whatever the number of clients.
func (l *experiments) Workers(ctx context.Context) (*protocol.WorkerList, error) {
	l.asking.Lock()
	defer l.asking.Unlock()
	if l.workers != nil && time.Since(l.asked) < freshness {
		return l.workers, nil
	}
	all, err := l.Runner.Workers(ctx)
	if err == nil {
		l.workers, l.asked = all, time.Now()
	}
	return all, err
}

// look refreshes the list if it has expired.
func (l *experiments) look(ctx context.Context) error {
	begun, changes := time.Now(), l.Runner.Changes()
	if l.seen == changes && begun.Before(l.until) {
		return nil
	}
	l.seen, l.until, l.all, l.other, l.shown = changes, time.Time{}, nil, nil, map[string]any{}
	all, err := l.Runner.List(ctx)
	if err != nil {
		return err
	}
	other, err := l.Runner.Remote(ctx)
	if err != nil {
		return err
	}
	l.all, l.other = all, other
	l.found(begun)
	return nil
}

// Show returns one experiment.
func (l *experiments) Show(ctx context.Context, name string) (*protocol.ExperimentResults, error) {
	return cached(ctx, l, "results/", name, l.Runner.Show)
}

// Evidence returns what an experiment's games say about who is better.
func (l *experiments) Evidence(ctx context.Context, name string) (*protocol.Evidence, error) {
	return cached(ctx, l, "evidence/", name, l.Runner.Evidence)
}

// cached returns what is known of an experiment, and reads it if it is not in the cache.
func cached[T any](ctx context.Context, l *experiments, kind, name string, read func(context.Context, string) (T, error)) (x T, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return x, err
	}
	if x, ok := l.shown[kind+name]; ok {
		return x.(T), nil
	}
	begun := time.Now()
	if x, err = read(ctx, name); err == nil {
		l.shown[kind+name] = x
		l.found(begun)
	}
	return x, err
}

// Remove removes an experiment with all its games, and stops it if this process plays it.
func (l *experiments) Remove(ctx context.Context, name string) error {
	if l.keepAll {
		return errors.New("a server that is open to all deletes no experiments: use afterstate arena rm on its machine")
	}
	return l.Runner.Remove(ctx, name)
}

// Limits of experiments that clients start.
const (
	maxRunning     = 2
	maxExperiments = 1000             // experiments in the store
	thinkTime      = 10 * time.Second // limit of one decision
)

// NewRunner returns a runner of experiments with the limits for clients.
func NewRunner(o experiment.RunnerOptions) *experiment.Runner {
	o.MaxRunning, o.MaxExperiments, o.Wrap = maxRunning, maxExperiments, inTime
	o.Report = func(w io.Writer, e *arena.Plan, r *arena.Results) error {
		return report.HTML(w, e.Name+" - Afterstate", []*report.Document{report.Of(e, r)})
	}
	o.Public = func(text string) string { return session.WithoutPaths(text, "") }
	return experiment.NewRunner(o)
}

// inTime limits the time of a player's decisions.
func inTime(p player.Player) player.Player { return session.LimitTime(p, thinkTime) }
