package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"afterstate/wire"
)

const maxIntervals = 4000 // limit of one answer; longer runs are thinned to every n-th interval

func (c *Client) listTraining(_ context.Context, params []byte) (any, error) {
	if err := wire.ReadNone(wire.MethodTrainingList, params); err != nil {
		return nil, err
	}
	list := wire.TrainingList{Runs: []wire.TrainingInfo{}}
	if c.host.o.Training == nil {
		return list, nil
	}
	all, err := c.host.o.Training.List()
	if err != nil {
		return nil, err
	}
	list.Runs = append(list.Runs, all...)
	return list, nil
}

// ErrNoRun and ErrNoMetrics are errors of Training.Show that a client can correct.
var (
	ErrNoRun     = errors.New("no run has this name")
	ErrNoMetrics = errors.New("the run has no metrics")
)

func (c *Client) showTraining(_ context.Context, params []byte) (any, error) {
	var p wire.ShowTraining
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	var out wire.Training
	err := ErrNoRun
	if c.host.o.Training != nil {
		out, err = c.host.o.Training.Show(p.Run, p.From)
	}
	switch {
	case errors.Is(err, ErrNoRun):
		return nil, invalid(wire.MethodTrainingShow, "run", fmt.Errorf("no run is called %s", wire.Quote(p.Run)))
	case errors.Is(err, ErrNoMetrics):
		return nil, invalid(wire.MethodTrainingShow, "run", fmt.Errorf("%s has no metrics", wire.Quote(p.Run)))
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
