package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

var experimentMethods = []Method{
	on[protocol.ExperimentList]("experiments.list", Immediate, (*Client).listExperiments),
	stored[protocol.ExperimentRef]("experiments.start", Immediate, func(x Experiments, ctx context.Context, p *protocol.StartExperiment) (any, error) {
		if p.Name == "" && p.Players == nil {
			return nil, errors.New("players is missing: give it, or the name of an experiment to resume")
		}
		p.Size = cmp.Or(p.Size, board.Size{Rows: 4, Cols: 4})
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
	stored[protocol.ExperimentGames]("experiments.games", Ordered, Experiments.Games),
	stored[protocol.GameRecord]("experiments.record", Ordered, Experiments.Record),
	stored[protocol.ExperimentRecords]("experiments.records", Ordered, Experiments.Records),
}

// stored returns a method that calls answer with the host's experiments and the params. The client gets the
// text of the error, if any.
func stored[R, P, A any](name string, slot Slot, answer func(Experiments, context.Context, *P) (A, error)) Method {
	return on[R](name, slot, func(c *Client, ctx context.Context, p *P) (any, error) {
		if c.host.o.Experiments == nil {
			return nil, protocol.Errorf(protocol.CodeInvalidRequest, "this server does not store experiments")
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
	if list.Remote, err = c.host.o.Experiments.OtherStores(ctx); err != nil {
		return nil, invalid("", err)
	}
	return list, nil
}

const maxIntervals = 4000 // maximum number of training intervals in one answer; see thinned

var trainingMethods = []Method{
	on[protocol.TrainingList]("training.list", Immediate, func(c *Client, _ context.Context, _ *none) (any, error) {
		return c.host.o.Training.List()
	}),
	on[protocol.Training]("training.show", Ordered, func(c *Client, _ context.Context, p *protocol.ShowTraining) (any, error) {
		out, err := c.host.o.Training.Show(p.Run, p.From)
		out.Intervals = thinned(out.Intervals)
		return out, err
	}),
	on[protocol.TrainingRun]("training.start", Immediate, func(c *Client, _ context.Context, _ *none) (any, error) {
		run, err := c.host.o.Training.Start()
		return protocol.TrainingRun{Run: run}, err
	}),
}

// ErrNoStart is the error of Training.Start if clients may not start a run.
var ErrNoStart = protocol.Errorf(protocol.CodeInvalidRequest, "start runs with the command afterstate train: the page can start only the first run, and only if the server listens on this machine alone")

// NoRun returns the error of Training.Show for a run that does not exist.
func NoRun(run string) error {
	return invalid("run", fmt.Errorf("no run is called %s", protocol.Quote(run)))
}

// NoMetrics returns the error of Training.Show for a run without metrics.
func NoMetrics(run string) error {
	return invalid("run", fmt.Errorf("%s has no metrics", protocol.Quote(run)))
}

// noTraining implements Training for a host without runs.
type noTraining struct{}

func (noTraining) List() (protocol.TrainingList, error) {
	return protocol.TrainingList{Runs: []protocol.TrainingInfo{}}, nil
}
func (noTraining) Start() (string, error) { return "", ErrNoStart }
func (noTraining) Show(run string, _ int64) (protocol.Training, error) {
	return protocol.Training{}, NoRun(run)
}

// thinned returns all lines or, if there are more than maxIntervals, every n-th line.
func thinned(lines []json.RawMessage) []json.RawMessage {
	if len(lines) <= maxIntervals {
		return lines
	}
	every := (len(lines) + maxIntervals - 1) / maxIntervals
	var kept []json.RawMessage
	for i := every - 1; i < len(lines); i += every {
		kept = append(kept, lines[i])
	}
	return kept
}
