package experiment

import (
	"cmp"
	"context"
	"slices"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
)

// List returns the experiments of the store, newest first.
func (r *Runner) List(ctx context.Context) (all []protocol.ExperimentInfo, err error) {
	s, err := r.opened()
	if s == nil || err != nil {
		return nil, err
	}
	experiments, err := s.Experiments(ctx)
	if err != nil {
		return nil, err
	}
	for i := range slices.Backward(experiments) {
		info, err := r.info(ctx, s, &experiments[i])
		if err != nil {
			return nil, err
		}
		all = append(all, r.publicInfo(info))
	}
	return all, nil
}

func (r *Runner) info(ctx context.Context, s Store, e *arena.Plan) (protocol.ExperimentInfo, error) {
	info := protocol.ExperimentInfo{Name: e.Name, Size: e.Setup.Size, Games: e.Games, Imported: e.Setup.Imported()}
	counts, err := s.Count(ctx, e)
	if err != nil {
		return info, err
	}
	info.Players = e.Names()
	for i := range e.Players {
		info.Finished += counts[i]
		info.Games = max(info.Games, counts[i]) // matches ask for no number of games
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	it := r.running[e.Name]
	info.Running = it != nil && it.kept.Same(e)
	info.Error = r.failures[e.Name]
	if l, ok := s.(Locker); ok && !info.Running {
		switch {
		case info.Finished == e.Games*len(e.Players):
			info.Error = ""
		case l.Elsewhere(e) != nil:
			delete(r.failures, e.Name)
			info.RunningElsewhere, info.Error = true, ""
		default:
			info.Error = cmp.Or(info.Error, stopped)
		}
	}
	return info, nil
}

// Show returns the results of an experiment.
func (r *Runner) Show(ctx context.Context, name string) (*protocol.ExperimentResults, error) {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return nil, err
	}
	results, err := Results(ctx, s, e)
	if err != nil {
		return nil, err
	}
	info, err := r.info(ctx, s, e)
	if err != nil {
		return nil, err
	}
	r.publicResults(results)
	return results.Experiment(r.publicInfo(info)), nil
}
