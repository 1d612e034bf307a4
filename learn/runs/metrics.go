package runs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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

// Damaged says which lines of a run's metrics were not intervals.
type Damaged struct {
	Path  string // path of the metrics
	Line  int    // number of the first damaged line
	Moved string // path of the file that the damaged lines were moved to
}

// openMetrics opens the run's metrics for appending. It removes the intervals that end after the given number of
// games, since training plays the games after the checkpoint again. It moves lines that are not intervals to another
// file in the run's folder.
func (r *Run) openMetrics(games uint64) error {
	path := r.file(MetricsFile)
	kept, err := readMetrics(path, games)
	if err != nil {
		return err
	}
	if len(kept.damaged) > 0 {
		aside, err := writeAside(path+".damaged-", kept.damaged)
		if err != nil {
			return fmt.Errorf("%s has damaged lines that cannot be moved aside: %w", path, err)
		}
		r.Damaged = &Damaged{path, kept.firstDamaged, aside}
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

// keptMetrics holds the lines of a run's metrics that openMetrics keeps, and the damaged lines.
type keptMetrics struct {
	lines        []protocol.TrainingInterval
	text         []byte // the kept lines
	damaged      []byte // the lines that are not intervals
	firstDamaged int    // number of the first damaged line
	unchanged    bool   // text equals the file
}

// readMetrics reads the intervals that end after at most the given number of games. A missing file
// has no intervals.
func readMetrics(path string, games uint64) (*keptMetrics, error) {
	data, err := inputfile.Read(path) // rejects a pipe, where os.ReadFile would wait for a writer
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, inputError(err)
	}
	k := new(keptMetrics)
	number := 0
	for text := range bytes.Lines(data) {
		number++
		var line protocol.TrainingInterval
		switch err := json.Unmarshal(text, &line); {
		case err != nil || line.Games == 0: // no interval ends after 0 games
			k.firstDamaged = cmp.Or(k.firstDamaged, number)
			k.damaged = append(k.damaged, text...)
		case line.Games <= games:
			k.lines = append(k.lines, line)
			k.text = append(append(k.text, bytes.TrimSuffix(text, []byte("\n"))...), '\n')
		}
	}
	k.unchanged = bytes.Equal(k.text, data)
	return k, nil
}

// writeAside writes data to a new file whose name is the prefix and the first free number, and returns its path.
func writeAside(prefix string, data []byte) (string, error) {
	for n := 1; ; n++ {
		path := prefix + strconv.Itoa(n)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil:
			return "", err
		}
		_, err = f.Write(data)
		return path, errors.Join(err, f.Sync(), f.Close())
	}
}

// Wire converts an interval to a line of metrics.
func Wire(i *learn.Interval) *protocol.TrainingInterval {
	timed := *i
	timed.Elapsed = max(timed.Elapsed, time.Microsecond) // may be 0 with a coarse clock
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
