package arena

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"afterstate/arena"
	"afterstate/arena/store"
	"afterstate/cli/internal/live"
	"afterstate/experiment"
	"afterstate/internal/numfmt"
)

// view shows the progress of an experiment: a block on a terminal that is redrawn, otherwise plain
// lines.
type view struct {
	live.Block
	name    string
	workers int
	cores   func() int // of workers on other machines; nil: none may play
	games   experiment.Progress
	more    func() string // an optional additional line; called by the goroutine that adds games
	latest  string        // its last result

	start time.Time
	fresh int       // games since then
	next  time.Time // when the next plain line is due
}

func newView(out io.Writer, name string, workers int) *view {
	v := &view{name: name, workers: workers}
	v.Attach(out, v.block)
	return v
}

// share shows that workers on other machines may play, and how many cores they have.
func (v *view) share(cores func() int) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.cores = cores
}

// refresh updates the additional line.
func (v *view) refresh() {
	if v.more != nil {
		v.latest = v.more()
	}
}

// begin starts the clock.
func (v *view) begin() {
	v.refresh()
	v.start = time.Now()
	v.next = v.start.Add(live.FirstLine)
	v.KeepDrawing()
}

// add counts games that were stored.
func (v *view) add(p *store.Player, games []arena.Recorded) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.games.Add(p, games)
	v.fresh += len(games)
	v.refresh()
	if now := time.Now(); !v.Live && now.After(v.next) {
		v.next = now.Add(live.NextLine)
		fmt.Fprintln(v.Out, v.progress()+": "+v.means(4))
	}
}

// end erases the block; the results are printed instead.
func (v *view) end() {
	v.Freeze()
	v.Erase()
}

// block returns the lines for a terminal.
func (v *view) block(width int) []string {
	const most = 12 // players
	games, wanted := v.games.Count()
	lines := []string{v.name + ": " + v.progress(), live.Bar(games, wanted, width)}
	label := 0
	for _, t := range v.games.Players[:min(most, len(v.games.Players))] {
		label = max(label, min(utf8.RuneCountInString(t.Spec), width/2))
	}
	for _, t := range v.games.Players[:min(most, len(v.games.Players))] {
		spec := []rune(t.Spec)
		if len(spec) > label {
			spec = append(spec[:label-1], '…')
		}
		name := string(spec) + strings.Repeat(" ", label-len(spec))
		lines = append(lines, fmt.Sprintf("%s  %*d games  %s", name, len(strconv.Itoa(t.Wanted)), t.Games, t.Score()))
	}
	if more := len(v.games.Players) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d players more", more))
	}
	if v.more != nil {
		lines = append(lines, v.latest)
	}
	return lines
}

// progress returns the progress of the experiment as text.
func (v *view) progress() string {
	games, wanted := v.games.Count()
	most := ""
	if v.more != nil { // a match may end early
		most = "at most "
	}
	text := fmt.Sprintf("%d of %s%d games", games, most, wanted)
	if since := time.Since(v.start).Seconds(); v.fresh > 0 && since > 0 {
		text += ", " + numfmt.Rate(float64(v.fresh)/since) + " games/s"
	}
	workers := v.workers
	if v.cores != nil {
		cores := v.cores()
		workers += cores
		text += ", " + numfmt.Count(cores, "core", "cores") + " of workers"
	}
	if left, ok := v.games.Left(max(workers, 1)); ok && workers > 0 {
		text += fmt.Sprintf(", %s%v left", most, left.Round(time.Second))
	}
	return text
}

// means returns the first players' mean scores as text.
func (v *view) means(most int) string {
	var words []string
	for _, t := range v.games.Players[:min(most, len(v.games.Players))] {
		words = append(words, t.Spec+" "+t.Score())
	}
	if v.more != nil {
		words = append(words, v.latest)
	}
	return strings.Join(words, ", ")
}
