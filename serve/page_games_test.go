//go:build browser || pictures

package serve

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/advice/luck"
	"github.com/afterstate2048/afterstate/advice/review"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// playedGame is a game as the page stores it.
type playedGame struct {
	UID     string      `json:"uid"`
	Size    board.Size  `json:"size"`
	Spawn   string      `json:"spawn"`
	Seed    uint64      `json:"seed"`
	Moves   string      `json:"moves"`
	Count   int         `json:"count"`
	Undone  int         `json:"undone"`
	Keep    bool        `json:"keep"`
	Score   int64       `json:"score"`
	When    int64       `json:"when"`
	Largest int64       `json:"largest"`
	Over    bool        `json:"over"`
	Review  *gameReview `json:"review"`
}

type gameReview struct {
	Deep   bool                   `json:"deep"`
	Game   protocol.ReviewTally   `json:"game"`
	Phases []protocol.PhaseReview `json:"phases"`
	Luck   *gameLuck              `json:"luck"`
}

type gameLuck struct {
	Expected float64 `json:"expected"`
	Moves    float64 `json:"moves"`
	Luck     float64 `json:"luck"`
	SD       float64 `json:"sd"`
}

// luckier is the share of games with less luck.
func (p *playedGame) luckier() float64 {
	l := protocol.Ledger{Luck: p.Review.Luck.Luck, LuckSD: p.Review.Luck.SD}
	return l.Luckier()
}

// monthOfGames are a hundred games of a visitor over June, the oldest first. Those on 2x3 are not judged yet.
func monthOfGames(t *testing.T) (all []playedGame) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	begin := time.Date(2024, 6, 1, 9, 0, 0, 0, time.Local)
	for i := range 100 {
		size := board.Size{Rows: 4, Cols: 4}
		switch {
		case i%25 == 24:
			size = board.Size{Rows: 2, Cols: 3}
		case i%10 == 5:
			size = board.Size{Rows: 3, Cols: 3}
		}
		g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(uint64(i), 0, game.P4)}))(t)
		var packed []byte
		for !g.Over() {
			d := board.Direction(random.IntN(4))
			if random.IntN(120) < i { // the visitor learns to keep to a corner
				d = []board.Direction{board.Left, board.Down, board.Right, board.Up}[random.IntN(2)]
			}
			for g.Move(d) != nil {
				d = (d + 1) % 4
			}
			if n := g.Moves() - 1; n%4 == 0 {
				packed = append(packed, byte(d))
			} else {
				packed[n/4] |= byte(d) << (2 * (n % 4))
			}
		}
		b := g.Board()
		p := playedGame{
			UID: fmt.Sprint("game", i), Size: size, Spawn: "random", Seed: uint64(i), Moves: base64.RawURLEncoding.EncodeToString(packed), Count: g.Moves(), Score: g.Score(),
			When: begin.Add(time.Duration(i) * 7 * time.Hour).UnixMilli(), Largest: board.Tile(b.Largest()), Over: true,
		}
		if size.Cells() > 6 {
			p.Review = reviewOf(random, i)
		}
		all = append(all, p)
	}
	return all
}

// reviewOf is an invented review of a visitor who gets better.
func reviewOf(random *rand.Rand, i int) *gameReview {
	r := &gameReview{Deep: true}
	var whole review.Tally
	for phase := range review.Phases[:1+i/20] {
		var t review.Tally
		for range 50 + random.IntN(100) {
			loss := 0.0
			if random.IntN(100+i) < 30 {
				loss = 0.15 * random.Float64() * float64(1+phase) / 3
			}
			m := review.Judgement{Phase: review.Phases[phase]}
			m.Loss, m.Accuracy, m.Class = loss, math.Exp(-6*loss), protocol.ClassBest
			switch {
			case loss > 0.1:
				m.Class = protocol.ClassBlunder
			case loss > 0.05:
				m.Class = protocol.ClassMistake
			}
			t.Add(&m)
			whole.Add(&m)
		}
		r.Phases = append(r.Phases, protocol.PhaseReview{Phase: review.Phases[phase], ReviewTally: tallied(&t)})
	}
	r.Game = tallied(&whole)
	r.Luck = &gameLuck{Expected: 261_000, Luck: 90_000 * (random.Float64() - 0.5), SD: 30_000}
	return r
}

func tallied(t *review.Tally) protocol.ReviewTally {
	accuracy, loss := t.Accuracy(), t.MeanLoss()
	return protocol.ReviewTally{Moves: t.Moves, Forced: t.Forced, Accuracy: &accuracy, Loss: &loss, Classes: t.Classes}
}

// text is JSON as JavaScript writes it.
func jsonText(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// backupOf is a backup of games, with some drills and settings.
func backupOf(t *testing.T, games []playedGame) string {
	t.Helper()
	type contents struct {
		Local  map[string]string `json:"local"`
		Values map[string]string `json:"values"`
	}
	data := contents{map[string]string{"afterstate.drills": twoDrills, "afterstate.speed": "20", "afterstate.best": `{"4x4":123456}`}, map[string]string{}}
	for _, g := range games {
		data.Values["played "+g.UID] = jsonText(t, g)
	}
	return jsonText(t, map[string]any{
		"afterstate_backup": 1, "written": "2025-07-01T12:00:00.000Z", "crc32": fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(jsonText(t, data)))), "data": data,
	})
}

// restore restores a backup by its file.
func (b *tab) restore(text string) {
	b.t.Helper()
	b.until(`document.querySelector('input[type=file]')`)
	b.give("choose", []byte(text), "application/json")
	b.until(`document.querySelector('dialog[open]') && ` + b.says("Restore this backup?"))
	b.run(evaluate(`document.querySelector('dialog[open] .button.main').click()`))
	b.until(fmt.Sprintf(`document.querySelector('dialog[open] h2')?.innerText === %q`, b.say("Restored")))
}

// backup writes a backup and returns the file.
func (b *tab) backup() string {
	b.t.Helper()
	b.run(evaluate(`(() => {
		window.written = null
		URL.createObjectURL = (blob) => { blob.text().then(t => { window.written = t }); return '' }
		HTMLAnchorElement.prototype.click = function () {}
	})()`))
	b.click("Write a backup")
	b.until(`window.written`)
	return js[string](b, `window.written`)
}

// stored is all that the page stores, as text; the state of the games that are played now is left out.
func (b *tab) stored() string {
	b.t.Helper()
	b.run(evaluate(`window.kept = null; (async () => {
		const db = await new Promise(done => { const r = indexedDB.open('afterstate', 1); r.onsuccess = () => done(r.result) })
		const s = db.transaction('values').objectStore('values')
		const all = r => new Promise(done => { r.onsuccess = () => done(r.result) })
		const [keys, values] = await Promise.all([all(s.getAllKeys()), all(s.getAll())])
		db.close()
		window.kept = JSON.stringify([keys.map((k, i) => [k, values[i]]), Object.entries(localStorage).filter(([k]) => !['afterstate.games', 'afterstate.last'].includes(k)).sort()])
	})()`))
	b.until(`window.kept`)
	return js[string](b, `window.kept`)
}

const gameRows = `[...document.querySelectorAll('#games tbody tr')].map(r => r.innerText.replace(/\s+/g, ' ').replace(' ,', ',').trim())`

func groupedNumber(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", groupedNumber(n/1000), n%1000)
}

func rounded(x float64) string { return groupedNumber(int64(math.Floor(x + 0.5))) }

func inPercent(x float64) string { return fmt.Sprintf("%.0f %%", math.Floor(100*x+0.5)) }

func asPercent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// recent is the mean of the last ten values.
func recent(values []float64) float64 {
	last := values[max(0, len(values)-10):]
	mean, _ := stats.Mean(last)
	return mean
}

// A visitor's hundred games over a month: the list, the curves, the best of each size, the phases and the strength are those
// computed here. Games that are not judged yet are judged, on 2x3 exactly. The game can be reviewed, replayed and deleted.
func testGames(t *testing.T, in pages) {
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
	for _, sc := range in.windows() {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, in, in.site(t), sc, "#games")
			b.until(`document.body.innerText.includes('Every game that you play')`)
			b.restore(backupOf(t, unjudged))
			b.until(`document.querySelector('dialog[open]').innerText.includes('100 games added.')`)
			b.click("Done")
			b.until(`document.querySelectorAll('#games tbody tr').length === 15`)
			b.until(`document.querySelector('#left') === null || document.querySelector('#left').innerText.includes('judged')`)
			b.click("Show more")
			b.click("Show more")
			b.until(`document.querySelectorAll('#games tbody tr').length === 100`)
			var want []string
			for _, g := range slices.Backward(month) {
				want = append(want, fmt.Sprintf("%s, %s points %s %s %s %s", time.UnixMilli(g.When).Format("2 Jan 2006"), groupedNumber(g.Score),
					strings.ReplaceAll(g.Size.String(), "x", " × "), groupedNumber(g.Score), groupedNumber(g.Largest), asPercent(*g.Review.Game.Accuracy)+" "+inPercent(g.luckier())))
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
			b.run(evaluate(drawing))
			for _, size := range []string{"3x3", "2x3", "4x4"} {
				b.click(strings.ReplaceAll(size, "x", " × "))
				b.checkCurves(t, size, month)
				b.checkPhases(t, size, month)
			}
			b.checkSizes(t, month)
			b.checkStrength(t, month)

			b.run(evaluate(`document.querySelector('#games button').click()`))
			b.until(`document.querySelector('dialog[open]')`)
			b.click("Delete")
			b.click("Keep it")
			b.click("Delete")
			b.click("Delete it")
			b.until(gameRows + `.length === 99 && !document.querySelector('dialog[open]')`)
			if first := js[string](b, gameRows+`[0]`); first != want[1] {
				t.Errorf("after a deletion the first game is %q, want %q", first, want[1])
			}
			b.reload()
			b.until(fmt.Sprintf(`%s[0] === %q`, gameRows, want[1]))
			b.run(evaluate(`document.querySelector('#games button').click()`))
			b.click("Replay")
			b.until(`location.hash.startsWith('#play/') && document.querySelector('.boardside .offer')`)
			b.run(navigate("#games"))
			b.until(`document.querySelector('#games button')`)
			b.run(evaluate(`document.querySelector('#games button').click()`))
			b.until(`document.querySelector('dialog[open] .button.main')`)
			b.run(evaluate(`document.querySelector('dialog[open] .button.main').click()`))
			last := month[98]
			b.until(fmt.Sprintf(`location.hash === '#review' && document.body.innerText.includes('%s points')`, groupedNumber(last.Score)))
			b.clean()
		})
	}
}

// The page keeps a game when it ends, and when another game replaces it. A saved game that is continued stays one entry, until its moves
// differ from those that were kept. Undoing moves of a game that is over takes nothing away.
func testKept(t *testing.T, in pages) {
	b := open(t, in, in.site(t), screens[2], "")
	b.until(ready)
	rows := func(n int) []string {
		t.Helper()
		b.run(navigate("#games"))
		b.until(fmt.Sprintf(`%s.length === %d`, gameRows, n))
		return js[[]string](b, gameRows)
	}
	size := func(name string) {
		t.Helper()
		b.run(navigate("#play"))
		b.until(ready)
		b.run(evaluate(fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})) })([...document.querySelectorAll('select')].find(e => e.value.includes('x')))`, name)))
		b.until(fmt.Sprintf(`%s && JSON.parse(localStorage.getItem('afterstate.last')).size === %q`, ready, name))
	}
	size("2x2")
	for !b.holds(`document.querySelector('.over')`) {
		b.press("a", "s", "d", "w")
	}
	rows(1)
	b.until(`/^\d+ \S+, (\d+) points 2 × 2 \1 \d+ \d+\.\d % \d+ %$/.test(` + gameRows + `[0])`) // it is judged
	over := rows(1)
	b.run(navigate("#play"))
	b.until(`document.querySelector('.over')`)
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
	b.playTo(20, "a", "s", "d", "s")
	made := js[int](b, moves)
	b.click("Save")
	b.until(`document.querySelector('.slot')`)
	b.press("n") // it is saved
	b.until(moves + ` === 0`)
	rows(2)
	resume := func() {
		t.Helper()
		b.run(navigate("#play"))
		b.until(`document.querySelector('.slot button')`)
		b.run(evaluate(`document.querySelector('.slot button').click()`))
	}
	resume()
	b.until(fmt.Sprintf(`%s === %d`, moves, made))
	b.playTo(made+2, "a", "s", "d")
	rows(2)
	resume()
	b.click("Start without saving")
	b.until(fmt.Sprintf(`%s === %d`, moves, made))
	b.playTo(made+3, "w", "d", "a")
	rows(3)

	// The game that is still on Play is deleted. A hidden page does not bring it back.
	b.run(evaluate(`document.querySelector('#games tbody button').click()`))
	b.click("Delete")
	b.click("Delete it")
	b.until(gameRows + `.length === 2`)
	b.run(evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); delete document.hidden`))
	b.run(navigate("#play"))
	b.until(ready)
	rows(2)
	b.clean()
}

// judgedGame is the review of a game by the judge.
func judgedGame(t *testing.T, p *playedGame) *gameReview {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: p.Size, Spawner: game.NewRandom(p.Seed, 0, game.P4)}))(t)
	packed := must.Get(base64.RawURLEncoding.DecodeString(p.Moves))(t)
	for i := range p.Count {
		if err := g.Move(board.Direction(packed[i/4] >> (2 * (i % 4)) & 3)); err != nil {
			t.Fatal(err)
		}
	}
	parse := func(spec string) (catalog.Maker, error) {
		return catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks})
	}
	judge := must.Get(review.New(parse, p.Size, p.Count))(t)
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
	if err := json.Unmarshal([]byte(b.stored()), &stored); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, raw := range stored[0] {
		var row [2]string
		var g playedGame
		if err := json.Unmarshal(raw, &row); err != nil || !strings.HasPrefix(row[0], "played ") {
			continue
		}
		if err := json.Unmarshal([]byte(row[1]), &g); err != nil {
			t.Fatal(err)
		}
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

// drawing stores the lines that charts draw from then on, as the heights of their points, in window.drawn.
const drawing = `(() => {
	window.drawn = []
	const of = new WeakMap()
	for (const name of ['moveTo', 'lineTo']) {
		const original = Path2D.prototype[name]
		Path2D.prototype[name] = function (x, y) {
			if (!of.has(this)) {
				of.set(this, [])
				drawn.push(of.get(this))
			}
			of.get(this).push(y)
			return original.call(this, x, y)
		}
	}
})()`

// drawnAs returns how far, in pixels, a drawn line is from values, on the scale that their extremes have.
func drawnAs(line, values []float64) float64 {
	if len(line) != len(values) {
		return math.Inf(1)
	}
	low, high := slices.Index(values, slices.Min(values)), slices.Index(values, slices.Max(values))
	far := 0.0
	for i, v := range values {
		at := line[low] + (line[high]-line[low])*(v-values[low])/(values[high]-values[low])
		far = max(far, math.Abs(at-line[i]))
	}
	if line[high] > line[low] {
		return math.Inf(1) // it is upside down
	}
	return far
}

// checkCurves compares every point of the curves, as they are drawn and as they are said.
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
	var scores, accuracies, lucks, meanScores, meanAccuracies, meanLucks []float64
	for i, g := range of {
		scores, accuracies = append(scores, float64(g.Score)), append(accuracies, *g.Review.Game.Accuracy)
		lucks = append(lucks, g.luckier())
		want := fmt.Sprintf("Game %d, %s: %s points (mean %s), accuracy %s (mean %s), luckier than %s of games", i+1, time.UnixMilli(g.When).Format("2 Jan 2006"),
			groupedNumber(g.Score), rounded(recent(scores)), asPercent(*g.Review.Game.Accuracy), asPercent(recent(accuracies)), inPercent(g.luckier()))
		if got[i] != want {
			t.Fatalf("%s: %q, want %q", size, got[i], want)
		}
		meanScores, meanAccuracies = append(meanScores, recent(scores)), append(meanAccuracies, recent(accuracies))
		meanLucks = append(meanLucks, recent(lucks))
	}
	drawn := js[[][]float64](b, `drawn.splice(0)`)
	for name, values := range map[string][]float64{"scores": scores, "accuracies": accuracies, "mean scores": meanScores, "mean accuracies": meanAccuracies, "lucks": lucks, "mean lucks": meanLucks} {
		if !slices.ContainsFunc(drawn, func(line []float64) bool { return drawnAs(line, values) <= 1.5 }) {
			t.Errorf("no line of %d is that of the %s of %s", len(drawn), name, size)
		}
	}
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

func (b *tab) checkStrength(t *testing.T, month []playedGame) {
	t.Helper()
	var last []float64
	for _, g := range ofSize(month, "4x4") {
		last = append(last, *g.Review.Game.Accuracy)
	}
	mean, ci := stats.Mean(last[len(last)-10:])
	like := slices.MinFunc(tableOfPlayers(t), func(a, b tablePlayer) int {
		return cmp.Compare(math.Abs(a.accuracy-100*mean), math.Abs(b.accuracy-100*mean))
	})
	want := fmt.Sprintf("%s ± %.1f like %s", asPercent(mean), 100*ci.Half(), like.player)
	if got := js[string](b, `document.querySelector('#strength').parentElement.innerText.replace(/\s+/g, ' ') + ' like ' + document.querySelector('#like').innerText`); got != want {
		t.Errorf("strength %q, want %q", got, want)
	}
}

// quota limits what the page may store in the browser's database, in bytes; -1: no limit.
func (b *tab) quota(bytes float64) {
	b.t.Helper()
	p := storage.OverrideQuotaForOriginParams{Origin: "http://" + b.site.address}
	if bytes >= 0 {
		p.QuotaSize = &bytes
	}
	if _, err := chromedp.Call(b.ctx, storage.OverrideQuotaForOrigin, p); err != nil {
		b.t.Fatal(err)
	}
}

// fill stores values until the browser has no room for a hundred more bytes.
func (b *tab) fill() {
	b.t.Helper()
	b.run(evaluate(`window.full = null; (async () => {
		const db = await new Promise(done => { const r = indexedDB.open('afterstate', 1); r.onsuccess = () => done(r.result) })
		const put = (key, size) => new Promise(done => {
			const t = db.transaction('values', 'readwrite')
			t.objectStore('values').put(Array.from(crypto.getRandomValues(new Uint8Array(size / 2)), x => x.toString(16)).join(''), key)
			t.oncomplete = () => done(true)
			t.onabort = () => done(false)
		})
		let n = 0
		for (const size of [60000, 6000, 600, 100]) while (n < 2000 && await put('filler ' + n, size)) n++
		db.close()
		window.full = n
	})()`))
	b.until(`window.full`)
	if n := js[int](b, `window.full`); n == 2000 {
		b.t.Fatal("the storage does not become full")
	}
}

// When the browser's storage is full, games can still be played and are kept, the page says so, and a backup contains all of them. Stored data
// does not change, and once there is room all is in the database.
func testFullStorage(t *testing.T, in pages) {
	month := monthOfGames(t)[:20]
	s := in.site(t)
	b := open(t, in, s, screens[0], "#games")
	b.quota(3e6)
	b.restore(backupOf(t, month))
	b.click("Done")
	b.until(gameRows + `.length === 15`)
	b.run(navigate("#play"))
	b.until(ready)
	b.fill()
	b.quota(1) // what the browser tidies up makes no room
	play := func() int {
		t.Helper()
		b.until(ready + ` && ` + moves + ` === 0`)
		b.playTo(12, "a", "s", "d", "s")
		n := js[int](b, moves)
		b.press("n")
		b.click("Start without saving")
		return n
	}
	first := play()
	const alert = `[...document.querySelectorAll('[role=alert]')].some(e => e.innerText.includes('no more room') && e.innerText.includes('Nothing is lost'))`
	b.until(alert)
	second := play()
	b.until(ready + ` && ` + moves + ` === 0`)
	b.reload() // nor does a reload lose them
	b.run(navigate("#games"))
	b.until(alert + ` && document.querySelector('header .dim')?.innerText === '22'`)
	count := func(i, n int) {
		t.Helper()
		b.run(evaluate(fmt.Sprintf(`document.querySelectorAll('#games button')[%d].click()`, i)))
		b.until(fmt.Sprintf(`document.querySelector('dialog[open]')?.innerText.includes(' %d moves')`, n))
		b.run(chromedp.KeyEvent("\x1b"))
		b.until(`!document.querySelector('dialog[open]')`)
	}
	count(0, second)
	count(1, first)
	b.until(`!document.querySelector('#left')`) // the games that wait are judged too
	before := b.stored()
	file := b.backup()

	// A backup that finds no room changes nothing.
	more := slices.Clone(monthOfGames(t)[20:])
	b.give("choose", []byte(backupOf(t, more)), "application/json")
	b.until(`document.querySelector('dialog[open]')`)
	b.run(evaluate(`document.querySelector('dialog[open] .button.main').click()`))
	b.until(`!document.querySelector('dialog[open]') && document.body.innerText.includes('no room for what the backup holds. Nothing was changed.')`)
	if after := b.stored(); after != before {
		t.Errorf("a restore without room changed what is stored: %d bytes, and %d before", len(after), len(before))
	}

	// The backup has them.
	other := open(t, in, s, screens[0], "#games")
	other.restore(file)
	other.click("Done")
	other.until(`document.querySelector('header .dim')?.innerText === '22'`)
	other.clean()

	b.quota(-1)
	b.reload()
	b.until(`document.querySelector('header .dim')?.innerText === '22' && !` + alert)
	b.until(`localStorage.getItem('afterstate.waiting') === '{}'`)
	count(0, second)
	count(1, first)
	b.clean()
}

// Moved data is the same in another browser. Restoring again adds nothing; what is newer stays; a game that went on in both
// is two games; a damaged file is refused and changes nothing.
func testBackup(t *testing.T, in pages) {
	month := monthOfGames(t)[:12]
	for i := range month {
		if month[i].Review == nil {
			month[i].Review = month[0].Review
		}
	}
	s := in.site(t)
	b := open(t, in, s, screens[3], "#games")
	b.restore(backupOf(t, month))
	b.click("Done")
	b.until(gameRows + `.length === 12`)
	b.run(navigate("#play"))
	b.until(ready)
	b.playTo(2, "a", "s", "d", "s")
	made, there := js[int](b, moves), js[string](b, text)
	b.click("Save")
	b.until(`document.body.innerText.includes('Saved games')`)
	b.run(navigate("#games"))
	b.until(gameRows + `.length === 12`)
	file, rows := b.backup(), js[[]string](b, gameRows)

	other := open(t, in, s, screens[3], "#games")
	other.restore(file)
	other.click("Done")
	other.until(gameRows + `.length === 12`)
	if got := js[[]string](other, gameRows); !slices.Equal(got, rows) {
		t.Errorf("moved games %q, want %q", got, rows)
	}
	if got, want := other.stored(), b.stored(); got != want {
		t.Errorf("moved data\n%s\nwant\n%s", got, want)
	}
	other.until(`document.querySelector('.badge')?.innerText.startsWith('2')`)
	other.run(navigate("#play"))
	other.until(fmt.Sprintf(`%s && %s === %d && %s === %q`, ready, moves, made, text, there))
	other.run(navigate("#games"))
	other.restore(file)
	other.until(`document.querySelector('dialog[open]').innerText.includes('0 games added, 12 here already.')`)
	other.click("Done")
	other.until(gameRows + `.length === 12`)

	// The first game of the file went another way here, the second is shorter, the third longer; the fourth is new.
	changed := slices.Clone(month[:4])
	cut := func(g *playedGame, moves int) {
		packed := must.Get(base64.RawURLEncoding.DecodeString(g.Moves))(t)[:moves/4]
		g.Moves, g.Count, g.Over, g.Score = base64.RawURLEncoding.EncodeToString(packed), moves, false, 1
	}
	packed := must.Get(base64.RawURLEncoding.DecodeString(changed[0].Moves))(t)
	packed[0] ^= 1
	changed[0].Moves = base64.RawURLEncoding.EncodeToString(packed)
	cut(&changed[1], 8)
	longer := changed[2]
	cut(&changed[2], 8)
	changed[3].UID = "new"
	third := open(t, in, s, screens[3], "#games")
	third.restore(backupOf(t, []playedGame{month[0], month[1], changed[2]}))
	third.click("Done")
	third.until(gameRows + `.length === 3`)
	for _, add := range []string{"2 games added, 1 here already, 1 completed.", "0 games added, 4 here already."} {
		third.restore(backupOf(t, []playedGame{changed[0], changed[1], longer, changed[3]}))
		third.until(fmt.Sprintf(`document.querySelector('dialog[open]').innerText.includes(%q)`, add))
		third.click("Done")
		third.until(gameRows + `.length === 5`)
	}
	third.clean()

	before := other.stored()
	for why, damaged := range map[string]string{
		"its checksum differs":       strings.Replace(file, `\"score\":`, `\"score\":9`, 1),
		"its end is missing":         file[:len(file)-5],
		"no backup of this page":     `{"games":[]}`,
		"version 2: must be 1":       strings.Replace(file, `"afterstate_backup":1`, `"afterstate_backup":2`, 1),
		"This file is no backup, or": "PK\x03\x04",
	} {
		other.give("choose", []byte(damaged), "application/json")
		other.until(fmt.Sprintf(`[...document.querySelectorAll('[role=alert]')].some(e => e.innerText.includes(%q))`, why))
	}
	if after := other.stored(); after != before {
		t.Errorf("damaged files changed\n%s\nto\n%s", before, after)
	}
	other.clean()
	b.clean()
}
