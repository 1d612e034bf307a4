package session

import (
	"context"

	"afterstate/board"
	"afterstate/wire"
)

var errNone = wire.Errorf(wire.CodeInvalidRequest, "this server keeps no experiments")

func (c *Client) listExperiments(ctx context.Context, params []byte) (any, error) {
	if err := wire.ReadNone(wire.MethodExperimentList, params); err != nil {
		return nil, err
	}
	list := wire.ExperimentList{Experiments: []wire.ExperimentInfo{}}
	if c.host.o.Experiments == nil {
		return list, nil
	}
	list.CanStart = true
	all, err := c.host.o.Experiments.List(ctx)
	if err != nil {
		return nil, denied(wire.MethodExperimentList, err)
	}
	list.Experiments = append(list.Experiments, all...)
	if list.Elsewhere, err = c.host.o.Experiments.Elsewhere(ctx); err != nil {
		return nil, denied(wire.MethodExperimentList, err)
	}
	return list, nil
}

func (c *Client) startExperiment(ctx context.Context, params []byte) (any, error) {
	var p wire.StartExperiment
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	if c.host.o.Experiments == nil {
		return nil, errNone
	}
	if p.Size == (board.Size{}) {
		p.Size = board.Size{Rows: 4, Cols: 4}
	}
	name, err := c.host.o.Experiments.Start(ctx, &p)
	if err != nil {
		return nil, denied(wire.MethodExperimentStart, err)
	}
	return wire.ExperimentRef{Name: name}, nil
}

// denied returns an invalid-params error of a method with the text of err.
func denied(method string, err error) error {
	return wire.Errorf(wire.CodeInvalidParams, "%s: %v", method, err)
}

// experiment reads the params of a method about one experiment.
func (c *Client) experiment(method string, params []byte) (name string, err error) {
	var p wire.ExperimentRef
	if err := p.ReadParams(method, params); err != nil {
		return "", err
	}
	if c.host.o.Experiments == nil {
		return "", errNone
	}
	return p.Name, nil
}

func (c *Client) stopExperiment(ctx context.Context, params []byte) (any, error) {
	name, err := c.experiment(wire.MethodExperimentStop, params)
	if err != nil {
		return nil, err
	}
	if err := c.host.o.Experiments.Stop(ctx, name); err != nil {
		return nil, denied(wire.MethodExperimentStop, err)
	}
	return wire.Empty{}, nil
}

func (c *Client) removeExperiment(ctx context.Context, params []byte) (any, error) {
	name, err := c.experiment(wire.MethodExperimentRemove, params)
	if err != nil {
		return nil, err
	}
	if err := c.host.o.Experiments.Remove(ctx, name); err != nil {
		return nil, denied(wire.MethodExperimentRemove, err)
	}
	return wire.Empty{}, nil
}

func (c *Client) showExperiment(ctx context.Context, params []byte) (any, error) {
	name, err := c.experiment(wire.MethodExperimentShow, params)
	if err != nil {
		return nil, err
	}
	x, err := c.host.o.Experiments.Show(ctx, name)
	if err != nil {
		return nil, denied(wire.MethodExperimentShow, err)
	}
	return x, nil
}

func (c *Client) experimentGames(ctx context.Context, params []byte) (any, error) {
	var p wire.FindGames
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	if c.host.o.Experiments == nil {
		return nil, errNone
	}
	games, err := c.host.o.Experiments.Games(ctx, &p)
	if err != nil {
		return nil, denied(wire.MethodExperimentGames, err)
	}
	return games, nil
}

func (c *Client) experimentRecord(ctx context.Context, params []byte) (any, error) {
	var p wire.FindGame
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	if c.host.o.Experiments == nil {
		return nil, errNone
	}
	record, err := c.host.o.Experiments.Record(ctx, &p)
	if err != nil {
		return nil, denied(wire.MethodExperimentRecord, err)
	}
	return record, nil
}

func (c *Client) experimentRecords(ctx context.Context, params []byte) (any, error) {
	var p wire.FindRecords
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	if c.host.o.Experiments == nil {
		return nil, errNone
	}
	records, err := c.host.o.Experiments.Records(ctx, &p)
	if err != nil {
		return nil, denied(wire.MethodExperimentRecords, err)
	}
	return records, nil
}

func (c *Client) experimentReport(ctx context.Context, params []byte) (any, error) {
	name, err := c.experiment(wire.MethodExperimentReport, params)
	if err != nil {
		return nil, err
	}
	page, err := c.host.o.Experiments.Report(ctx, name)
	if err != nil {
		return nil, denied(wire.MethodExperimentReport, err)
	}
	return page, nil
}
