package train

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/learn"
	"github.com/afterstate2048/afterstate/protocol"
)

// view shows the progress of training: a block that is redrawn on a terminal, plain lines
// elsewhere.
type view struct {
	output.Block
	id    string
	games func() uint64
	limit uint64 // number of games to play; 0: no limit
	first uint64 // number of games played before this process started
	start time.Time

	means   []float64      // mean scores of all intervals
	last    learn.Interval // the latest interval that has ended; its To is 0 if none has
	next    time.Time      // when the next plain line is due
	printed bool           // the last interval has been printed as a plain line
}

const plainLine = 5 * time.Second

func newView(out io.Writer, id string, limit uint64, games func() uint64, earlier []protocol.TrainingInterval) *view {
	v := &view{id: id, games: games, limit: limit, first: games(), start: time.Now(), printed: true}
	v.Attach(out, v.block)
	for _, l := range earlier {
		if l.MeanScore != nil {
			v.means = append(v.means, *l.MeanScore)
		}
	}
	v.KeepDrawing()
	return v
}

// report records an interval. If the output is not a terminal, it prints a plain line when one is
// due.
func (v *view) report(i *learn.Interval) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.last, v.printed = *i, false
	if i.Fresh.Games > 0 {
		v.means = append(v.means, i.Fresh.MeanScore())
	}
	if now := time.Now(); !v.Live && now.After(v.next) {
		v.next = now.Add(plainLine)
		v.printLine()
	}
}

// printLine prints a plain line about the last interval.
func (v *view) printLine() {
	v.printed = true
	text := v.count(v.last.To) + " games: "
	if v.last.Fresh.Games == 0 {
		text += chances(&v.last)
	} else {
		text += fmt.Sprintf("mean score %.0f", v.last.Fresh.MeanScore())
		if reached := v.last.Fresh.ReachedText(); reached != "" {
			text += ", " + reached
		}
	}
	text += ", " + speedWords(v.last.GamesPerSecond(), v.last.MovesPerSecond())
	if left := v.left(v.last.To); left != "" {
		text += ", " + left
	}
	fmt.Fprintln(v.Out, text)
}

// end leaves the final block on the terminal. If the output is not a terminal, it prints the last
// interval, unless that was printed already.
func (v *view) end() {
	v.Freeze()
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	switch {
	case v.Live:
		v.Draw()
	case !v.printed:
		v.printLine()
	}
}

// block returns the lines to draw on a terminal of this width.
func (v *view) block(width int) []string {
	games := v.games()
	progress := v.count(games) + " games"
	if v.limit > 0 {
		progress += fmt.Sprintf(" (%.0f %%)", 100*float64(games)/float64(v.limit))
	}
	if left := v.left(games); left != "" {
		progress += ", " + left
	}
	mean, reached := "the first interval has not ended yet", "-"
	speed := speedWords(v.rate(games), 0)
	switch {
	case v.last.To == 0:
	case v.last.Fresh.Games == 0:
		mean, reached = "-", chances(&v.last)
	default:
		mean = fmt.Sprintf("%.0f in games %d to %d", v.last.Fresh.MeanScore(), v.last.From+1, v.last.To)
		if words := v.last.Fresh.ReachedText(); words != "" {
			reached = words
		}
	}
	if v.last.To > 0 {
		speed = speedWords(v.last.GamesPerSecond(), v.last.MovesPerSecond())
	}
	return []string{
		"training    " + v.id + ": " + progress,
		"mean score  " + mean,
		"reached     " + reached,
		"speed       " + speed,
		"curve       " + numfmt.Sparkline(v.means, min(60, width-14)),
	}
}

// chances formats the shares of games that made a 32768, by the sum of the walls at the start of
// the game.
func chances(i *learn.Interval) string {
	words := make([]string, len(i.Starts))
	for k := range i.Starts {
		words[k] = fmt.Sprintf("from sum %d: %.1f %%", i.Starts[k].TileSum, 100*i.Starts[k].Reached(endings.Tile))
	}
	return strings.Join(words, ", ")
}

func (v *view) count(games uint64) string {
	if v.limit == 0 {
		return fmt.Sprint(games)
	}
	return fmt.Sprintf("%d of %d", games, v.limit)
}

// rate returns the games per second of the last interval or, before the first one has ended, since
// the start.
func (v *view) rate(games uint64) float64 {
	if v.last.To > 0 {
		return v.last.GamesPerSecond()
	}
	return float64(games-v.first) / max(time.Since(v.start).Seconds(), 1e-3)
}

// left returns the remaining time as text, or "" if it is unknown.
func (v *view) left(games uint64) string {
	rate := v.rate(games)
	if v.limit == 0 || games >= v.limit || rate <= 0 {
		return ""
	}
	left := time.Duration(float64(v.limit-games) / rate * float64(time.Second))
	return left.Round(time.Second).String() + " left"
}

func speedWords(games, moves float64) string {
	text := numfmt.Rate(games) + " games/s"
	if moves > 0 {
		text += fmt.Sprintf(", %.2f M moves/s", moves/1e6)
	}
	return text
}
