package experiment

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/record"
)

// List returns the experiments of the store, newest first.
func (r *Runner) List(ctx context.Context) ([]protocol.ExperimentInfo, error) {
	return cached(r, "list", func() (all []protocol.ExperimentInfo, err error) {
		s, experiments, err := r.plans(ctx)
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
	})
}

// info describes an experiment. It first checks whether the experiment is running and then counts games, so the
// count of an experiment that has ended is final.
func (r *Runner) info(ctx context.Context, s Store, e *arena.Plan) (protocol.ExperimentInfo, error) {
	info := protocol.ExperimentInfo{Name: e.Name, Size: e.Setup.Size, Games: e.Games, Players: e.Names()}
	r.mu.Lock()
	played, failure := r.running[e.Name], r.failures[e.Name]
	r.mu.Unlock()
	info.Running = played != nil && played.plan.Same(e)
	if failure != nil && !errors.Is(failure, arena.ErrRemoved) {
		info.Error = failure.Error()
	}
	counts, err := s.Count(ctx, e)
	if err != nil {
		return info, err
	}
	for i := range e.Players {
		info.Finished += counts[i]
	}
	// In a browser, no other process can be playing the experiment.
	if r.o.Browser && !info.Running && info.Finished < e.Games*len(e.Players) {
		info.Error = cmp.Or(info.Error, errStopped.Error())
	}
	return info, nil
}

// Show returns the results of an experiment.
func (r *Runner) Show(ctx context.Context, name string) (*protocol.ExperimentResults, error) {
	return cached(r, "show "+name, func() (*protocol.ExperimentResults, error) {
		s, e, err := r.find(ctx, name)
		if err != nil {
			return nil, err
		}
		// The info is read before the results: if it says that the experiment has ended, the results are
		// complete.
		info, err := r.info(ctx, s, e)
		if err != nil {
			return nil, err
		}
		results, err := Results(ctx, s, e, nil)
		if err != nil {
			return nil, err
		}
		return results.Experiment(info), nil
	})
}

// Games returns the games of a player with the highest scores or, if q.Worst is true, with the lowest ones.
func (r *Runner) Games(ctx context.Context, q *protocol.FindGames) (*protocol.ExperimentGames, error) {
	s, e, p, err := r.player(ctx, q.Name, q.Player)
	if err != nil {
		return nil, err
	}
	games, err := s.Games(ctx, e, p)
	if err != nil {
		return nil, err
	}
	return arena.Extremes(e.NameOf(p), games, q.Worst), nil
}

// Record returns the record of a game.
func (r *Runner) Record(ctx context.Context, q *protocol.FindGame) (*protocol.GameRecord, error) {
	s, e, p, err := r.player(ctx, q.Name, q.Player)
	if err != nil {
		return nil, err
	}
	found, err := s.Recorded(ctx, e, p, uint64(q.Game))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := writeRecord(&text, e, p, found); err != nil {
		return nil, err
	}
	return &protocol.GameRecord{Record: text.String()}, nil
}

// writeRecord writes the record of a game.
func writeRecord(to io.Writer, e *arena.Plan, p *arena.Player, game *arena.Recorded) error {
	line, err := game.Record(e.Setup, p.Spec)
	if err != nil {
		return err
	}
	return record.Write(to, line)
}

// recordsAtOnce is the maximum number of games in an answer of Records.
const recordsAtOnce = 100

// Records returns the records of a player's games, in the order of their numbers. It skips the first q.From
// games and returns at most recordsAtOnce of the others.
func (r *Runner) Records(ctx context.Context, q *protocol.FindRecords) (*protocol.ExperimentRecords, error) {
	s, e, p, err := r.player(ctx, q.Name, q.Player)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	n := 0
	for found, err := range s.AllRecorded(ctx, e, p) {
		switch n++; {
		case err != nil:
			return nil, err
		case n <= q.From:
			continue
		case n > q.From+recordsAtOnce:
			return &protocol.ExperimentRecords{Records: text.String(), Next: n - 1}, nil
		}
		if err := writeRecord(&text, e, p, found); err != nil {
			return nil, err
		}
	}
	return &protocol.ExperimentRecords{Records: text.String()}, nil
}

// player returns the store, an experiment, and its player with this number.
func (r *Runner) player(ctx context.Context, name string, number int) (Store, *arena.Plan, *arena.Player, error) {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range e.Players {
		if e.Players[i].Number == number {
			return s, e, &e.Players[i], nil
		}
	}
	return nil, nil, nil, fmt.Errorf("%s has no player %d: must be from 1 to %d", name, number, len(e.Players))
}

// plans returns the store and its experiments. The store is nil if it does not exist yet.
func (r *Runner) plans(ctx context.Context) (s Store, all []arena.Plan, err error) {
	if s, err = r.open(false); s != nil && err == nil {
		all, err = s.Experiments(ctx)
	}
	return s, all, err
}

// cacheEntry is a cached answer. It becomes invalid when an experiment is started, ends or is removed here.
// Otherwise it is valid for nine times as long as the read took, but at least for freshness. Repeated
// requests therefore keep the store busy for at most a tenth of the time.
type cacheEntry struct {
	value   any
	changes int64
	until   time.Time
}

// freshness is the minimum time for which an answer is valid.
const freshness = time.Second

// cached returns the answer to a request from the runner's cache. If the cache has no valid answer, cached
// calls read and caches its result.
func cached[T any](r *Runner, request string, read func() (T, error)) (x T, err error) {
	r.reading.Lock()
	defer r.reading.Unlock()
	start, changes := time.Now(), r.changes.Load()
	if known, ok := r.cache[request]; ok && known.changes == changes && start.Before(known.until) {
		return known.value.(T), nil
	}
	if x, err = read(); err != nil {
		return x, err
	}
	now := time.Now()
	maps.DeleteFunc(r.cache, func(_ string, e cacheEntry) bool { return now.After(e.until) })
	r.cache[request] = cacheEntry{x, changes, now.Add(max(freshness, 9*now.Sub(start)))}
	return x, nil
}
