package experiment

import (
	"context"
	"errors"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/protocol"
)

// addLuck does nothing: the store of a browser keeps no luck.
func addLuck(context.Context, Store, *arena.Plan, *arena.Results) error { return nil }

// Report returns an error: the plots of a report are too large for a browser's engine.
func (r *Runner) Report(context.Context, string) (*protocol.ExperimentReport, error) {
	return nil, errors.New("a browser writes no reports: use afterstate arena run and afterstate arena report")
}
