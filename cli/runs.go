package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"afterstate/internal/atomicfile"
	"afterstate/internal/filelock"
	"afterstate/ntuple"
)

// A training run is a folder <data>/runs/<id> with
//
//	options.json      how it was begun, all that going on needs
//	checkpoint.model  network and trainer, replaced now and then
//	metrics.jsonl     a line an interval
//	lock              held while a process trains
type trainRun struct {
	id, folder string
	lock       *filelock.Lock
	made       bool // the folder was made by this process
}

var runName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// runsFolder is where runs live.
func runsFolder() (string, error) {
	data, err := dataFolder("runs")
	return filepath.Join(data, "runs"), err
}

// dataFolder is where the XDG Base Directory Specification wants a program's data.
func dataFolder(what string) (string, error) {
	base := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(base) { // the specification says to ignore it then
		home, err := os.UserHomeDir()
		if err != nil {
			return "", usagef("no place for %s: %w; set XDG_DATA_HOME to a folder", what, err)
		}
		base = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(base, "afterstate"), nil
}

func checkRunName(id string) error {
	if !runName.MatchString(id) {
		return usagef("run %q: want letters, digits, '.', '_' and '-', a letter or digit first", id)
	}
	return nil
}

// createRun makes a new run's folder: id, or if that is empty the next free number
// after a stem.
func createRun(runs, id, stem string) (*trainRun, error) {
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return nil, usagef("%s cannot be made: %w", runs, rootCause(err))
	}
	for number := 1; ; number++ {
		name := id
		if id == "" {
			name = fmt.Sprintf("%s-%d", stem, number)
		}
		err := os.Mkdir(filepath.Join(runs, name), 0o755)
		switch {
		case err == nil:
			r, err := lockRun(runs, name)
			if err != nil {
				return nil, err
			}
			r.made = true
			return r, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, usagef("%s cannot be made: %w", filepath.Join(runs, name), rootCause(err))
		case id != "":
			return adoptRun(runs, id)
		}
	}
}

// adoptRun takes a folder that is there already for a new run, if it holds nothing but
// what a process leaves that was killed before its run began.
func adoptRun(runs, id string) (*trainRun, error) {
	folder := filepath.Join(runs, id)
	if _, err := os.Lstat(filepath.Join(folder, optionsFile)); err == nil {
		return nil, usagef("there is a run %s already: go on with it by --resume %s, or choose another --name", id, id)
	}
	if err := onlyLeftovers(folder, id); err != nil {
		return nil, err // before the lock is made: it would be one file more
	}
	r, err := lockRun(runs, id)
	if err != nil {
		return nil, err
	}
	if err := onlyLeftovers(folder, id); err != nil { // another process may have been faster
		r.close()
		return nil, err
	}
	return r, nil
}

// onlyLeftovers refuses a folder with files that training would overwrite or mix with its own.
func onlyLeftovers(folder, id string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return usagef("%s cannot be used for run %s: %w", folder, id, rootCause(err))
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || e.Name() != lockName && !atomicfile.IsTemporary(e.Name()) {
			return usagef("%s is there already and no training run began it: choose another --name, or move it away", filepath.Join(folder, e.Name()))
		}
	}
	return nil
}

// openRun takes up a run that was begun earlier.
func openRun(runs, id string) (*trainRun, error) {
	if err := checkRunName(id); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(runs, id, optionsFile)); err != nil {
		return nil, usagef("no run is called %s in %s%s", id, runs, otherRuns(runs, id))
	}
	return lockRun(runs, id)
}

// otherRuns names the runs that there are.
func otherRuns(runs, id string) string {
	entries, _ := os.ReadDir(runs)
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return ": there are none"
	}
	return ": " + suggest(id, names)
}

func lockRun(runs, id string) (*trainRun, error) {
	r := &trainRun{id: id, folder: filepath.Join(runs, id)}
	var err error
	switch r.lock, err = filelock.Acquire(r.file(lockName)); {
	case errors.Is(err, filelock.ErrLocked):
		return nil, usagef("run %s is being trained by another process: wait for it, or stop it with Ctrl-C", id)
	case err != nil:
		return nil, usagef("%s cannot be locked: %w", r.file(lockName), rootCause(err))
	}
	return r, nil
}

func (r *trainRun) file(name string) string { return filepath.Join(r.folder, name) }

func (r *trainRun) checkpoint() string { return r.file("checkpoint.model") }

// begun tells whether there is a checkpoint to go on from.
func (r *trainRun) begun() bool {
	_, err := os.Stat(r.checkpoint())
	return err == nil
}

func (r *trainRun) close() { _ = r.lock.Close() }

// forget removes what this process made of a run that could not begin. Its files were not
// there before (see adoptRun); a folder that was stays, with its lock.
func (r *trainRun) forget() {
	_ = os.Remove(r.checkpoint())
	_ = os.Remove(r.file(optionsFile))
	if !r.made {
		r.close()
		return
	}
	_ = r.lock.Remove()
	_ = os.Remove(r.folder) // fails if someone put a file there meanwhile
}

const (
	optionsFile = "options.json"
	lockName    = "lock"
)

// runOptions are what a run was begun with.
type runOptions struct {
	Network         ntuple.Layout `json:"network"`
	Optimistic      float64       `json:"optimistic_points,omitempty"`
	Hopes           []float32     `json:"hopes_points,omitempty"`
	From            string        `json:"from,omitempty"`
	Coherent        bool          `json:"coherent"`
	Rate            float64       `json:"rate,omitempty"`
	Seed            uint64        `json:"seed"`
	Threads         int           `json:"threads"`
	Alone           uint64        `json:"alone_games,omitempty"`
	Lambda          float64       `json:"lambda,omitempty"`
	Horizon         int           `json:"horizon_moves,omitempty"`
	Restart         float64       `json:"restart_share,omitempty"`
	RestartTile     int64         `json:"restart_tile,omitempty"`
	Downgrade       int64         `json:"downgrade_tile,omitempty"`
	Games           uint64        `json:"games"`
	Every           uint64        `json:"every_games"`
	CheckpointEvery float64       `json:"checkpoint_every_s"`
}

func (o *runOptions) checkpointEvery() time.Duration {
	return time.Duration(o.CheckpointEvery * float64(time.Second))
}

// saveOptions writes the run's options.
func (r *trainRun) saveOptions(o *runOptions) error {
	file, err := newOutput(r.file(optionsFile))
	if err != nil {
		return err
	}
	defer file.discard()
	return file.commit(func(w io.Writer) error { return writeJSON(w, o) })
}

func (r *trainRun) loadOptions() (*runOptions, error) {
	data, err := os.ReadFile(r.file(optionsFile))
	if err != nil {
		return nil, usagef("%s cannot be read: %w", r.file(optionsFile), rootCause(err))
	}
	o := new(runOptions)
	if err := json.Unmarshal(data, o); err != nil {
		return nil, usagef("%s: no options of a run: %w", r.file(optionsFile), err)
	}
	return o, nil
}
