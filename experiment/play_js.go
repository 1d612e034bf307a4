package experiment

import (
	"context"
	"errors"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
)

// In a browser, no other machine plays games, and no experiment ends at a verdict. The code for these two
// features is left out to keep the engine small.

// Machines is empty: in a browser, no other machine plays.
type Machines struct{}

func (x *Experiment) playElsewhere(context.Context, *arena.Scheduler, arena.Worker, *PlayOptions, [][]arena.Outcome) error {
	return nil
}

func (x *Experiment) decide(context.Context) (func(context.Context, PlayOptions) error, error) {
	return nil, errors.New("playing until a verdict requires a server")
}

func (r *Runner) machines() *Machines                               { return nil }
func (r *Machines) removeQueue(context.Context, Store, *arena.Plan) {}

// Workers returns an empty list.
func (r *Runner) Workers(context.Context) (*protocol.WorkerList, error) {
	return noWorkers("", ""), nil
}

// OtherStores returns no experiments.
func (r *Runner) OtherStores(context.Context) ([]protocol.SharedExperiment, error) { return nil, nil }

// addLuck does nothing: the store in a browser does not contain the luck of games.
func addLuck(context.Context, Store, *arena.Plan, *arena.Results) error { return nil }

// Report returns an error: the code that draws the plots is left out to keep the engine small.
func (r *Runner) Report(context.Context, string) (*protocol.ExperimentReport, error) {
	return nil, errors.New("a browser cannot write reports: use afterstate arena run and afterstate arena report")
}
