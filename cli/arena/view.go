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
	"afterstate/internal/numfmt"
	"afterstate/stats"
)

// view shows how an experiment goes: a block that is drawn again and again on a
// terminal, plain lines elsewhere.
type view struct {
	live.Block
	name    string
	workers int
	players []*playerTally
	more    func() string // another line, if any; called by the goroutine that adds games
	latest  string        // what it returned

	start time.Time
	fresh int       // games since then
	next  time.Time // when the next plain line is due
}

// playerTally sums up a player's games.
type playerTally struct {
	number        int // of the player
	spec          string
	games, wanted int
	elapsed       time.Duration
	mean, squares float64 // of scores, and the sum of squared differences from it (Welford)
}

func (t *playerTally) add(g *arena.Game) {
	t.games++
	t.elapsed += g.Elapsed
	d := float64(g.Score) - t.mean
	t.mean += d / float64(t.games)
	t.squares += d * (float64(g.Score) - t.mean)
}

// words are the mean score and its 95 % interval.
func (t *playerTally) words() string {
	if t.games == 0 {
		return "-"
	}
	half := "?"
	if t.games > 1 {
		half = numfmt.Rounded(stats.HalfWidth(t.squares, t.games))
	}
	return numfmt.Rounded(t.mean) + " ± " + half
}

func newView(out io.Writer, name string, workers int) *view {
	v := &view{name: name, workers: workers}
	v.Attach(out, v.block)
	return v
}

// player adds a player with the games that it has of those that are wanted.
func (v *view) player(p *store.Player, have []arena.Game, wanted int) *playerTally {
	t := &playerTally{number: p.Number, spec: p.Spec, wanted: max(wanted, len(have))}
	for i := range have {
		t.add(&have[i])
	}
	v.players = append(v.players, t)
	return t
}

// refresh asks for the other line.
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

// add counts games that were kept.
func (v *view) add(p *store.Player, games []arena.Recorded) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	for _, t := range v.players {
		for i := range games {
			if t.number == p.Number {
				t.add(&games[i].Game)
			}
		}
	}
	v.fresh += len(games)
	v.refresh()
	if now := time.Now(); !v.Live && now.After(v.next) {
		v.next = now.Add(live.NextLine)
		fmt.Fprintln(v.Out, v.progress()+": "+v.means(4))
	}
}

// end leaves nothing on the terminal: what was found is printed.
func (v *view) end() {
	v.Freeze()
	v.Erase()
}

// block is what a terminal shows.
func (v *view) block(width int) []string {
	const most = 12 // players
	games, wanted := v.count()
	lines := []string{v.name + ": " + v.progress(), live.Bar(games, wanted, width)}
	label := 0
	for _, t := range v.players[:min(most, len(v.players))] {
		label = max(label, min(utf8.RuneCountInString(t.spec), width/2))
	}
	for _, t := range v.players[:min(most, len(v.players))] {
		spec := []rune(t.spec)
		if len(spec) > label {
			spec = append(spec[:label-1], '…')
		}
		name := string(spec) + strings.Repeat(" ", label-len(spec))
		lines = append(lines, fmt.Sprintf("%s  %*d games  %s", name, len(strconv.Itoa(t.wanted)), t.games, t.words()))
	}
	if more := len(v.players) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d players more", more))
	}
	if v.more != nil {
		lines = append(lines, v.latest)
	}
	return lines
}

func (v *view) count() (games, wanted int) {
	for _, t := range v.players {
		games += t.games
		wanted += t.wanted
	}
	return games, wanted
}

// progress says how far the experiment is.
func (v *view) progress() string {
	games, wanted := v.count()
	most := ""
	if v.more != nil { // a match may end before
		most = "at most "
	}
	text := fmt.Sprintf("%d of %s%d games", games, most, wanted)
	if since := time.Since(v.start).Seconds(); v.fresh > 0 && since > 0 {
		text += ", " + numfmt.Rate(float64(v.fresh)/since) + " games/s"
	}
	if left, ok := v.left(); ok {
		text += fmt.Sprintf(", %s%v left", most, left.Round(time.Second))
	}
	return text
}

// left is how long it will take: players differ, so that each player's own games
// tell how long those that are left will last.
func (v *view) left() (left time.Duration, ok bool) {
	for _, t := range v.players {
		if t.games == 0 {
			return 0, false
		}
		left += t.elapsed / time.Duration(t.games) * time.Duration(t.wanted-t.games)
	}
	return left / time.Duration(v.workers), true
}

// means are the first players' mean scores.
func (v *view) means(most int) string {
	var words []string
	for _, t := range v.players[:min(most, len(v.players))] {
		words = append(words, t.spec+" "+t.words())
	}
	if v.more != nil {
		words = append(words, v.latest)
	}
	return strings.Join(words, ", ")
}
