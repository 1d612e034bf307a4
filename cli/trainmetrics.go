package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"afterstate/board"
	"afterstate/learn"
)

// metrics is the file of a run's intervals.
type metrics struct{ file *os.File }

// metricsLine is an interval.
type metricsLine struct {
	Games              uint64          `json:"games"` // in all
	Moves              uint64          `json:"moves"` // in all
	MeanScore          *float64        `json:"mean_score"`
	Reached            json.RawMessage `json:"reached"`
	RestartedGames     uint64          `json:"restarted_games,omitempty"`
	RestartedMeanScore *float64        `json:"restarted_mean_score,omitempty"`
	Restarts           []restartsLine  `json:"restarts,omitempty"`
	GamesPerS          float64         `json:"games_per_s"`
	MovesPerS          float64         `json:"moves_per_s"`
	ElapsedS           float64         `json:"elapsed_s"` // in all
}

// restartsLine is the games of an interval that started at one milestone.
type restartsLine struct {
	TileSum   uint64          `json:"tile_sum"`
	Games     uint64          `json:"games"`
	MeanScore float64         `json:"mean_score"`
	Reached   json.RawMessage `json:"reached"`
}

// openMetrics opens a run's metrics and cuts off what came after so many games, since
// training repeats it. The intervals that stay are returned.
func (r *trainRun) openMetrics(games uint64) (*metrics, []metricsLine, error) {
	f, err := os.OpenFile(r.file("metrics.jsonl"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	var (
		lines []metricsLine
		end   int64
	)
	for in := bufio.NewReader(f); ; {
		text, err := in.ReadString('\n')
		var line metricsLine
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
func (m *metrics) add(line *metricsLine) error {
	var text strings.Builder
	if err := writeJSON(&text, line); err != nil {
		return err
	}
	_, err := m.file.WriteString(text.String())
	return err
}

// lineOf is an interval as the metrics have it.
func lineOf(i *learn.Interval) *metricsLine {
	timed := *i
	timed.Elapsed = max(timed.Elapsed, time.Microsecond) // clocks can be coarse
	l := &metricsLine{
		Games: i.To, Moves: i.Moves, Reached: reachedJSON(&i.Fresh), RestartedGames: i.Restarted.Games,
		GamesPerS: timed.GamesPerSecond(), MovesPerS: timed.MovesPerSecond(), ElapsedS: i.Total.Seconds(),
	}
	if mean := i.Fresh.MeanScore(); i.Fresh.Games > 0 {
		l.MeanScore = &mean
	}
	if mean := i.Restarted.MeanScore(); i.Restarted.Games > 0 {
		l.RestartedMeanScore = &mean
	}
	for _, s := range i.Starts {
		l.Restarts = append(l.Restarts, restartsLine{s.TileSum, s.Games, s.MeanScore(), reachedJSON(&s.Tally)})
	}
	return l
}

// reachedJSON is which share of games reached which tile, from the largest one that
// all of them did to the largest of all, and always 2048.
func reachedJSON(t *learn.Tally) json.RawMessage {
	const always = 11
	var text bytes.Buffer
	for e := 1; e < len(t.Largest); e++ {
		share, next := t.Reached(e), 0.0
		if e+1 < len(t.Largest) {
			next = t.Reached(e + 1)
		}
		if e != always && (share == 0 || next == 1) {
			continue
		}
		if text.Len() > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `"%d":%s`, board.Tile(uint8(e)), strconv.FormatFloat(math.Round(share*1e6)/1e6, 'g', -1, 64))
	}
	return fmt.Appendf(nil, "{%s}", &text)
}
