package experiment

import (
	"context"
	"time"

	"github.com/afterstate2048/afterstate/protocol"
)

// Elsewhere returns the experiments of other stores that share the server of RunnerOptions.Remote, by name.
// The list is empty without Remote, or while the server does not answer.
func (r *Runner) Elsewhere(ctx context.Context) (all []protocol.ExperimentElsewhere, err error) {
	if !hasWorkers || r.o.Remote == nil {
		return nil, nil
	}
	remote := r.o.Remote()
	if remote == nil {
		return nil, nil
	}
	own, err := r.queueIDs(ctx)
	if err != nil {
		return nil, err
	}
	const patience = time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	queues, err := remote.Hub.Experiments(ctx)
	if err != nil {
		return nil, nil // the server is away, or has no experiments yet
	}
	for i := range queues {
		if q := &queues[i]; !own[q.ID] {
			for k, spec := range q.Players {
				q.Players[k] = r.public(spec)
			}
			all = append(all, protocol.ExperimentElsewhere{
				Name: q.Name, Scheduler: q.Scheduler, Size: q.Size, Players: q.Players, Games: q.Games, Finished: q.Finished,
			})
		}
	}
	return all, nil
}

// queueIDs returns the IDs of the queues that the store's experiments have.
func (r *Runner) queueIDs(ctx context.Context) (map[string]bool, error) {
	s, err := r.opened()
	if s == nil || err != nil {
		return nil, err
	}
	all, err := s.Experiments(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for i := range all {
		ids[queueID(s, &all[i])] = true
	}
	return ids, nil
}
