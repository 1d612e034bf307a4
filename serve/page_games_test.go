//go:build browser || pictures

package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/advice/luck"
	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// recent is the mean of the last ten values.
func recent(values []float64) float64 {
	last := values[max(0, len(values)-10):]
	mean, _ := stats.Mean(last)
	return mean
}

// A visitor's hundred games over a month: the list, the curves, the best of each size, the phases and the strength are those
// computed here. Games that are not judged yet are judged, on 2x3 exactly. The game can be reviewed and replayed.
func testGames(t *testing.T, in pages, sc screen) {
	month := monthOfGames(t)
	for i := range month {
		if month[i].Size.Cells() == 6 {
			month[i].Review = judgedGame(t, &month[i])
		}
	}
	unjudged := slices.Clone(month)
	for i := range unjudged {
		if unjudged[i].Size.Cells() == 6 {
			unjudged[i].Review = nil
		}
	}
	b := open(t, in, in.site(t), sc, "#games")
	b.until(`document.body.innerText.includes('Every game that you play')`)
	b.restore(backupOf(t, unjudged))
	b.until(`document.querySelector('dialog[open]').innerText.includes('100 games added.')`)
	b.finishRestore()
	b.until(gameRows + `.length === 15`)
	b.until(`document.querySelector('#left') === null || document.querySelector('#left').innerText.includes('judged')`)
	b.click("Show more")
	b.click("Show more")
	b.until(gameRows + `.length === 100`)
	b.more("progress")
	var want []string
	for _, g := range slices.Backward(month) {
		want = append(want, fmt.Sprintf("%d %s %s · %s %s", g.Largest, groupedNumber(g.Score), time.UnixMilli(g.When).Format("2 Jan 2006"),
			strings.ReplaceAll(g.Size.String(), "x", " × "), asPercent(*g.Review.Game.Accuracy)))
	}
	b.until(fmt.Sprintf(`%s.every(r => !/ –$/.test(r))`, gameRows)) // all are judged
	if got := js[[]string](b, gameRows); !slices.Equal(got, want) {
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Fatalf("row %d: got %q, want %q", i, got[i], want[i])
			}
		}
	}
	b.checkLedgers(t)
	for _, size := range []string{"3x3", "2x3", "4x4"} {
		b.click(strings.ReplaceAll(size, "x", " × "))
		b.checkCurves(t, size, month)
		b.checkPhases(t, size, month)
	}
	b.checkSizes(t, month)
	b.checkLevel(t, month)

	b.run(evaluate(`document.querySelector('#games .slot .plain').click()`))
	b.until(fmt.Sprintf(`document.querySelector('dialog[open]')?.innerText.includes(%q)`, inPercent(month[99].luckier())))
	b.click("Replay")
	b.until(`location.hash.startsWith('#play/') && document.querySelector('.boardside .offer')`)
	b.visit("#games", `document.querySelector('#games .played')`)
	b.run(evaluate(`document.querySelector('#games .played').click()`)) // a tap reviews it
	last := month[99]
	b.until(fmt.Sprintf(`location.hash === '#review' && document.body.innerText.includes('%s points')`, groupedNumber(last.Score)))
	b.clean()
}

// The page keeps a game when it ends, and when another game replaces it. A saved game that is continued stays one entry, until its moves
// differ from those that were kept. Undoing moves of a game that is over takes nothing away.
func testKept(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	rows := func(n int) []string {
		t.Helper()
		b.visit("#games", fmt.Sprintf(`%s.length === %d`, gameRows, n))
		return js[[]string](b, gameRows)
	}
	size := func(name string) {
		t.Helper()
		b.visit("#play", ready)
		b.option(strings.ReplaceAll(name, "x", " × "))
		b.until(fmt.Sprintf(`%s && JSON.parse(localStorage.getItem('afterstate.last')) === %q`, ready, name))
	}
	size("2x2")
	b.playUntil(isOver)
	rows(1)
	b.until(`/^\d+ \d+ \d+ \S+ · 2 × 2 \d+\.\d %$/.test(` + gameRows + `[0])`) // it is judged
	over := rows(1)
	b.visit("#play", `document.querySelector('.over')`)
	b.click("Undo")
	b.until(`!document.querySelector('.over')`)
	b.steady()
	b.press("n")
	b.click("Start without saving")
	b.until(moves + ` === 0`)
	if now := rows(1); now[0] != over[0] {
		t.Errorf("after an undo and a new game %q, want %q", now, over)
	}

	size("4x4")
	b.play(20)
	const made = 20
	b.saveGame()
	b.press("n")
	b.until(moves + ` === 0`)
	rows(2)
	resume := func() {
		t.Helper()
		b.visit("#play", ready)
		b.click("More")
		b.until(`document.querySelector('.slot button')`)
		b.run(evaluate(`document.querySelector('.slot button').click()`))
	}
	resume()
	b.until(fmt.Sprintf(`%s === %d && %s`, moves, made, ready))
	b.play(2)
	rows(2)
	resume()
	b.click("Start without saving")
	b.until(fmt.Sprintf(`%s === %d && %s`, moves, made, ready))
	b.play(3, board.Up, board.Right, board.Left, board.Down)
	rows(3)

	// The game that is still on Play is deleted. A hidden page does not bring it back.
	b.run(evaluate(`document.querySelector('#games .slot .plain').click()`))
	b.click("Delete")
	b.click("Keep it")
	b.click("Delete")
	b.click("Delete it")
	b.until(gameRows + `.length === 2`)
	b.run(evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange', {bubbles: true})); delete document.hidden`))
	b.visit("#play", ready)
	rows(2)
	b.clean()
}

// judgedGame is the review of a game by the judge.
func judgedGame(t *testing.T, p *playedGame) *gameReview {
	t.Helper()
	g := p.replay(t)
	parse := func(spec string) (catalog.Maker, error) {
		return catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks})
	}
	judge := must.Get(review.New(parse, nil, p.Size, p.Count, game.P4))(t)
	ps := review.Positions(g)
	moves := must.Get(judge.Review(t.Context(), ps, review.Options{Threads: 1}))(t)
	report := review.NewReport(judge, ps, nil, moves, 1)
	l := must.Get(luck.Recorded(t.Context(), parse, &record.Meta{Spawn: record.Random, P4: game.P4}, g))(t)
	return &gameReview{Deep: true, Game: report.Game, Phases: report.Phases, Luck: &gameLuck{Expected: l.Expected, Moves: l.Moves, Luck: l.Luck, SD: l.LuckSD}}
}

// checkLedgers checks that the ledgers of the games on a solved size add up to their scores.
func (b *tab) checkLedgers(t *testing.T) {
	t.Helper()
	var stored [][]json.RawMessage
	must.Do(t, json.Unmarshal([]byte(b.stored()), &stored))
	checked := 0
	for _, raw := range stored[0] {
		var row [2]string
		var g playedGame
		if err := json.Unmarshal(raw, &row); err != nil || !strings.HasPrefix(row[0], "played ") {
			continue
		}
		must.Do(t, json.Unmarshal([]byte(row[1]), &g))
		if g.Size.Cells() != 6 {
			continue
		}
		l := g.Review.Luck
		if off := l.Expected + l.Moves + l.Luck - float64(g.Score); math.Abs(off) > 1e-6 || l.Moves > 1e-6 || l.SD <= 0 {
			t.Errorf("%s: the ledger %+v is off by %v", g.UID, l, off)
		}
		checked++
	}
	if checked != 4 {
		t.Errorf("%d ledgers on 2x3, want 4", checked)
	}
}

func ofSize(month []playedGame, size string) (of []playedGame) {
	for _, g := range month {
		if g.Size.String() == size {
			of = append(of, g)
		}
	}
	return of
}

// checkCurves compares every point of the curves, as the page says them.
func (b *tab) checkCurves(t *testing.T, size string, month []playedGame) {
	t.Helper()
	b.until(fmt.Sprintf(`[...document.querySelectorAll('h2')].some(h => h.innerText === 'Your curves on %s') && document.querySelectorAll('.chart canvas').length === 3`, strings.ReplaceAll(size, "x", " × ")))
	b.run(evaluate(`window.points = null; (async () => {
		const e = document.querySelector('input[type=range]'), texts = []
		for (let i = 1; i <= Number(e.max); i++) {
			e.value = i
			e.dispatchEvent(new Event('input', {bubbles: true}))
			await new Promise(done => setTimeout(done, 5))
			while (!document.querySelector('#picked').innerText.startsWith('Game ' + i + ',')) await new Promise(done => setTimeout(done, 5))
			texts.push(document.querySelector('#picked').innerText)
		}
		window.points = texts
	})()`))
	b.until(`window.points`)
	got := js[[]string](b, `window.points`)
	of := ofSize(month, size)
	if len(got) != len(of) {
		t.Fatalf("%s: the curve has %d games, want %d", size, len(got), len(of))
	}
	var scores, accuracies, lucks []float64
	for i, g := range of {
		scores, accuracies, lucks = append(scores, float64(g.Score)), append(accuracies, *g.Review.Game.Accuracy), append(lucks, g.luckier())
		want := fmt.Sprintf("Game %d, %s: %s points (mean %s), accuracy %s (mean %s), luckier than %s of games", i+1, time.UnixMilli(g.When).Format("2 Jan 2006"),
			groupedNumber(g.Score), rounded(recent(scores)), asPercent(*g.Review.Game.Accuracy), asPercent(recent(accuracies)), inPercent(g.luckier()))
		if got[i] != want {
			t.Fatalf("%s: %q, want %q", size, got[i], want)
		}
	}
	b.until(fmt.Sprintf(`document.querySelectorAll('.chart')[2].ariaLabel.endsWith(%q)`, "is "+inPercent(recent(lucks))))
}

func (b *tab) checkSizes(t *testing.T, month []playedGame) {
	t.Helper()
	type best struct {
		size           string
		games          int
		score, largest int64
	}
	sizes := map[string]*best{}
	for _, g := range month {
		s := sizes[g.Size.String()]
		if s == nil {
			s = &best{size: g.Size.String()}
			sizes[s.size] = s
		}
		s.games++
		s.score, s.largest = max(s.score, g.Score), max(s.largest, g.Largest)
	}
	var want []string
	for _, s := range slices.SortedFunc(maps.Values(sizes), func(a, b *best) int { return cmp.Compare(b.games, a.games) }) {
		want = append(want, fmt.Sprintf("%s %d %s %s", strings.ReplaceAll(s.size, "x", " × "), s.games, groupedNumber(s.score), groupedNumber(s.largest)))
	}
	if got := js[[]string](b, `[...document.querySelectorAll('[aria-label="Best of each size"] tbody tr')].map(r => r.innerText.replace(/\s+/g, ' ').trim())`); !slices.Equal(got, want) {
		t.Errorf("best of each size: %q, want %q", got, want)
	}
}

func (b *tab) checkPhases(t *testing.T, size string, month []playedGame) {
	t.Helper()
	names := []string{"Up to 512", "512 to 2048", "2048 to 8192", "8192 to 16384", "16384 to 32768", "Beyond 32768"}
	var want []string
	for i, phase := range review.Phases {
		games, moves, mistakes := 0, 0, 0
		loss, inverse := 0.0, 0.0
		for _, g := range ofSize(month, size) {
			for _, p := range g.Review.Phases {
				if p.Phase == phase && p.Moves > 0 {
					games++
					moves += p.Moves
					mistakes += p.Classes.Mistake + p.Classes.Blunder
					loss += *p.Loss * float64(p.Moves)
					inverse += float64(p.Moves) / *p.Accuracy
				}
			}
		}
		if moves > 0 {
			n := float64(moves)
			want = append(want, fmt.Sprintf("%s %d %s %.2f %% %s %s", names[i], games, groupedNumber(int64(moves)), 100*loss/n, asPercent(n/inverse), rounded(1000*float64(mistakes)/n)))
		}
	}
	if got := js[[]string](b, `[...document.querySelectorAll('#phases tbody tr')].map(r => r.innerText.replace(/\s+/g, ' ').trim())`); !slices.Equal(got, want) {
		t.Errorf("phases on %s: %q, want %q", size, got, want)
	}
}

// checkLevel compares the level, the score from which it follows, and the accuracy of the games in it.
func (b *tab) checkLevel(t *testing.T, month []playedGame) {
	t.Helper()
	of := ofSize(month, "4x4")
	var last []float64
	for _, g := range of[len(of)-20:] {
		last = append(last, *g.Review.Game.Accuracy)
	}
	mean, _ := stats.Mean(last)
	level, err := strconv.ParseInt(levelOfGames(t, month), 10, 64)
	must.Do(t, err)
	want := fmt.Sprintf("%s %s %s", groupedNumber(level), rounded(usualScore(month)), asPercent(mean))
	if got := js[string](b, `['level', 'usual', 'mean'].map(i => document.getElementById(i).innerText).join(' ')`); got != want {
		t.Errorf("level, usual score and accuracy %q, want %q", got, want)
	}
}
