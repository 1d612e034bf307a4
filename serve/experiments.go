package serve

import (
	"context"
	"errors"
	"io"
	"maps"
	"sync"
	"time"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// experiments answers clients from a runner and caches what it read from the store.
type experiments struct {
	*experiment.Runner
	keepAll bool // see Options

	mu    sync.Mutex
	cache map[string]cacheEntry // by what was asked
}

// cacheEntry is an answer. It is valid until the runner's change counter differs, and for nine times as
// long as reading it took, so that clients who ask all the time let the store be read a tenth of the time.
type cacheEntry struct {
	value   any
	changes int64
	until   time.Time
}

// freshness is the least time that an answer is valid.
const freshness = time.Second

func newExperiments(r *experiment.Runner, keepAll bool) *experiments {
	return &experiments{Runner: r, keepAll: keepAll, cache: map[string]cacheEntry{}}
}

// cached returns the answer in the cache, or else reads it.
func cached[T any](l *experiments, asked string, read func() (T, error)) (x T, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	begun, changes := time.Now(), l.Changes()
	if known, ok := l.cache[asked]; ok && known.changes == changes && begun.Before(known.until) {
		return known.value.(T), nil
	}
	if x, err = read(); err != nil {
		return x, err
	}
	now := time.Now()
	maps.DeleteFunc(l.cache, func(_ string, e cacheEntry) bool { return now.After(e.until) })
	l.cache[asked] = cacheEntry{x, changes, now.Add(max(freshness, 9*now.Sub(begun)))}
	return x, nil
}

// List returns all experiments, the newest first.
func (l *experiments) List(ctx context.Context) ([]protocol.ExperimentInfo, error) {
	return cached(l, "list", func() ([]protocol.ExperimentInfo, error) { return l.Runner.List(ctx) })
}

// Remote returns the experiments of other machines that share the NATS server.
func (l *experiments) Remote(ctx context.Context) ([]protocol.RemoteExperiment, error) {
	return cached(l, "remote", func() ([]protocol.RemoteExperiment, error) { return l.Runner.Remote(ctx) })
}

// Show returns one experiment.
func (l *experiments) Show(ctx context.Context, name string) (*protocol.ExperimentResults, error) {
	return cached(l, "show "+name, func() (*protocol.ExperimentResults, error) { return l.Runner.Show(ctx, name) })
}

// Evidence returns what an experiment's games say about who is better.
func (l *experiments) Evidence(ctx context.Context, name string) (*protocol.Evidence, error) {
	return cached(l, "evidence "+name, func() (*protocol.Evidence, error) { return l.Runner.Evidence(ctx, name) })
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
