package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"afterstate/wire"
)

const maxIntervals = 4000 // limit of one answer; longer runs are thinned to every n-th interval

var trainingMethods = []Method{
	on[wire.TrainingList]("training.list", Immediate, (*Client).listTraining),
	on[wire.Training]("training.show", Ordered, (*Client).showTraining),

	on[wire.TrainingRun]("training.start", Immediate, (*Client).startTraining),
}

func (c *Client) listTraining(_ context.Context, _ *none) (any, error) {
	if c.host.o.Training == nil {
		return wire.TrainingList{Runs: []wire.TrainingInfo{}}, nil
	}
	return c.host.o.Training.List()
}

// ErrNoRun and ErrNoMetrics are errors of Training.Show that a client can correct, and ErrNoStart is that
// of Training.Start where it may not begin a run.
var (
	ErrNoRun     = errors.New("no run has this name")
	ErrNoMetrics = errors.New("the run has no metrics")
	ErrNoStart   = errors.New("runs are started here with afterstate train: only a server for this machine alone that has no run starts the first one")
)

func (c *Client) startTraining(context.Context, *none) (any, error) {
	err := ErrNoStart
	var run string
	if c.host.o.Training != nil {
		run, err = c.host.o.Training.Start()
	}
	if errors.Is(err, ErrNoStart) {
		return nil, wire.Errorf(wire.CodeInvalidRequest, "%v", err)
	}
	return wire.TrainingRun{Run: run}, err
}

func (c *Client) showTraining(_ context.Context, p *wire.ShowTraining) (any, error) {
	var out wire.Training
	err := ErrNoRun
	if c.host.o.Training != nil {
		out, err = c.host.o.Training.Show(p.Run, p.From)
	}
	switch {
	case errors.Is(err, ErrNoRun):
		return nil, invalid("run", fmt.Errorf("no run is called %s", wire.Quote(p.Run)))
	case errors.Is(err, ErrNoMetrics):
		return nil, invalid("run", fmt.Errorf("%s has no metrics", wire.Quote(p.Run)))
	case err != nil:
		return nil, err
	}
	out.Intervals = thinned(out.Intervals)
	return out, nil
}

// thinned returns every n-th line, so that at most maxIntervals remain.
func thinned(lines []json.RawMessage) []json.RawMessage {
	if len(lines) <= maxIntervals {
		return lines
	}
	every := (len(lines) + maxIntervals - 1) / maxIntervals
	var few []json.RawMessage
	for i := every - 1; i < len(lines); i += every {
		few = append(few, lines[i])
	}
	return few
}
