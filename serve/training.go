package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"afterstate/wire"
)

// A training run is a folder with metrics.jsonl, to which train adds a line an
// interval, and options.json; see the command train. They are read here, not held.

var runName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

const (
	metricsFile   = "metrics.jsonl"
	mostMetrics   = 8 << 20 // bytes of one answer
	mostIntervals = 4000    // of one answer; of more every n-th one is told
)

func (t *talk) listTraining(_ context.Context, params []byte) (any, error) {
	if err := wire.ReadNone(wire.MethodTrainingList, params); err != nil {
		return nil, err
	}
	list := wire.TrainingList{Runs: []wire.TrainingInfo{}}
	if t.server.o.Runs == "" {
		return list, nil
	}
	entries, err := os.ReadDir(t.server.o.Runs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		folder := filepath.Join(t.server.o.Runs, e.Name())
		info, err := os.Stat(filepath.Join(folder, metricsFile))
		if err != nil || !info.Mode().IsRegular() || !runName.MatchString(e.Name()) {
			continue
		}
		list.Runs = append(list.Runs, wire.TrainingInfo{
			Run: e.Name(), Network: networkOf(folder), Quiet: max(0, time.Since(info.ModTime()).Seconds()),
		})
	}
	slices.SortFunc(list.Runs, func(a, b wire.TrainingInfo) int { return cmp.Compare(a.Quiet, b.Quiet) })
	return list, nil
}

// networkOf is a few words about what a run trains, "" where it does not tell.
func networkOf(folder string) string {
	data, err := os.ReadFile(filepath.Join(folder, "options.json"))
	if err != nil {
		return ""
	}
	var o struct {
		Network struct {
			Size     string `json:"size"`
			Name     string `json:"name"`
			Patterns []any  `json:"patterns"`
		} `json:"network"`
	}
	if json.Unmarshal(data, &o) != nil || len(o.Network.Patterns) == 0 {
		return ""
	}
	name := o.Network.Name
	if name == "" {
		name = fmt.Sprintf("%d patterns", len(o.Network.Patterns))
	}
	return name + " on " + o.Network.Size
}

func (t *talk) showTraining(_ context.Context, params []byte) (any, error) {
	var p wire.ShowTraining
	if err := p.ReadParams(params); err != nil {
		return nil, err
	}
	if t.server.o.Runs == "" || !runName.MatchString(p.Run) {
		return nil, invalid(wire.MethodTrainingShow, "run", fmt.Errorf("no run is called %s", short(p.Run)))
	}
	f, err := os.Open(filepath.Join(t.server.o.Runs, p.Run, metricsFile))
	if err != nil {
		return nil, invalid(wire.MethodTrainingShow, "run", fmt.Errorf("no run is called %s", short(p.Run)))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, invalid(wire.MethodTrainingShow, "run", fmt.Errorf("%s has no metrics", short(p.Run)))
	}
	out := wire.Training{}
	if p.From > info.Size() { // --resume has cut it
		p.From, out.Restarted = 0, true
	}
	if _, err := f.Seek(p.From, io.SeekStart); err != nil {
		return nil, err
	}
	out.Intervals, out.Next = intervals(f, p.From)
	return out, nil
}

// intervals reads whole lines; one that is being written is left for later.
func intervals(f io.Reader, from int64) (lines []json.RawMessage, next int64) {
	lines = []json.RawMessage{}
	in := bufio.NewReader(io.LimitReader(f, mostMetrics))
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		from += int64(len(line))
		if line = bytes.TrimSpace(line); json.Valid(line) {
			lines = append(lines, line)
		}
	}
	if len(lines) > mostIntervals {
		every := (len(lines) + mostIntervals - 1) / mostIntervals
		var few []json.RawMessage
		for i := every - 1; i < len(lines); i += every {
			few = append(few, lines[i])
		}
		lines = few
	}
	return lines, from
}
