package runs

import (
	"math"
	"os"
	"path/filepath"

	"afterstate/internal/filelock"
	"afterstate/internal/names"
	"afterstate/learn"
	"afterstate/wire"
)

// States of a run.
const (
	Running  = "running"  // a process trains it
	Finished = "finished" // it has all its games
	Stopped  = "stopped"  // it can be resumed
)

// State returns what a run is doing, and the number of games of its last checkpoint. Running is
// what the run's lock says, which the system releases when its process ends for any reason.
func (f Folder) State(name string) (state string, games uint64, err error) {
	o, err := f.Options(name)
	if err != nil {
		return "", 0, err
	}
	state, games = stateOf(filepath.Join(f.Path, name), o.Games)
	return state, games, nil
}

// stateOf is State for a run's folder and the games that it is to play; 0: no limit.
func stateOf(folder string, goal uint64) (state string, games uint64) {
	games, _ = learn.CheckpointGames(filepath.Join(folder, CheckpointFile)) // none before the first one
	switch {
	case filelock.Held(filepath.Join(folder, lockFile)):
		return Running, games
	case goal > 0 && games >= goal:
		return Finished, games
	}
	return Stopped, games
}

// Options returns the options of a run, without locking it.
func (f Folder) Options(name string) (Options, error) {
	if f.Path == "" || !names.Valid(name) {
		return Options{}, f.notFound(name)
	}
	p := runDir{name: name, folder: filepath.Join(f.Path, name)}
	if _, err := os.Stat(p.file(OptionsFile)); err != nil {
		return Options{}, f.notFound(name)
	}
	return p.load()
}

// Intervals returns all metrics of a run. A run without an interval has none. Lines that are no
// intervals are left out.
func (f Folder) Intervals(name string) ([]wire.TrainingInterval, error) {
	if _, err := f.Options(name); err != nil {
		return nil, err
	}
	path, err := f.metricsPath(name)
	if err != nil {
		return nil, err
	}
	kept, err := readMetrics(path, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	return kept.lines, nil
}
