package serve

import (
	"errors"
	"time"

	"afterstate/runs"
	"afterstate/session"
	"afterstate/wire"
)

// training answers clients from a folder of training runs.
type training struct{ folder runs.Folder }

func (t training) List() (list []wire.TrainingInfo, err error) {
	all, err := t.folder.List()
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		list = append(list, trainingInfo(&r))
	}
	return list, nil
}

func trainingInfo(r *runs.Info) wire.TrainingInfo {
	info := wire.TrainingInfo{
		Run: r.Name, Network: r.Network, IdleS: max(0, time.Since(r.Updated).Seconds()), State: r.State, Games: r.Games,
		Options: []wire.TrainingOption{},
	}
	if r.Goal > 0 {
		info.GoalGames = &r.Goal
	}
	for _, s := range r.Settings {
		info.Options = append(info.Options, wire.TrainingOption(s))
	}
	return info
}

func (t training) Show(run string, from int64) (wire.Training, error) {
	out, err := t.folder.Metrics(run, from)
	var missing *runs.NotFoundError
	var input *runs.InputError
	switch {
	case errors.As(err, &missing):
		err = session.ErrNoRun
	case errors.As(err, &input):
		err = session.ErrNoMetrics
	}
	return out, err
}
