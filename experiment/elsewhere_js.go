package experiment

import (
	"context"
	"errors"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
)

// In a browser nobody else plays, and experiments end at no verdict: that would make the engine larger.

// Remote cannot be used in a browser.
type Remote struct{}

func (x *Experiment) playElsewhere(context.Context, *arena.Scheduler, arena.Worker, *PlayOptions, [][]arena.Outcome) error {
	return nil
}

func (x *Experiment) decide(context.Context) (func(context.Context, PlayOptions) error, error) {
	return nil, errors.New("a verdict takes a server")
}

func (r *Runner) remote() *Remote                                 { return nil }
func (r *Remote) removeQueue(context.Context, Store, *arena.Plan) {}

// Workers returns a list without a server.
func (r *Runner) Workers(context.Context) (*protocol.WorkerList, error) {
	return noWorkers("", ""), nil
}

// Remote returns nothing.
func (r *Runner) Remote(context.Context) ([]protocol.RemoteExperiment, error) { return nil, nil }

// addLuck does nothing: the store of a browser keeps no luck.
func addLuck(context.Context, Store, *arena.Plan, *arena.Results) error { return nil }

// Report returns an error: the plots of a report are too large for a browser's engine.
func (r *Runner) Report(context.Context, string) (*protocol.ExperimentReport, error) {
	return nil, errors.New("a browser writes no reports: use afterstate arena run and afterstate arena report")
}
