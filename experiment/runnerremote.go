//go:build !js

package experiment

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/protocol"
)

// remote returns what lets workers on other machines play, nil if none do.
func (r *Runner) remote() *Remote {
	if r.o.Remote == nil {
		return nil
	}
	return r.o.Remote()
}

// hubPatience is how long the server of RunnerOptions.Remote may take to answer for a list.
const hubPatience = time.Second

// Remote returns the experiments of other stores that share the server of RunnerOptions.Remote, by name.
// The list is empty without Remote, or while the server does not answer.
func (r *Runner) Remote(ctx context.Context) ([]protocol.RemoteExperiment, error) {
	return cached(r, "remote", func() (all []protocol.RemoteExperiment, err error) {
		remote := r.remote()
		if remote == nil {
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
		queues, err := remote.Hub.Experiments(ctx)
		if err != nil {
			return nil, nil // the server is away, or has no experiments yet
		}
		for id, x := range queues {
			if !ids[id] {
				all = append(all, r.publicRemote(x))
			}
		}
		slices.SortFunc(all, func(a, b protocol.RemoteExperiment) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Scheduler, b.Scheduler))
		})
		return all, nil
	})
}

func (r *Runner) publicRemote(x protocol.RemoteExperiment) protocol.RemoteExperiment {
	for i, spec := range x.Players {
		x.Players[i] = r.public(spec)
	}
	return x
}

// maxWorkers is the number of workers that Workers returns.
const maxWorkers = 2000

// Workers returns the workers of the server of RunnerOptions.Remote, and what waits for them. Without Remote the list
// has no Server.
func (r *Runner) Workers(ctx context.Context) (*protocol.WorkerList, error) {
	remote := r.remote()
	if remote == nil {
		return noWorkers("", ""), nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*hubPatience)
	defer cancel()
	list, err := remote.Hub.Overview(ctx)
	if err != nil {
		return noWorkers(remote.Address, r.public(err.Error())), nil
	}
	list.More = max(0, len(list.Workers)-maxWorkers)
	list.Workers = list.Workers[:len(list.Workers)-list.More]
	for i := range list.Workers {
		w := &list.Workers[i]
		for k := range w.Playing {
			w.Playing[k].Player = r.public(w.Playing[k].Player)
		}
		w.Trouble = r.public(w.Trouble)
	}
	for i := range list.Queues {
		list.Queues[i].RemoteExperiment = r.publicRemote(list.Queues[i].RemoteExperiment)
	}
	return list, nil
}
