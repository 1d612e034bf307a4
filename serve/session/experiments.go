package session

import (
	"context"
	"errors"

	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

var experimentMethods = []Method{
	on[protocol.ExperimentList]("experiments.list", Immediate, (*Client).listExperiments),
	stored[protocol.ExperimentRef]("experiments.start", Immediate, func(x Experiments, ctx context.Context, p *protocol.StartExperiment) (any, error) {
		if p.Name == "" && p.Players == nil {
			return nil, errors.New("players is missing: want it, or the name of an experiment to resume")
		}
		if p.Size == (board.Size{}) {
			p.Size = board.Size{Rows: 4, Cols: 4}
		}
		name, err := x.Start(ctx, p)
		return protocol.ExperimentRef{Name: name}, err
	}),
	stored[protocol.Empty]("experiments.stop", Immediate, func(x Experiments, ctx context.Context, p *protocol.ExperimentRef) (any, error) {
		return protocol.Empty{}, x.Stop(ctx, p.Name)
	}),
	stored[protocol.Empty]("experiments.remove", Immediate, func(x Experiments, ctx context.Context, p *protocol.ExperimentRef) (any, error) {
		return protocol.Empty{}, x.Remove(ctx, p.Name)
	}),
	stored[protocol.ExperimentResults]("experiments.show", Immediate, func(x Experiments, ctx context.Context, p *protocol.ExperimentRef) (any, error) {
		return x.Show(ctx, p.Name)
	}),
	stored[protocol.ExperimentReport]("experiments.report", Ordered, func(x Experiments, ctx context.Context, p *protocol.ExperimentRef) (any, error) {
		return x.Report(ctx, p.Name)
	}),
	stored[protocol.ExperimentGames]("experiments.games", Ordered, func(x Experiments, ctx context.Context, p *protocol.FindGames) (any, error) {
		return x.Games(ctx, p)
	}),
	stored[protocol.GameRecord]("experiments.record", Ordered, func(x Experiments, ctx context.Context, p *protocol.FindGame) (any, error) {
		return x.Record(ctx, p)
	}),
	stored[protocol.ExperimentRecords]("experiments.records", Ordered, func(x Experiments, ctx context.Context, p *protocol.FindRecords) (any, error) {
		return x.Records(ctx, p)
	}),
}

// stored returns the row of a method that passes the params and the host's experiments to answer. The client gets the text of
// its errors.
func stored[R, P any](name string, slot Slot, answer func(Experiments, context.Context, *P) (any, error)) Method {
	return on[R](name, slot, func(c *Client, ctx context.Context, p *P) (any, error) {
		if c.host.o.Experiments == nil {
			return nil, protocol.Errorf(protocol.CodeInvalidRequest, "this server keeps no experiments")
		}
		result, err := answer(c.host.o.Experiments, ctx, p)
		if err != nil {
			return nil, invalid("", err)
		}
		return result, nil
	})
}

func (c *Client) listExperiments(ctx context.Context, _ *none) (any, error) {
	list := protocol.ExperimentList{Experiments: []protocol.ExperimentInfo{}}
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
