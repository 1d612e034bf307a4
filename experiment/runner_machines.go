//go:build !js

package experiment

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/protocol"
)

// machines returns the connection to workers on other machines, or nil without such a connection.
func (r *Runner) machines() *Machines {
	if r.o.Machines == nil {
		return nil
	}
	return r.o.Machines()
}

// hubPatience is how long OtherStores waits for an answer from the server of RunnerOptions.Machines.
// Workers waits twice as long.
const hubPatience = time.Second

// OtherStores returns the experiments of other stores that use the server of RunnerOptions.Machines, sorted by name.
// The list is empty if RunnerOptions.Machines is nil, or while the server does not answer.
func (r *Runner) OtherStores(ctx context.Context) ([]protocol.SharedExperiment, error) {
	return cached(r, "remote", func() (all []protocol.SharedExperiment, err error) {
		machines := r.machines()
		if machines == nil {
			return nil, nil
		}
		s, own, err := r.plans(ctx)
		if err != nil {
			return nil, err
		}
		ids := map[string]bool{}
		for i := range own {
			ids[queueID(s, &own[i])] = true
		}
		ctx, cancel := context.WithTimeout(ctx, hubPatience)
		defer cancel()
		queues, err := machines.Hub.Experiments(ctx)
		if err != nil {
			return nil, nil // the server is unreachable, or has no experiments yet
		}
		for id, x := range queues {
			if !ids[id] {
				all = append(all, x)
			}
		}
		slices.SortFunc(all, func(a, b protocol.SharedExperiment) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Scheduler, b.Scheduler))
		})
		return all, nil
	})
}

// maxWorkers is the maximum number of workers that Workers returns.
const maxWorkers = 2000

// Workers returns the workers and the queues of the server of RunnerOptions.Machines. If that is nil, the list
// is empty and names no server.
func (r *Runner) Workers(ctx context.Context) (*protocol.WorkerList, error) {
	machines := r.machines()
	if machines == nil {
		return noWorkers("", ""), nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*hubPatience)
	defer cancel()
	list, err := machines.Hub.Overview(ctx)
	if err != nil {
		return noWorkers(machines.Address, err.Error()), nil
	}
	list.More = max(0, len(list.Workers)-maxWorkers)
	list.Workers = list.Workers[:len(list.Workers)-list.More]
	return list, nil
}

// For experiments that end at a verdict: the confidence of the verdict, and the maximum number of players.
const (
	confidence = 0.95
	maxRanked  = 32
)

// decide returns a function that plays an experiment until its verdict. It fails if the experiment has its
// verdict already, or if its players have the maximum number of games.
func (x *Experiment) decide(ctx context.Context) (play func(context.Context, PlayOptions) error, err error) {
	ranking, err := x.rankAll(ctx)
	if err != nil {
		return nil, err
	}
	if players, _ := ranking.round(maxDecide); len(players) > 0 {
		return func(ctx context.Context, o PlayOptions) error {
			o.Games = maxDecide
			return ranking.Play(ctx, o)
		}, nil
	}
	if _, open := ranking.Left(1); open != nil {
		return nil, fmt.Errorf("%q has no verdict after %d games of each player, which is the limit", x.Plan.Name, maxDecide)
	}
	return nil, fmt.Errorf("%q already has its verdict", x.Plan.Name)
}

// rankAll returns a ranking of all players of the experiment.
func (x *Experiment) rankAll(ctx context.Context) (*Ranking, error) {
	if n := len(x.Plan.Players); n < 2 || n > maxRanked {
		return nil, fmt.Errorf("%s has %d players: must be 2 to %d for a verdict", x.Plan.Name, n, maxRanked)
	}
	return x.Rank(ctx, each.Of(x.Plan.Players, func(p arena.Player) string { return p.Identity }), confidence)
}

// maxCurve is the maximum number of points on the curve of a test.
const maxCurve = 200

// Evidence returns the ranking of an experiment's players by the games so far, and the test of each pair of
// neighbours in the ranking.
func (r *Runner) Evidence(ctx context.Context, name string) (*protocol.Evidence, error) {
	return cached(r, "evidence "+name, func() (*protocol.Evidence, error) {
		s, e, err := r.find(ctx, name)
		if err != nil {
			return nil, err
		}
		ranking, err := r.o.Config.experiment(s, e).rankAll(ctx)
		if err != nil {
			return nil, err
		}
		workers := max(1, r.o.Workers)
		v := &protocol.Evidence{RankTable: ranking.Table(workers), Tests: []protocol.EvidenceTest{}}
		order := ranking.order()
		for i, below := range order[1:] {
			m := ranking.match(order[i], below, workers)
			t := protocol.EvidenceTest{MatchResult: m.Result()}
			t.After, t.EvidenceA, t.EvidenceB = m.Curve(maxCurve)
			v.Tests = append(v.Tests, t)
		}
		return v, nil
	})
}

// Report returns the report on an experiment as an HTML page.
func (r *Runner) Report(ctx context.Context, name string) (*protocol.ExperimentReport, error) {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return nil, err
	}
	results, err := Results(ctx, s, e, nil)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	if err := r.o.Report(&page, e, results); err != nil {
		return nil, err
	}
	return &protocol.ExperimentReport{HTML: page.String()}, nil
}
