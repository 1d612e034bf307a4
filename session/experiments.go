package session

import (
	"cmp"
	"context"
	"errors"

	"afterstate/board"
	"afterstate/wire"
)

var experimentMethods = []Method{
	on[wire.ExperimentList]("experiments.list", Immediate, (*Client).listExperiments),
	stored("experiments.start", Immediate, func(x Experiments, ctx context.Context, p *wire.StartExperiment) (*wire.ExperimentRef, error) {
		if p.Name == "" && p.Players == nil {
			return nil, errors.New("players is missing: want it, or the name of an experiment to resume")
		}
		p.Size = cmp.Or(p.Size, board.Size{Rows: 4, Cols: 4})
		name, err := x.Start(ctx, p)
		return &wire.ExperimentRef{Name: name}, err
	}),
	stored("experiments.stop", Immediate, named(func(x Experiments, ctx context.Context, name string) (*wire.Empty, error) {
		return &wire.Empty{}, x.Stop(ctx, name)
	})),
	stored("experiments.remove", Immediate, named(func(x Experiments, ctx context.Context, name string) (*wire.Empty, error) {
		return &wire.Empty{}, x.Remove(ctx, name)
	})),
	stored("experiments.show", Immediate, named(Experiments.Show)),
	stored("experiments.report", Ordered, named(Experiments.Report)),
	stored("experiments.games", Ordered, Experiments.Games),
	stored("experiments.record", Ordered, Experiments.Record),
	stored("experiments.records", Ordered, Experiments.Records),
}

// named passes the name of an experiment to answer.
func named[R any](answer func(Experiments, context.Context, string) (*R, error)) func(Experiments, context.Context, *wire.ExperimentRef) (*R, error) {
	return func(x Experiments, ctx context.Context, p *wire.ExperimentRef) (*R, error) {
		return answer(x, ctx, p.Name)
	}
}

// stored returns the row of a method that passes the params and the host's experiments to answer. The client gets the text of
// its errors.
func stored[R, P any](name string, slot Slot, answer func(Experiments, context.Context, *P) (*R, error)) Method {
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
