//go:build !js

package experiment

import (
	"bytes"
	"context"

	"github.com/afterstate2048/afterstate/protocol"
)

var addLuck = AddLuck

// Report returns the report on an experiment as a page.
func (r *Runner) Report(ctx context.Context, name string) (*protocol.ExperimentReport, error) {
	s, e, err := r.find(ctx, name)
	if err != nil {
		return nil, err
	}
	results, err := r.results(ctx, s, e)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	if err := r.o.Report(&page, e, results); err != nil {
		return nil, err
	}
	return &protocol.ExperimentReport{HTML: page.String()}, nil
}
