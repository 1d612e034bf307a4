package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"afterstate/board"
	"afterstate/learn"
	"afterstate/wire"
)

// metrics is the file of a run's intervals.
type metrics struct{ file *os.File }

// openMetrics opens a run's metrics and cuts off what came after so many games, since
// training repeats it. The intervals that stay are returned.
func (r *trainRun) openMetrics(games uint64) (*metrics, []wire.TrainingInterval, error) {
	f, err := os.OpenFile(r.file("metrics.jsonl"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	var (
		lines []wire.TrainingInterval
		end   int64
	)
	for in := bufio.NewReader(f); ; {
		text, err := in.ReadString('\n')
		var line wire.TrainingInterval
		if err != nil || json.Unmarshal([]byte(text), &line) != nil || line.Games > games {
			break
		}
		lines = append(lines, line)
		end += int64(len(text))
	}
	err = f.Truncate(end)
	if err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return &metrics{f}, lines, nil
}

// add writes a line at once, so that a process that is killed leaves whole lines.
func (m *metrics) add(line *wire.TrainingInterval) error {
	var text strings.Builder
	if err := writeJSON(&text, line); err != nil {
		return err
	}
	_, err := m.file.WriteString(text.String())
	return err
}

// lineOf is an interval as the metrics have it.
func lineOf(i *learn.Interval) *wire.TrainingInterval {
	timed := *i
	timed.Elapsed = max(timed.Elapsed, time.Microsecond) // clocks can be coarse
	l := &wire.TrainingInterval{
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
		l.Restarts = append(l.Restarts, wire.TrainingRestarts{TileSum: s.TileSum, Games: s.Games, MeanScore: s.MeanScore(), Reached: reached(&s.Tally)})
	}
	return l
}

// reached is which share of games reached which tile, from the largest one that
// all of them did to the largest of all, and always 2048. Shares have six decimals.
func reached(t *learn.Tally) wire.ByTile[json.Number] {
	const always = 11
	var all wire.ByTile[json.Number]
	for e := 1; e < len(t.Largest); e++ {
		share, next := t.Reached(e), 0.0
		if e+1 < len(t.Largest) {
			next = t.Reached(e + 1)
		}
		if e != always && (share == 0 || next == 1) {
			continue
		}
		text := strconv.FormatFloat(math.Round(share*1e6)/1e6, 'g', -1, 64)
		all = append(all, wire.TileValue[json.Number]{Tile: board.Tile(uint8(e)), Value: json.Number(text)})
	}
	return all
}
