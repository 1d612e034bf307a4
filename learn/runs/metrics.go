package runs

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/afterstate2048/afterstate/internal/atomicfile"
	"github.com/afterstate2048/afterstate/internal/inputfile"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// openMetrics opens the run's metrics for appending. It removes the intervals that end after the given number of
// games, since training plays the games after the checkpoint again. Lines that are not intervals stay.
func (r *Run) openMetrics(games uint64) error {
	path := r.file(MetricsFile)
	kept, err := readMetrics(path, games)
	if err != nil {
		return err
	}
	if !kept.unchanged {
		if err := atomicfile.Write(path, kept.text, 0o666); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	r.metrics, r.Earlier = f, kept.lines
	if n := len(kept.lines); n > 0 {
		r.last = &kept.lines[n-1]
	}
	return nil
}

// keptMetrics holds the lines of a run's metrics that openMetrics keeps.
type keptMetrics struct {
	lines     []protocol.TrainingInterval
	text      []byte // text of the kept lines, including lines that are not intervals
	unchanged bool   // text equals the file
}

// readMetrics reads the intervals that end after at most the given number of games. A missing file
// has no intervals.
func readMetrics(path string, games uint64) (*keptMetrics, error) {
	data, err := inputfile.Read(path) // rejects a pipe, where os.ReadFile would wait for a writer
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, inputError(err)
	}
	k := new(keptMetrics)
	for text := range bytes.Lines(data) {
		var line protocol.TrainingInterval
		damaged := json.Unmarshal(text, &line) != nil || line.Games == 0 // an interval ends after at least one game
		if !damaged && line.Games <= games {
			k.lines = append(k.lines, line)
		}
		if damaged || line.Games <= games {
			k.text = append(append(k.text, bytes.TrimSuffix(text, []byte("\n"))...), '\n')
		}
	}
	k.unchanged = bytes.Equal(k.text, data)
	return k, nil
}

// Wire converts an interval to a line of metrics.
func Wire(i *learn.Interval) *protocol.TrainingInterval {
	timed := *i
	timed.Elapsed = max(timed.Elapsed, time.Microsecond) // a clock with low resolution may measure 0
	l := &protocol.TrainingInterval{
		Games: i.To, Moves: i.Moves, Reached: reached(&i.Fresh), RestartedGames: i.Restarted.Games,
		GamesPerS: timed.GamesPerSecond(), MovesPerS: timed.MovesPerSecond(), ElapsedS: i.Total.Seconds(),
	}
	if mean := i.Fresh.MeanScore(); i.Fresh.Games > 0 {
		l.MeanScore = &mean
	}
	if mean := i.Restarted.MeanScore(); i.Restarted.Games > 0 {
		l.RestartedMeanScore = &mean
	}
	for _, s := range i.Starts {
		l.Restarts = append(l.Restarts, protocol.TrainingRestarts{TileSum: s.TileSum, Games: s.Games, MeanScore: s.MeanScore(), Reached: reached(&s.Tally)})
	}
	return l
}

// reached returns the share of games that reached each tile, from the largest tile that all games
// reached to the largest that any game reached. It always includes 2048. Shares have six decimals.
func reached(t *learn.Tally) protocol.ByTile[json.Number] {
	const always = 11
	var all protocol.ByTile[json.Number]
	for e := 1; e < len(t.Largest); e++ {
		share, next := t.Reached(e), 0.0
		if e+1 < len(t.Largest) {
			next = t.Reached(e + 1)
		}
		if e != always && (share == 0 || next == 1) {
			continue
		}
		text := strconv.FormatFloat(math.Round(share*1e6)/1e6, 'g', -1, 64)
		all = append(all, protocol.TileValue[json.Number]{Tile: board.Tile(uint8(e)), Value: json.Number(text)})
	}
	return all
}
