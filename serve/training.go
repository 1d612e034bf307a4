package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"afterstate/runs"
	"afterstate/wire"
)

const mostIntervals = 4000 // of one answer; of more every n-th one is told

func (t *talk) listTraining(_ context.Context, params []byte) (any, error) {
	if err := wire.ReadNone(wire.MethodTrainingList, params); err != nil {
		return nil, err
	}
	all, err := runs.Folder{Path: t.server.o.Runs}.List()
	if err != nil {
		return nil, err
	}
	list := wire.TrainingList{Runs: []wire.TrainingInfo{}}
	for _, r := range all {
		list.Runs = append(list.Runs, wire.TrainingInfo{Run: r.Name, Network: r.Network, Quiet: max(0, time.Since(r.Updated).Seconds())})
	}
	return list, nil
}

func (t *talk) showTraining(_ context.Context, params []byte) (any, error) {
	var p wire.ShowTraining
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	out, err := runs.Folder{Path: t.server.o.Runs}.Metrics(p.Run, p.From)
	var missing *runs.NotFoundError
	var input *runs.InputError
	switch {
	case errors.As(err, &missing):
		return nil, invalid(wire.MethodTrainingShow, "run", fmt.Errorf("no run is called %s", short(p.Run)))
	case errors.As(err, &input):
		return nil, invalid(wire.MethodTrainingShow, "run", fmt.Errorf("%s has no metrics", short(p.Run)))
	case err != nil:
		return nil, err
	}
	out.Intervals = thinned(out.Intervals)
	return out, nil
}

// thinned is at most mostIntervals lines, every n-th one.
func thinned(lines []json.RawMessage) []json.RawMessage {
	if len(lines) <= mostIntervals {
		return lines
	}
	every := (len(lines) + mostIntervals - 1) / mostIntervals
	var few []json.RawMessage
	for i := every - 1; i < len(lines); i += every {
		few = append(few, lines[i])
	}
	return few
}
