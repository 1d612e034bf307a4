package runs

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"time"

	"github.com/afterstate2048/afterstate/internal/filelock"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/internal/xdg"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/protocol"
)

// Info describes one run in the result of List.
type Info struct {
	protocol.TrainingInfo
	Updated time.Time `json:"updated"` // when the metrics were last written
}

// List returns the runs that have metrics, most recently updated first. It holds no locks and reads
// nothing outside the folder. A folder that does not exist has no runs.
func (f Folder) List() ([]Info, error) {
	if f.Path == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var runs []Info
	for _, e := range entries {
		info, err := os.Stat(f.dir(e.Name()).file(MetricsFile))
		if err != nil || !info.Mode().IsRegular() || !xdg.ValidName(e.Name()) {
			continue
		}
		runs = append(runs, f.entry(e.Name(), info.ModTime()))
	}
	slices.SortStableFunc(runs, func(a, b Info) int { return cmp.Compare(b.Updated.UnixNano(), a.Updated.UnixNano()) })
	return runs, nil
}

// entry returns the Info of a run.
func (f Folder) entry(name string, updated time.Time) Info {
	i := Info{protocol.TrainingInfo{Run: name, IdleS: max(0, time.Since(updated).Seconds()), Options: []Setting{}}, updated}
	o, err := f.Options(name)
	if err == nil {
		i.Network, i.Options = o.words(), o.Settings()
	}
	if o.Games > 0 {
		i.GoalGames = &o.Games
	}
	i.State, i.Games = f.State(name, o.Games)
	return i
}

// words describes the network of a run.
func (o *Options) words() string {
	name := cmp.Or(o.Layout.Name, fmt.Sprintf("%d patterns", len(o.Layout.Patterns)))
	return name + " on " + o.Layout.Size.String()
}

// maxMetrics is the maximum number of bytes that one call of Metrics reads.
const maxMetrics = 8 << 20

// Metrics reads at most 8 MiB of a run's metrics from a byte offset, while another process may write
// them. To follow a run, call Metrics first with from 0, then with the last result's Next. Each
// interval is the JSON of a [protocol.TrainingInterval]. If the run was resumed and its metrics are
// now shorter than from, Metrics reads them from the start and sets Restarted.
func (f Folder) Metrics(name string, from int64) (t protocol.Training, err error) {
	path, err := f.find(name, MetricsFile)
	if err != nil {
		return t, err
	}
	file, err := inputfile.Open(path) // rejects a pipe, where os.Open would wait for a writer
	if err != nil {
		return t, InputErrorf("%s has no metrics: %w", name, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return t, err
	}
	if from > info.Size() {
		from, t.Restarted = 0, true
	}
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return t, err
	}
	t.Intervals, t.Next = intervals(file, from)
	return t, nil
}

// intervals reads complete lines that are intervals. It does not consume an incomplete last line, because another
// process may still be writing it.
func intervals(f io.Reader, from int64) (lines []json.RawMessage, next int64) {
	lines = []json.RawMessage{}
	in := bufio.NewReader(io.LimitReader(f, maxMetrics))
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return lines, from
		}
		from += int64(len(line))
		var i struct{ Games uint64 }
		if line = bytes.TrimSpace(line); json.Unmarshal(line, &i) == nil && i.Games > 0 {
			lines = append(lines, line)
		}
	}
}

// States of a run.
const (
	Running  = "running"  // a process is training the run
	Finished = "finished" // all games have been played
	Stopped  = "stopped"  // no process is training the run, and games are left to play
)

// State returns the state of a run and the number of games in its last checkpoint. limit is the run's total
// number of games; 0 means no limit. A run is Running while its lock is held. The system releases the lock
// when the process ends for any reason.
func (f Folder) State(name string, limit uint64) (state string, games uint64) {
	p := f.dir(name)
	c, _ := learn.ReadCheckpoint(p.Checkpoint()) // 0 games if there is no checkpoint yet
	switch {
	case filelock.Held(p.file(lockFile)):
		return Running, c.Games
	case limit > 0 && c.Games >= limit:
		return Finished, c.Games
	}
	return Stopped, c.Games
}

// Options returns the options of a run, without locking it.
func (f Folder) Options(name string) (Options, error) {
	if _, err := f.find(name, OptionsFile); err != nil {
		return Options{}, err
	}
	return f.dir(name).load()
}

// Intervals returns all intervals in the metrics of a run. It skips lines that are not intervals.
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
