package runs

import (
	"context"
	"errors"
	"math"
	"os"

	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/protocol"
)

// Run is a training run that this process has locked. No other process can train it until Close.
type Run struct {
	*runDir
	Options Options

	// Earlier holds the intervals that the metrics contained when the run was resumed.
	Earlier []protocol.TrainingInterval

	device  learn.Device // Folder.Device
	trainer *learn.Trainer
	metrics *os.File
	last    *protocol.TrainingInterval // the last interval in the metrics
	failed  error                      // first error of writing an interval
	observe func(*learn.Interval)
	cancel  context.CancelFunc
}

// Begin creates a new run with its first checkpoint. If name is empty, the name is Options.Stem with
// the next free number, such as 4x6-1. source is the model that o.From names; if source is nil,
// Begin opens o.From. The caller closes source and must not use it in any other way, since Begin may take
// over its memory.
//
// If Begin fails, it removes all files that it created.
func (f Folder) Begin(name string, o Options, source *Source) (*Run, error) {
	if name != "" {
		if err := CheckName(name); err != nil {
			return nil, err
		}
	}
	if source == nil && o.From != "" {
		var err error
		if source, err = f.Source(o.From); err != nil {
			return nil, err
		}
		defer func() { source.Close() }() // without effect on a network that the run has taken over
	}
	if err := o.ready(source, 0); err != nil {
		return nil, err
	}
	if err := f.checkSpace(&o, false); err != nil {
		return nil, err
	}
	p, err := f.create(name, o.Stem())
	if err != nil {
		return nil, err
	}
	r := &Run{runDir: p, Options: o, device: f.Device}
	if err = p.save(&o); err == nil {
		err = r.start(source)
	}
	if err == nil {
		err = r.trainer.Save() // without a checkpoint, the run could not be resumed
	}
	if err == nil {
		err = r.openMetrics(r.trainer.Games())
	}
	if err != nil {
		r.release()
		p.removeCreated()
		return nil, err
	}
	return r, nil
}

// start creates the trainer of a new run. If Options.From is set, source must be open.
func (r *Run) start(source *Source) (err error) {
	r.trainer, err = r.Options.start(source, r.trainerOptions())
	return err
}

// trainerOptions returns the run's options for its trainer, with the device, report and the checkpoint's path.
func (r *Run) trainerOptions() learn.Options {
	o := r.Options.Options
	o.Device, o.Report, o.Checkpoint = r.device, r.report, r.Checkpoint()
	return o
}

// Resume loads a run from its last checkpoint, applies c to its options and stores them. A run that
// has played all its games can be resumed too; Train then plays no games.
//
// A change of a setting that has the tag resume:"part" (see [learn.Options]) ends one part of the
// training history and starts another; the history has the number of games of each part. Network, seed
// and starting model cannot change.
func (f Folder) Resume(name string, c learn.Change) (*Run, error) {
	p, err := f.open(name)
	if err != nil {
		return nil, err
	}
	r := &Run{runDir: p, device: f.Device}
	if err := r.resume(f, c); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Run) resume(f Folder, c learn.Change) (err error) {
	if r.Options, err = r.load(); err != nil {
		return err
	}
	before := r.Options.Options
	if r.hasCheckpoint() {
		c, err := r.Options.readCheckpoint(r.Checkpoint())
		if err != nil {
			return err
		}
		before = c.Options
	}
	if err := c.Apply(&r.Options.Options); err != nil {
		return inputError(err)
	}
	if err := r.Options.fill(); err != nil {
		return err
	}
	if r.Options.Before = nil; foreign(&before, &r.Options.Options) != "" {
		r.Options.Before = &before
	}
	if err := f.checkSpace(&r.Options, true); err != nil {
		return err
	}
	if err := r.reopen(f); err != nil {
		return err
	}
	games := r.trainer.Games()
	if limit := r.Options.Games; c["games"] != nil && limit > 0 && games > limit {
		return optionErrorf("games", limit, "must be at least %[2]d, the games that run %[1]s has played", r.Name, games)
	}
	if err := r.save(&r.Options); err != nil {
		return err
	}
	return r.openMetrics(games)
}

// reopen restores the trainer from the checkpoint. A run that was killed before its first
// checkpoint starts from the beginning.
func (r *Run) reopen(f Folder) (err error) {
	if r.hasCheckpoint() {
		r.trainer, err = learn.Resume(r.Checkpoint(), r.trainerOptions(), func(o *learn.Options) { *o = r.Options.Options })
		return inputError(err)
	}
	if r.Options.From == "" {
		return r.start(nil)
	}
	source, err := f.Source(r.Options.From)
	if err != nil {
		return err
	}
	defer func() { source.Close() }()
	return r.start(source)
}

// Train trains until all games are played or ctx ends, and writes checkpoints and metrics; finished
// is false if ctx ended first. observe, unless nil, is called after each interval, by one goroutine
// at a time, and blocks the trainer. Games is the only method of the trainer that observe may call.
func (r *Run) Train(ctx context.Context, observe func(*learn.Interval)) (finished bool, err error) {
	return r.TrainTo(ctx, math.MaxUint64, observe)
}

// TrainTo is like Train, but it also ends when the run has the given number of games.
func (r *Run) TrainTo(ctx context.Context, games uint64, observe func(*learn.Interval)) (finished bool, err error) {
	ctx, r.cancel = context.WithCancel(ctx)
	defer r.cancel()
	r.observe = observe
	if err = r.trainer.Step(ctx, games-min(games, r.trainer.Games())); err == nil {
		err = r.trainer.Save()
	}
	if err = errors.Join(err, r.failed); err != nil {
		return false, err
	}
	if limit := r.Options.Games; limit > 0 {
		games = min(games, limit)
	}
	return r.trainer.Games() >= games, nil
}

// report receives an interval from the trainer, adds it to the metrics and passes it to observe.
func (r *Run) report(i learn.Interval) {
	if err := r.add(Wire(&i)); err != nil && r.failed == nil {
		r.failed = err
		r.cancel()
	}
	if r.observe != nil {
		r.observe(&i)
	}
}

// add writes a line of metrics.
func (r *Run) add(i *protocol.TrainingInterval) error {
	r.last = i
	text, err := jsonLine(i)
	if err == nil { // one call of Write: a process that is killed leaves complete lines
		_, err = r.metrics.Write(text)
	}
	return err
}

// Trainer returns the trainer, which holds the run's network, counts and history. Run.Close closes it.
func (r *Run) Trainer() *learn.Trainer { return r.trainer }

// Last returns the last interval of the metrics, or nil if there is none. During Train, only observe
// may call Last.
func (r *Run) Last() *protocol.TrainingInterval { return r.last }

// Close releases the run's memory and lock. It does not save; Train does.
func (r *Run) Close() {
	r.release()
	r.close()
}

// release releases everything but the run's lock.
func (r *Run) release() {
	if r.trainer != nil {
		r.trainer.Close()
		r.trainer.Network().Close()
	}
	if r.metrics != nil {
		_ = r.metrics.Close()
	}
}
