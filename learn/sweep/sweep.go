package sweep

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"sync"

	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
)

// Sweep is a sweep whose runs are in Folder. It is not safe for concurrent use.
type Sweep struct {
	Name    string
	Spec    *Spec
	Configs []*Config
	Folder  runs.Folder
	games   uint64 // of each trial
}

// Config is a configuration: one value for each option in Spec.Options.
type Config struct {
	Number int
	Values map[string]json.RawMessage
	Trials []*Trial  // in the order of Spec.Seeds
	scores []float64 // score of each trial; set by read
}

// Trial is a configuration with a seed.
type Trial struct {
	Name    string // name of the run
	Options runs.Options
	counted uint64 // number of games reported to RunOptions.OnGames
}

// New returns a sweep after checking the options of all trials. It writes nothing. locate, if not nil,
// returns the path of the model that the option "from" names.
func New(name string, folder runs.Folder, spec *Spec, locate func(model string) (string, error)) (*Sweep, error) {
	values, err := spec.configurations()
	if err != nil {
		return nil, err
	}
	s := &Sweep{Name: name, Spec: spec, Folder: folder}
	if err := runs.CheckName(compare.SeedName(s.group(len(values)), math.MaxUint64)); err != nil {
		return nil, err
	}
	for i, v := range values {
		o, err := s.optionsOf(v, locate)
		if err != nil {
			return nil, err
		}
		c := &Config{Number: i + 1, Values: v}
		for _, seed := range spec.Seeds {
			t := &Trial{Name: compare.SeedName(s.group(c.Number), seed), Options: *o}
			t.Options.Seed = seed
			c.Trials = append(c.Trials, t)
		}
		s.Configs = append(s.Configs, c)
	}
	o := &s.Configs[0].Trials[0].Options
	if s.games = o.Games; o.Games < o.ReportEvery { // a trial is ranked by its last full interval
		return nil, runs.InputErrorf("games %d: must be at least report_every, %d", o.Games, o.ReportEvery)
	}
	return s, nil
}

// group returns the name of a configuration, which is also the name of its group of runs. It is the name of the sweep
// if no options differ.
func (s *Sweep) group(number int) string {
	if len(s.Spec.Options) == 0 {
		return s.Name
	}
	return fmt.Sprintf("%s-%d", s.Name, number)
}

// optionsOf returns the options of a configuration's trials, without the seed.
func (s *Sweep) optionsOf(values map[string]json.RawMessage, locate func(string) (string, error)) (*runs.Options, error) {
	all := maps.Clone(s.Spec.fixed)
	maps.Copy(all, values)
	var from string
	if json.Unmarshal(all["from"], &from) == nil && from != "" && locate != nil {
		path, err := locate(from)
		if err == nil && path != from {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			return nil, &runs.InputError{Err: err}
		}
		all["from"], _ = json.Marshal(path)
	}
	given, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	defaults := runs.Options{Options: learn.Defaults}
	defaults.Threads = 1
	o, source, err := runs.Prepare(given, defaults, s.Folder.Source)
	source.Close()
	return o, err
}

// RunOptions configures Sweep.Run. The zero value is valid.
type RunOptions struct {
	Workers int // number of trials trained in parallel, and number of threads for Play; 0 means one
	// CheckpointEvery is the time between checkpoints; 0 means the default of the command "train".
	CheckpointEvery learn.Duration
	// Train, if not nil, replaces the training in this process. It must train each trial to the given
	// number of games. Package experiment/training has an implementation for other machines.
	Train func(ctx context.Context, trials []*Trial, games uint64) error
	// Play configures separate games that measure the networks. If Play.Games is 0, Run
	// plays no such games. Run sets Play.Open and Play.Threads.
	Play compare.PlayOptions
	// OnGames, if not nil, is called with the number of newly trained games, by one goroutine at a time.
	// It is also called for games that an earlier Run trained, so the numbers add up to Planned.
	OnGames func(n int)

	mutex sync.Mutex
}

// Planned returns the number of games that all trials together will have.
func (s *Sweep) Planned() uint64 { return uint64(len(s.Configs)*len(s.Spec.Seeds)) * s.games }

// Run trains all trials, resumes those that have a run already, and compares the configurations. It
// returns ctx.Err() if ctx ends first. A later call, even in another process, continues the runs.
func (s *Sweep) Run(ctx context.Context, o *RunOptions) (*Result, error) {
	train := o.Train
	if train == nil {
		train = func(ctx context.Context, trials []*Trial, games uint64) error {
			return workers.Each(ctx, max(1, o.Workers), len(trials), func(ctx context.Context, _, i int) error { return s.train(ctx, trials[i], games, o) })
		}
	}
	if o.Play.Games == 1 {
		return nil, runs.InputErrorf("play 1: must be 0, or 2 or more")
	}
	var trials []*Trial
	for _, c := range s.Configs { // report conflicts before any training
		trials = append(trials, c.Trials...)
		for _, t := range c.Trials {
			t.Options.CheckpointEvery = cmp.Or(o.CheckpointEvery, t.Options.CheckpointEvery)
			if _, _, err := s.Begun(t); err != nil {
				return nil, err
			}
		}
	}
	err := train(ctx, trials, s.games)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	for _, c := range s.Configs {
		if err := s.read(c); err != nil {
			return nil, err
		}
	}
	return s.result(ctx, o)
}

// read sets a configuration's scores to the mean score of each run's last interval that ended within the
// number of games of the sweep.
func (s *Sweep) read(c *Config) error {
	c.scores = nil
	for _, t := range c.Trials {
		intervals, err := s.Folder.Intervals(t.Name)
		if err != nil {
			return err
		}
		score := math.NaN()
		for i := range intervals {
			if intervals[i].Games <= s.games && intervals[i].MeanScore != nil {
				score = *intervals[i].MeanScore
			}
		}
		c.scores = append(c.scores, score)
	}
	return nil
}

// Begun returns the number of games in a trial's checkpoint; ok is false if the trial has no run yet. It
// returns an error if a run of the same name has other options.
func (s *Sweep) Begun(t *Trial) (games uint64, ok bool, err error) {
	existing, err := s.Folder.Options(t.Name)
	if missing := (*runs.NotFoundError)(nil); errors.As(err, &missing) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	want := t.Options
	if existing.CheckpointEvery = want.CheckpointEvery; want.Anneal == 0 {
		existing.Games = want.Games // without annealing, a sweep may continue a run to another number of games
	}
	a, errA := json.Marshal(existing)
	b, errB := json.Marshal(want)
	if err := errors.Join(errA, errB); err != nil {
		return 0, false, err
	}
	if !bytes.Equal(a, b) {
		group := func(o *runs.Options) *compare.Group { return &compare.Group{Runs: []*compare.Run{{Options: *o}}} }
		difference := "other options"
		if names, values := compare.Differences([]*compare.Group{group(&existing), group(&want)}); len(names) > 0 {
			difference = fmt.Sprintf("%s %s in place of %s", names[0], values[0][0], values[0][1])
		}
		return 0, false, runs.InputErrorf("run %s already exists, with %s: choose another name for the sweep", t.Name, difference)
	}
	_, games = s.Folder.State(t.Name, want.Games)
	return games, true, nil
}

// open creates or resumes the trial's run.
func (s *Sweep) open(t *Trial) (*runs.Run, error) {
	_, begun, err := s.Begun(t)
	switch {
	case err != nil:
		return nil, err
	case begun:
		return s.Folder.Resume(t.Name, learn.Change{"games": t.Options.Games, "checkpoint_every": t.Options.CheckpointEvery})
	}
	return s.Folder.Begin(t.Name, t.Options, nil)
}

// Receive opens the run of a trial that another machine trains, and creates it if necessary.
func (s *Sweep) Receive(t *Trial) (*runs.Received, error) {
	games, _, err := s.Begun(t)
	if err != nil {
		return nil, err
	}
	if existing, err := s.Folder.Options(t.Name); games == 0 || err != nil || existing.Games != t.Options.Games {
		run, err := s.open(t)
		if err != nil {
			return nil, err
		}
		_, err = run.TrainTo(context.Background(), 0, nil) // writes a checkpoint: a killed process may have left none
		if run.Close(); err != nil {
			return nil, err
		}
	}
	return s.Folder.Receive(t.Name)
}

// Count calls RunOptions.OnGames with the number of games that a trial gained since the last call.
func (o *RunOptions) Count(t *Trial, games uint64) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.OnGames != nil && games > t.counted {
		o.OnGames(int(games - t.counted))
		t.counted = games
	}
}

// train trains a trial until it has the given number of games.
func (s *Sweep) train(ctx context.Context, t *Trial, games uint64, o *RunOptions) error {
	played, _, err := s.Begun(t)
	if o.Count(t, min(played, games)); err != nil || played >= games {
		return err
	}
	run, err := s.open(t)
	if err != nil {
		return err
	}
	defer run.Close()
	_, err = run.TrainTo(ctx, games, func(i *learn.Interval) { o.Count(t, i.To) })
	o.Count(t, run.Trainer().Games())
	return err
}
