package machines

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	js "github.com/nats-io/nats.go/jetstream"

	"github.com/afterstate2048/afterstate/protocol"
)

// Workers returns the workers that were heard in the last 20 seconds, by name.
func (c *Client) Workers(ctx context.Context) (all []protocol.Worker, err error) {
	values, err := c.values(ctx, c.names.workers())
	if err != nil {
		return nil, err
	}
	for _, value := range values {
		var w protocol.Worker
		if json.Unmarshal(value, &w) == nil {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b protocol.Worker) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// queues returns the queues that have a scheduler, by the name of the experiment.
func (c *Client) queues(ctx context.Context) (all []QueueInfo, err error) {
	values, err := c.values(ctx, c.names.queues())
	if err != nil {
		return nil, err
	}
	for _, value := range values {
		var q claimed
		if json.Unmarshal(value, &q) == nil {
			all = append(all, q.QueueInfo)
		}
	}
	slices.SortFunc(all, func(a, b QueueInfo) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// Experiments returns the experiments that have a scheduler, by name.
func (c *Client) Experiments(ctx context.Context) (map[string]protocol.RemoteExperiment, error) {
	queues, err := c.queues(ctx)
	all := map[string]protocol.RemoteExperiment{}
	for i := range queues {
		all[queues[i].ID] = queues[i].RemoteExperiment
	}
	return all, err
}

// Overview returns the workers and the queues of the server.
func (c *Client) Overview(ctx context.Context) (*protocol.WorkerList, error) {
	list := &protocol.WorkerList{Server: c.o.URL, Workers: []protocol.Worker{}, Queues: []protocol.ExperimentQueue{}}
	if err := c.Prepare(ctx); err != nil { // before the first experiment
		return nil, err
	}
	workers, err := c.Workers(ctx)
	if err != nil {
		return nil, err
	}
	list.Workers = append(list.Workers, workers...)
	queues, err := c.queues(ctx)
	if err != nil {
		return nil, err
	}
	jobs, err := c.js.Stream(ctx, c.names.jobs())
	if err != nil {
		return nil, err
	}
	for i := range queues {
		q := &queues[i]
		info, err := jobs.Info(ctx, js.WithSubjectFilter(c.names.job("*", q.ID, "*")))
		if err != nil {
			return nil, err
		}
		list.Queues = append(list.Queues, protocol.ExperimentQueue{RemoteExperiment: q.RemoteExperiment, Jobs: len(info.State.Subjects)})
	}
	return list, nil
}
