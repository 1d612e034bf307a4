package session

import (
	"context"
	"errors"

	"afterstate/board"
	"afterstate/wire"
)

var experimentMethods = []Method{
	on[wire.ExperimentList]("experiments.list", Immediate, (*Client).listExperiments),
	stored[wire.ExperimentRef]("experiments.start", Immediate, func(x Experiments, ctx context.Context, p *wire.StartExperiment) (any, error) {
		if p.Name == "" && p.Players == nil {
			return nil, errors.New("players is missing: want it, or the name of an experiment to resume")
		}
		if p.Size == (board.Size{}) {
			p.Size = board.Size{Rows: 4, Cols: 4}
		}
		name, err := x.Start(ctx, p)
		return wire.ExperimentRef{Name: name}, err
	}),
	stored[wire.Empty]("experiments.stop", Immediate, func(x Experiments, ctx context.Context, p *wire.ExperimentRef) (any, error) {
		return wire.Empty{}, x.Stop(ctx, p.Name)
	}),
	stored[wire.Empty]("experiments.remove", Immediate, func(x Experiments, ctx context.Context, p *wire.ExperimentRef) (any, error) {
		return wire.Empty{}, x.Remove(ctx, p.Name)
	}),
	stored[wire.Experiment]("experiments.show", Immediate, func(x Experiments, ctx context.Context, p *wire.ExperimentRef) (any, error) {
		return x.Show(ctx, p.Name)
	}),
	stored[wire.ExperimentReport]("experiments.report", Ordered, func(x Experiments, ctx context.Context, p *wire.ExperimentRef) (any, error) {
		return x.Report(ctx, p.Name)
	}),
	stored[wire.ExperimentGames]("experiments.games", Ordered, func(x Experiments, ctx context.Context, p *wire.FindGames) (any, error) {
		return x.Games(ctx, p)
	}),
	stored[wire.GameRecord]("experiments.record", Ordered, func(x Experiments, ctx context.Context, p *wire.FindGame) (any, error) {
		return x.Record(ctx, p)
	}),
	stored[wire.ExperimentRecords]("experiments.records", Ordered, func(x Experiments, ctx context.Context, p *wire.FindRecords) (any, error) {
		return x.Records(ctx, p)
	}),
}

// stored returns the row of a method that passes the params and the host's experiments to answer. The client gets the text of
// its errors.
func stored[R, P any](name string, slot Slot, answer func(Experiments, context.Context, *P) (any, error)) Method {
	return on[R](name, slot, func(c *Client, ctx context.Context, p *P) (any, error) {
		if c.host.o.Experiments == nil {
			return nil, wire.Errorf(wire.CodeInvalidRequest, "this server keeps no experiments")
		}
		result, err := answer(c.host.o.Experiments, ctx, p)
		if err != nil {
			return nil, invalid("", err)
		}
		return result, nil
	})
}

func (c *Client) listExperiments(ctx context.Context, _ *none) (any, error) {
	list := wire.ExperimentList{Experiments: []wire.ExperimentInfo{}}
	if c.host.o.Experiments == nil {
		return list, nil
	}
	list.CanStart = true
	all, err := c.host.o.Experiments.List(ctx)
	if err != nil {
		return nil, invalid("", err)
	}
	list.Experiments = append(list.Experiments, all...)
	if list.Elsewhere, err = c.host.o.Experiments.Elsewhere(ctx); err != nil {
		return nil, invalid("", err)
	}
	return list, nil
}
