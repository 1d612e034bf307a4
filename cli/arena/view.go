package arena

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/afterstate2048/afterstate/cli/internal/output"
	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/report"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// view shows the progress of an experiment: a block that is redrawn on a terminal, plain lines
// elsewhere.
type view struct {
	output.Block
	name    string
	workers int
	cores   func() int // returns the number of cores of the workers on other machines; nil if no such workers may play
	games   experiment.Progress
	ranking *experiment.Ranking // nil for arena run; it changes only in the goroutine that adds games
	limit   int                 // maximum number of games of each ranked player
	latest  string              // how near a match is to a verdict, as text
	soon    string              // how many games the next verdict will probably take, as text

	start time.Time
	fresh int       // number of games stored since start
	next  time.Time // when the next plain line is due
}

func newView(out io.Writer, name string, workers int) *view {
	v := &view{name: name, workers: workers}
	v.Attach(out, v.block)
	return v
}

// share adds workers on other machines to the view; cores returns how many cores they have.
func (v *view) share(cores func() int) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.cores = cores
}

// refresh updates latest and soon from the ranking.
func (v *view) refresh() {
	if v.ranking == nil {
		return
	}
	if v.match() {
		v.latest = report.MatchWealth(v.ranking.Match(v.working()))
	}
	if v.soon = ""; v.working() == 0 {
		return
	}
	left, open := v.ranking.Left(v.working())
	of := ""
	if open != nil && !v.match() {
		of = fmt.Sprintf(" on %s and %s", open.A, open.B)
	}
	if v.soon = report.Outlook(left, of); open != nil && left.Pairs > stats.Figure(v.limit-open.Pairs()) {
		v.soon = fmt.Sprintf(", a verdict%s needs more games", of)
	}
}

// match reports whether the view shows a match, which is a ranking of two players.
func (v *view) match() bool { return v.ranking != nil && len(v.ranking.Players) == 2 }

// working returns the number of games that are played in parallel.
func (v *view) working() int {
	workers := v.workers
	if v.cores != nil {
		workers += v.cores()
	}
	return workers
}

// begin starts the clock and the drawing.
func (v *view) begin() {
	v.refresh()
	v.start = time.Now()
	v.next = v.start.Add(output.FirstLine)
	v.KeepDrawing()
}

// round sets how many games each of the players should have after a round of a ranking.
func (v *view) round(players []arena.Player, games int) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	for i := range players {
		v.games.Want(&players[i], games)
	}
}

// add counts newly stored games of a player. If the output is not a terminal, it prints a plain
// line when one is due.
func (v *view) add(p *arena.Player, games []arena.Recorded) error {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.games.Add(p, games)
	v.fresh += len(games)
	v.refresh()
	if now := time.Now(); !v.Live && now.After(v.next) {
		v.next = now.Add(output.NextLine)
		fmt.Fprintln(v.Out, v.progress()+": "+v.means(4))
	}
	return nil
}

// block returns the lines to draw on a terminal of this width.
func (v *view) block(width int) []string {
	const maxPlayers = 12
	games, wanted := v.games.Count()
	lines := []string{v.name + ": " + v.progress(), output.Bar(games, wanted, width)}
	label := 0
	for _, t := range v.games.Players[:min(maxPlayers, len(v.games.Players))] {
		label = max(label, min(utf8.RuneCountInString(t.Spec), width/2))
	}
	for _, t := range v.games.Players[:min(maxPlayers, len(v.games.Players))] {
		spec := []rune(t.Spec)
		if len(spec) > label {
			spec = append(spec[:label-1], '…')
		}
		name := string(spec) + strings.Repeat(" ", label-len(spec))
		lines = append(lines, fmt.Sprintf("%s  %*d games  %s", name, len(strconv.Itoa(t.Wanted)), t.Games, t.Score()))
	}
	if more := len(v.games.Players) - maxPlayers; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d players more", more))
	}
	if v.match() {
		lines = append(lines, v.latest)
	}
	return lines
}

// progress returns the progress of the experiment as text.
func (v *view) progress() string {
	games, wanted := v.games.Count()
	atMost := ""
	if v.match() { // it may end early
		atMost = "at most "
	}
	text := fmt.Sprintf("%d of %s%d games", games, atMost, wanted) + v.soon
	if since := time.Since(v.start).Seconds(); v.fresh > 0 && since > 0 {
		text += ", " + numfmt.Rate(float64(v.fresh)/since) + " games/s"
	}
	if v.cores != nil {
		text += ", " + numfmt.Count(v.cores(), "core", "cores") + " of workers"
	}
	if left, ok := v.games.Left(max(v.working(), 1)); ok && v.working() > 0 {
		text += fmt.Sprintf(", %s%v left", atMost, left.Round(time.Second))
	}
	return text
}

// means returns the mean scores of the first players as text, at most maximum of them. For a match
// it adds how near a verdict is.
func (v *view) means(maximum int) string {
	words := each.Of(v.games.Players[:min(maximum, len(v.games.Players))], func(t *experiment.PlayerProgress) string { return t.Spec + " " + t.Score() })
	if v.match() {
		words = append(words, v.latest)
	}
	return strings.Join(words, ", ")
}
