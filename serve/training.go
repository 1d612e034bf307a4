package serve

import (
	"context"
	"errors"
	"log"
	"runtime"
	"sync"

	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/serve/session"
)

// training implements session.Training for a folder of training runs. If starts is set, it can also start the
// first run.
type training struct {
	folder runs.Folder
	starts bool // clients may start the first run

	begin  sync.Mutex // held while a run is started
	closed bool
	stop   context.CancelFunc // stops the run
	trains sync.WaitGroup
}

func newTraining(folder runs.Folder, starts bool) *training {
	return &training{folder: folder, starts: starts && folder.Path != "", stop: func() {}}
}

// close stops the training run that Start started, if any, and waits until it has saved its
// network.
func (t *training) close() {
	t.begin.Lock()
	t.closed = true
	t.stop()
	t.begin.Unlock()
	t.trains.Wait()
}

func (t *training) List() (protocol.TrainingList, error) {
	all, err := t.folder.List()
	list := protocol.TrainingList{Runs: []protocol.TrainingInfo{}, CanStart: t.starts && len(all) == 0}
	for _, r := range all {
		list.Runs = append(list.Runs, r.TrainingInfo)
	}
	return list, err
}

// Start starts a training run of a small network on half of the processors. It fails unless the folder has no
// runs, so it starts at most one.
func (t *training) Start() (string, error) {
	t.begin.Lock()
	defer t.begin.Unlock()
	list, err := t.List()
	switch {
	case err != nil:
		return "", err
	case !list.CanStart || t.closed:
		return "", session.ErrNoStart
	}
	o, err := runs.QuickStart(max(1, runtime.GOMAXPROCS(0)/2))
	if err != nil {
		return "", err
	}
	run, err := t.folder.Begin("first", o, nil)
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithCancel(context.Background())
	t.stop = stop
	t.trains.Go(func() {
		defer run.Close()
		if _, err := run.Train(ctx, nil); err != nil {
			log.Printf("training %s: %v", run.Name, err)
		}
	})
	return run.Name, nil
}

func (t *training) Show(run string, from int64) (protocol.Training, error) {
	out, err := t.folder.Metrics(run, from)
	var missing *runs.NotFoundError
	var input *runs.InputError
	switch {
	case errors.As(err, &missing):
		err = session.NoRun(run)
	case errors.As(err, &input):
		err = session.NoMetrics(run)
	}
	return out, err
}
