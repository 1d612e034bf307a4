package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/afterstate2048/afterstate/protocol"
)

const maxIntervals = 4000 // limit of one answer; longer runs are thinned to every n-th interval

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

// ErrNoStart is the error of Training.Start where it may not begin a run.
var ErrNoStart = protocol.Errorf(protocol.CodeInvalidRequest, "runs are started here with afterstate train: only a server for this machine alone that has no run starts the first one")

// NoRun is the error of Training.Show for a name that no run has.
func NoRun(run string) error {
	return invalid("run", fmt.Errorf("no run is called %s", protocol.Quote(run)))
}

// NoMetrics is the error of Training.Show for a run without metrics.
func NoMetrics(run string) error {
	return invalid("run", fmt.Errorf("%s has no metrics", protocol.Quote(run)))
}

// noTraining is where there are no runs.
type noTraining struct{}

func (noTraining) List() (protocol.TrainingList, error) {
	return protocol.TrainingList{Runs: []protocol.TrainingInfo{}}, nil
}
func (noTraining) Start() (string, error) { return "", ErrNoStart }
func (noTraining) Show(run string, _ int64) (protocol.Training, error) {
	return protocol.Training{}, NoRun(run)
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
