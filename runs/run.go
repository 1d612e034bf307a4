package runs

import (
	"context"
	"errors"

	"afterstate/learn"
	"afterstate/wire"
)

// Run is a run that this process trains. Close it: until then no other process can train it.
type Run struct {
	Name    string
	Path    string // of its folder
	Options Options

	// Earlier are the intervals of the metrics when the run was resumed.
	Earlier []wire.TrainingInterval
	// Damaged says what was wrong with the metrics when the run was resumed; nil: nothing.
	Damaged *Damaged

	place   *place
	trainer *learn.Trainer
	metrics *metrics
	last    *wire.TrainingInterval // of the last interval
	failed  error                  // to write an interval
	observe func(*learn.Interval)
	cancel  context.CancelFunc
}

// Begin makes a new run with its first checkpoint. Without a name it is called by its network
// and the next free number: 4x6-1. The source is the model that o.From names, if the caller
// has opened it already; nil: Begin opens it itself. The caller closes it, and can do nothing
// else with it, since Begin may take its memory.
//
// If it fails it leaves nothing behind.
func (f Folder) Begin(name string, o Options, source *Source) (*Run, error) {
	if name != "" {
		if err := CheckName(name); err != nil {
			return nil, err
		}
	}
	if source == nil && o.From != "" {
		opened, err := f.source(o.From)
		if err != nil {
			return nil, err
		}
		defer func() { opened.Close() }()
		source = opened
	}
	o.fill()
	if err := o.check(source); err != nil {
		return nil, err
	}
	if err := f.checkSpace(&o, false); err != nil {
		return nil, err
	}
	p, err := f.create(name, o.Stem())
	if err != nil {
		return nil, err
	}
	r := newRun(p, o)
	if err = p.save(&o); err == nil {
		err = r.start(source)
	}
	if err == nil {
		err = r.trainer.Save() // so that whatever happens, there is something to go on from
	}
	if err == nil {
		err = r.openMetrics()
	}
	if err != nil {
		r.release()
		p.forget()
		return nil, err
	}
	return r, nil
}

func newRun(p *place, o Options) *Run {
	return &Run{Name: p.name, Path: p.folder, Options: o, place: p}
}

// start makes the trainer of a new run. A source must be open if Options.From names one.
func (r *Run) start(source *Source) error {
	network, err := r.Options.network(source)
	if err != nil {
		return err
	}
	o := r.trainerOptions()
	o.Network, o.Seed, o.Alone, o.Settled = network, r.Options.Seed, r.Options.Alone, r.Options.Settled
	r.Options.recipe(&o)
	if source != nil {
		o.History = source.History
	}
	trainer, err := learn.New(o)
	if err != nil {
		network.Close()
		return inputError(err)
	}
	r.trainer = trainer
	return nil
}

// trainerOptions are those that a trainer takes whether it begins or goes on.
func (r *Run) trainerOptions() learn.Options {
	return learn.Options{
		Games: r.Options.Games, Threads: r.Options.Threads, Every: r.Options.Every, Report: r.report,
		Checkpoint: r.place.checkpoint(), CheckpointEvery: r.Options.checkpointEvery(),
	}
}

// Resume takes up a run where its last checkpoint is. What changes is kept in its options.
// A run that has all its games is resumed too: its Train has nothing to do.
func (f Folder) Resume(name string, c Change) (*Run, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	p, err := f.open(name)
	if err != nil {
		return nil, err
	}
	r := newRun(p, Options{})
	if err := r.resume(f, &c); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Run) resume(f Folder, c *Change) (err error) {
	if r.Options, err = r.place.load(); err != nil {
		return err
	}
	if err := c.Apply(&r.Options); err != nil {
		return err
	}
	if err := f.checkSpace(&r.Options, true); err != nil {
		return err
	}
	if err := r.reopen(f); err != nil {
		return err
	}
	games := r.trainer.Games()
	if goal := r.Options.Games; c.Games != nil && goal > 0 && games > goal {
		return optionErrorf("games", goal, "run %s has played %d already, want more", r.Name, games)
	}
	if err := r.place.save(&r.Options); err != nil {
		return err
	}
	return r.openMetrics()
}

// reopen makes the trainer of a run from its checkpoint. A run that was killed before it had
// one begins anew: it has lost nothing.
func (r *Run) reopen(f Folder) (err error) {
	if r.place.begun() {
		r.trainer, err = learn.Resume(r.place.checkpoint(), r.trainerOptions(), r.Options.recipe)
		return inputError(err)
	}
	if r.Options.From == "" {
		return r.start(nil)
	}
	source, err := f.source(r.Options.From)
	if err != nil {
		return err
	}
	defer func() { source.Close() }()
	return r.start(source)
}

// Train trains until all games are played or ctx ends, and keeps checkpoints and metrics on
// the way; finished is false if ctx ended first. Observe, if not nil, is called after each
// interval, by one goroutine at a time. The trainer waits for it; of the trainer it may ask
// for Games alone.
func (r *Run) Train(ctx context.Context, observe func(*learn.Interval)) (finished bool, err error) {
	ctx, r.cancel = context.WithCancel(ctx)
	defer r.cancel()
	r.observe = observe
	err = r.trainer.Run(ctx)
	if err = errors.Join(err, r.failed); err != nil {
		return false, err
	}
	return r.Options.Games > 0 && r.trainer.Games() >= r.Options.Games, nil
}

// report takes an interval from the trainer.
func (r *Run) report(i learn.Interval) {
	r.last = intervalLine(&i)
	if err := r.metrics.add(r.last); err != nil && r.failed == nil {
		r.failed = err
		r.cancel()
	}
	if r.observe != nil {
		r.observe(&i)
	}
}

// Trainer has the run's network, counts and history. It is the run's to close.
func (r *Run) Trainer() *learn.Trainer { return r.trainer }

// Last is the metrics' last interval, nil if there is none yet. Do not call it during Train.
func (r *Run) Last() *wire.TrainingInterval { return r.last }

// Checkpoint is the path of the run's network.
func (r *Run) Checkpoint() string { return r.place.checkpoint() }

// Close gives the run's memory back and lets other processes train it. It saves nothing:
// Train has.
func (r *Run) Close() {
	r.release()
	r.place.close()
}

// release gives back everything but the run's lock.
func (r *Run) release() {
	if r.trainer != nil {
		r.trainer.Close()
		r.trainer.Network().Close()
	}
	if r.metrics != nil {
		_ = r.metrics.file.Close()
	}
}
