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
	"slices"
	"sync"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/learn/runs/compare"
)

// Sweep is a sweep whose runs are in a folder. It is not for several goroutines at once.
type Sweep struct {
	Name    string
	Spec    *Spec
	Configs []*Config
	Folder  runs.Folder
	rungs   []uint64
}

// Config is a configuration: a choice of the options that differ.
type Config struct {
	Number int
	Values map[string]json.RawMessage
	Trials []*Trial // by seed, in the order of Spec.Seeds
	games  uint64   // that its trials have
	scores []float64
}

// Trial is a configuration with a seed: the run of this name.
type Trial struct {
	Name    string
	Options runs.Options
	counted uint64 // games that RunOptions.OnGames knows of
}

// New checks the options of all trials. Nothing is written. locate, if not nil, returns the path of the model that the option from names.
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
	if o.Games == 0 {
		return nil, runs.InputErrorf("games 0: must be the number of games of a trial")
	}
	s.rungs, err = spec.rungs(o.Games, o.ReportEvery)
	return s, err
}

// group is the name of a configuration.
func (s *Sweep) group(number int) string { return fmt.Sprintf("%s-%d", s.Name, number) }

// optionsOf returns the options of a configuration's trials, but for the seed.
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

// RunOptions are how a sweep is run. The zero value is valid.
type RunOptions struct {
	Workers int // trials that are trained at the same time, and threads of Play; 0: one
	// CheckpointEvery is the time between the checkpoints of runs that are begun; 0: that of the command train.
	CheckpointEvery learn.Duration
	// Train replaces the training in this process: it brings trials to a number of games. Package experiment/training has one for other machines.
	Train func(ctx context.Context, trials []*Trial, games uint64) error
	// Play measures the networks of the last rung in games of their own, unless Games is 0. Open is set.
	Play compare.PlayOptions
	// OnGames is called when games were trained, also those of an earlier call, by one goroutine at a time; see Planned.
	OnGames func(n int)
	// OnRung is called after each decision of Halving with the configurations that continue.
	OnRung func(games uint64, left []*Config)

	mutex sync.Mutex
}

// Planned is the number of games that all trials will have.
func (s *Sweep) Planned() (games uint64) {
	left, before := len(s.Configs), uint64(0)
	for _, rung := range s.rungs {
		games += uint64(left*len(s.Spec.Seeds)) * (rung - before)
		left, before = s.Spec.keep(left), rung
	}
	return games
}

// Run trains what has not been trained yet, and compares the configurations. It returns the context's error if that ends first; called again, also
// by another process, it continues.
func (s *Sweep) Run(ctx context.Context, o *RunOptions) (*Result, error) {
	train := o.Train
	if train == nil {
		train = func(ctx context.Context, trials []*Trial, games uint64) error {
			return workers.Each(ctx, max(1, o.Workers), len(trials), func(ctx context.Context, _, i int) error { return s.train(ctx, trials[i], games, o) })
		}
	}
	if o.Play.Games == 1 {
		return nil, runs.InputErrorf("play 1: must be 0, or 2 and more")
	}
	for _, c := range s.Configs { // before anything is trained
		for _, t := range c.Trials {
			t.Options.CheckpointEvery = cmp.Or(o.CheckpointEvery, t.Options.CheckpointEvery)
			if _, _, err := s.Begun(t); err != nil {
				return nil, err
			}
		}
	}
	left := s.Configs
	for i, games := range s.rungs {
		var trials []*Trial
		for _, c := range left {
			trials = append(trials, c.Trials...)
		}
		err := train(ctx, trials, games)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		for _, c := range left {
			if err := s.read(c, games); err != nil {
				return nil, err
			}
		}
		if i+1 < len(s.rungs) {
			if left = best(left, s.Spec.keep(len(left))); o.OnRung != nil {
				o.OnRung(games, left)
			}
		}
	}
	return s.result(ctx, o)
}

// best returns the configurations with the highest means, in the order of their numbers.
func best(all []*Config, n int) []*Config {
	sorted := slices.SortedStableFunc(slices.Values(all), byMean)
	return slices.SortedFunc(slices.Values(sorted[:n]), func(a, b *Config) int { return cmp.Compare(a.Number, b.Number) })
}

// byMean orders the highest mean first, and without one last.
func byMean(a, b *Config) int { return cmp.Compare(b.mean(), a.mean()) }

func (c *Config) mean() float64 {
	mean, _ := stats.Mean(c.scores)
	return mean
}

// read reads the scores of a configuration after a number of games: the mean score of the last interval of each run.
func (s *Sweep) read(c *Config, games uint64) error {
	c.games, c.scores = games, nil
	for _, t := range c.Trials {
		intervals, err := s.Folder.Intervals(t.Name)
		if err != nil {
			return err
		}
		score := math.NaN()
		for i := range intervals {
			if intervals[i].Games <= games && intervals[i].MeanScore != nil {
				score = *intervals[i].MeanScore
			}
		}
		c.scores = append(c.scores, score)
	}
	return nil
}

// Begun returns the number of games of a trial's checkpoint; ok is false if it was not begun. A run of the same name with other options is an error.
func (s *Sweep) Begun(t *Trial) (games uint64, ok bool, err error) {
	have, err := s.Folder.Options(t.Name)
	if missing := (*runs.NotFoundError)(nil); errors.As(err, &missing) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	want := t.Options
	if have.CheckpointEvery = want.CheckpointEvery; want.Anneal == 0 {
		have.Games = want.Games // it may be trained on
	}
	a, errA := json.Marshal(have)
	b, errB := json.Marshal(want)
	if err := errors.Join(errA, errB); err != nil {
		return 0, false, err
	}
	if !bytes.Equal(a, b) {
		group := func(o *runs.Options) *compare.Group { return &compare.Group{Runs: []*compare.Run{{Options: *o}}} }
		what := "other options"
		if names, values := compare.Differences([]*compare.Group{group(&have), group(&want)}); len(names) > 0 {
			what = fmt.Sprintf("%s %s, and the sweep %s", names[0], values[0][0], values[0][1])
		}
		return 0, false, runs.InputErrorf("run %s is of another sweep, with %s: choose another name", t.Name, what)
	}
	_, games = s.Folder.State(t.Name, want.Games)
	return games, true, nil
}

// open begins or resumes the run of a trial.
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

// Receive begins or opens the run of a trial that is trained elsewhere.
func (s *Sweep) Receive(t *Trial) (*runs.Received, error) {
	games, _, err := s.Begun(t)
	if err != nil {
		return nil, err
	}
	if have, err := s.Folder.Options(t.Name); games == 0 || err != nil || have.Games != t.Options.Games {
		run, err := s.open(t)
		if err != nil {
			return nil, err
		}
		_, err = run.TrainTo(context.Background(), 0, nil) // a process that was killed may have left none
		if run.Close(); err != nil {
			return nil, err
		}
	}
	return s.Folder.Receive(t.Name)
}

// Count calls RunOptions.OnGames with the games that a trial gained since the last call.
func (o *RunOptions) Count(t *Trial, games uint64) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.OnGames != nil && games > t.counted {
		o.OnGames(int(games - t.counted))
		t.counted = games
	}
}

// train brings a trial to a number of games.
func (s *Sweep) train(ctx context.Context, t *Trial, games uint64, o *RunOptions) error {
	have, _, err := s.Begun(t)
	if o.Count(t, min(have, games)); err != nil || have >= games {
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
