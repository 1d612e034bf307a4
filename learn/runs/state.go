package runs

import (
	"math"

	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/protocol"
)

// States of a run.
const (
	Running  = "running"  // a process trains it
	Finished = "finished" // it has all its games
	Stopped  = "stopped"  // it can be resumed
)

// State returns what a run of this many games (0: no limit) is doing, and the number of games of its last checkpoint.
// Running is what the run's lock says, which the system releases when its process ends for any reason.
func (f Folder) State(name string, goal uint64) (state string, games uint64) {
	p := f.dir(name)
	games, _ = learn.CheckpointGames(p.Checkpoint()) // none before the first one
	switch {
	case filelock.Held(p.file(lockFile)):
		return Running, games
	case goal > 0 && games >= goal:
		return Finished, games
	}
	return Stopped, games
}

// Options returns the options of a run, without locking it.
func (f Folder) Options(name string) (Options, error) {
	if _, err := f.find(name, OptionsFile); err != nil {
		return Options{}, err
	}
	return f.dir(name).load()
}

// Intervals returns all metrics of a run. A run without an interval has none. Lines that are no
// intervals are left out.
func (f Folder) Intervals(name string) ([]protocol.TrainingInterval, error) {
	if _, err := f.find(name, OptionsFile); err != nil {
		return nil, err
	}
	kept, err := readMetrics(f.dir(name).file(MetricsFile), math.MaxUint64)
	if err != nil {
		return nil, err
	}
	return kept.lines, nil
}
