//go:build pictures

package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/serve/session"
)

// slowdown is how much slower the browser computes while taps are measured.
const slowdown = 4

// tapping finds what can be tapped and measures: took is the time from an event to the end of the next frame that the page
// renders after its handlers, the longest one since from. Event Timing adds what a compositor without a GPU takes: 0.15 s for
// some buttons, at full speed too, when the page has rendered after 15 ms.
const tapping = `(() => {
	if (window.tapping) return
	const shown = (e) => e.checkVisibility({visibilityProperty: true}) && !e.matches('.unseen, [type=file]') && !e.disabled
	const name = (e) => {
		if (e.matches('.board')) return 'swipe'
		if (e.matches('.u-over')) return 'chart'
		const own = e.ariaLabel || e.innerText || e.labels?.[0]?.innerText || e.type
		const kind = e.matches('.node') ? 'node of the tree' : e.matches('.cells *') ? 'cell' : e.matches('.strip *') ? 'strip' : e.matches('[role=option]') ? 'option' : e.matches('.slot button, .choices button') ? 'entry' : own
		return kind.trim().replace(/\s+/g, ' ').replace(/^(Move \w+),.*/, '$1').replace(/\d[\d,.]*/g, '#').slice(0, 32)
	}
	const all = (top) => {
		const dialog = document.querySelector('dialog[open]')
		const parts = dialog ? [dialog] : [...document.querySelectorAll(top ? 'main, .top' : 'main')]
		return parts.flatMap(p => [...p.querySelectorAll('a[href^="#"], button, input, select, summary, textarea, .u-over, .board, [role=option]')]).filter(e => shown(e) && (dialog || !e.matches('dialog *')))
	}
	const t = window.tapping = {
		from: 0, took: 0,
		names: (top) => [...new Set(all(top).map(name))],
		/** find scrolls to a control and returns where to tap it, and how; null: it is not there. */
		find: (wanted, part) => {
			const e = all(true).find(e => name(e) === wanted)
			if (!e) return null
			let r = e.getBoundingClientRect()
			if (r.top < 60 || r.bottom > innerHeight - 70) e.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'})
			r = e.getBoundingClientRect()
			if (e.matches('select')) e.focus({preventScroll: true})
			return {X: r.x + part * r.width, Y: r.y + r.height / 2, How: e.matches('select') ? 'key' : e.matches('.board') ? 'swipe' : 'tap'}
		},
		begin: () => { t.took = 0; t.from = performance.now(); return true },
	}
	const after = new MessageChannel(), waiting = []
	after.port1.onmessage = () => { for (const at of waiting.splice(0)) if (at >= t.from) t.took = Math.max(t.took, performance.now() - at) }
	for (const type of ['pointerdown', 'pointermove', 'pointerup', 'click', 'keydown', 'input', 'change']) {
		addEventListener(type, (e) => e.isTrusted && requestAnimationFrame(() => {
			waiting.push(e.timeStamp)
			after.port2.postMessage(0)
		}), true)
	}
})()`

// slow lets the browser compute slower by a factor.
func (b *tab) slow(by float64) {
	b.t.Helper()
	must.Get(chromedp.Call(b.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: by}))(b.t)
}

// tapOn taps the control of a name and returns how long the page took, in milliseconds; false if the control is gone.
func (b *tab) tapOn(name string, n int) (took float64, there bool) {
	b.t.Helper()
	b.run(evaluate(tapping))
	type place struct {
		X, Y float64
		How  string
	}
	at := js[*place](b, fmt.Sprintf(`tapping.find(%q, %v)`, name, []float64{0.5, 0.3, 0.7}[n%3]))
	if at == nil {
		return 0, false
	}
	b.slow(slowdown)
	defer b.slow(1)
	time.Sleep(150 * time.Millisecond) // what scrolling began
	b.run(evaluate(`tapping.begin()`))
	switch at.How {
	case "key": // the list of a select is not part of the page
		b.press([]string{kb.ArrowDown, kb.ArrowDown, kb.ArrowUp}[n%3])
	case "swipe":
		far := [][2]float64{{-60, 0}, {0, 60}, {60, 0}}[n%3]
		b.finger(at.X, at.Y, [2]float64{far[0] / 2, far[1] / 2}, far)
	default:
		b.finger(at.X, at.Y)
	}
	time.Sleep(500 * time.Millisecond) // answers come, and what they change is painted
	if b.holds(`window.tapping`) {
		took = js[float64](b, `tapping.took`)
	}
	return took, true
}

// measure taps every control of a view, each three times, and four times more if that seems slow.
func (b *tab) measure(t *testing.T, view string, open func()) {
	t.Helper()
	open()
	b.settle()
	b.run(evaluate(tapping))
	for _, name := range js[[]string](b, fmt.Sprintf(`tapping.names(%v)`, view == "Play")) {
		open()
		b.settle()
		var all []float64
		for n := 0; n < 3 || n < 7 && slices.Max(all) > 150; n++ {
			took, there := b.tapOn(name, n)
			if !there {
				open()
				b.settle()
				if took, there = b.tapOn(name, n); !there {
					break
				}
			}
			all = append(all, took)
		}
		if len(all) == 0 {
			t.Logf("| %s | %s | it is gone | |", view, name)
			continue
		}
		slices.Sort(all)
		t.Logf("| %s | %s | %.0f | %.0f |", view, name, all[len(all)/2], all[len(all)-1])
	}
}

// longMetrics writes runs with as many intervals as the page is sent.
func longMetrics(t *testing.T, names ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for i, name := range names {
		var lines strings.Builder
		for n := range 4000 {
			fmt.Fprintf(&lines, `{"games":%d,"moves":%d,"mean_score":%d,"reached":{"512":0.9,"1024":0.5,"2048":%.3f},"games_per_s":100,"moves_per_s":100000,"elapsed_s":%d}`+"\n",
				(n+1)*(1000+i), (n+1)*500000, 700*(n+1)/(i+1), float64(n)/5000, n*10)
		}
		must.Do(t, os.Mkdir(filepath.Join(folder, name), 0o755))
		must.Do(t, os.WriteFile(filepath.Join(folder, name, "metrics.jsonl"), []byte(lines.String()), 0o644))
	}
	return folder
}

// Every control of every view is tapped on a phone that computes slowly. The table has the median and the maximum of how
// long a tap waits for the next frame, in milliseconds.
//
//	go test -tags pictures ./serve -run Taps -v -timeout 60m
func TestTaps(t *testing.T) {
	s := newSite(t, Options{Options: session.Options{Solve: true}, Runner: newRunner(t, 1), Runs: longMetrics(t, "first", "second", "third")})
	b := open(t, browser(t), s, phoneLight, "#games")
	b.restore(backupOf(t, monthOfGames(t)))
	stored := js[string](b, `JSON.stringify(localStorage)`)
	fresh := func(path string) { // without what taps have changed
		b.slow(1)
		b.run(evaluate(fmt.Sprintf(`localStorage.clear(); Object.assign(localStorage, %s)`, stored)))
		b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(s.url(path)))
	}
	at := func(path, until string) func() {
		return func() {
			fresh(path)
			b.until(until)
		}
	}
	long := "#play/6x6/1/60000/" + strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(longGame[:20_000]) + "/30000"
	fresh("#review")
	b.until(`document.querySelector('input[type=file]')`)
	b.give("choose", sixtyThousand(t), "text/plain")
	judged := `!document.querySelector('[role=progressbar]') && document.querySelector('.strip button')`
	b.until(`document.querySelector('#moves')?.innerText.includes('60,000')`)
	record := js[string](b, `sessionStorage.getItem('afterstate.review')`)
	fresh("#experiments")
	b.compare()
	b.until(`document.querySelector('table b') && !document.querySelector('.progress')`)

	fresh("")
	b.until(ready)
	b.play(8)
	b.click("Save")
	stored = js[string](b, `JSON.stringify(localStorage)`)
	playing := func() {
		fresh("")
		b.until(ready)
	}
	review := func() {
		b.slow(1)
		if !b.holds(`window.judged`) { // what is judged is kept until the page is loaded again
			fresh("#play")
			b.until(ready)
		}
		b.run(evaluate(fmt.Sprintf(`location.hash = '#play'; sessionStorage.setItem('afterstate.review', %q); sessionStorage.setItem('afterstate.review.at', '30000')`, record)))
		b.until(ready + ` && document.querySelector('#best, .grading')`)
		b.visit("#review", judged)
		b.run(evaluate(`window.judged = true`))
	}
	views := []struct {
		name string
		open func()
	}{
		{"Play", playing},
		{"Play, hint and reasons", func() {
			playing()
			b.press(" ", "e")
			b.until(`document.querySelector('.edge[data-best]') && document.querySelector('.line')`)
		}},
		{"Play, graded", func() {
			playing()
			b.click(gradeSwitch)
			b.until(`document.querySelector('.grading')`)
			b.play(2)
		}},
		{"Play, over", func() {
			fresh("#play/from/2,4/4,4")
			b.until(ready)
			b.playUntil(isOver)
		}},
		{"Play, another game", func() {
			playing()
			b.play(2)
			b.press("n")
			b.until(`document.querySelector('dialog[open]')`)
		}},
		{"Play, share", func() { playing(); b.click("Share"); b.until(`document.querySelector('dialog[open]')`) }},
		{"Shared game of 60,000 moves", at(long, ready+` && document.querySelector('.boardside [aria-label=Play]')`)},
		{"Help", func() { playing(); b.press("?"); b.until(`document.querySelector('dialog[open]')`) }},
		{"Watch", at("#watch/play/auto/4x4", ready+` && `+moves+` > 3`)},
		{"Ask", at("#ask/2,4,8,16/64,32,16,8/2,8,0,0/4,0,0,0/0", `document.querySelector('td.best')`)},
		{"Ask, 6 x 6", at("#ask/2,4,8,16,32,64/4096,2048,1024,512,256,128/8192,16384,32768,65536,131072,262144/2,0,4,0,0,2/0,0,0,2,0,0/2,0,0,0,0,4/1000", `document.querySelectorAll('.cells button').length === 36 && document.querySelector('td.best')`)},
		{"Ask, players", func() {
			fresh("#ask")
			b.until(`document.querySelector('td.best')`)
			b.enter("Player", "exp")
			b.until(options + `.length > 0`)
		}},
		{"Ask, tree", func() {
			fresh("#ask/2,4,8,16/64,32,16,8/2,8,0,0/4,0,0,0/0")
			b.until(`document.querySelector('td.best')`)
			b.click("Open the search tree")
			b.until(`document.querySelectorAll('[role=treeitem]').length > 5`)
			b.click("Open all")
		}},
		{"Solve", at("#ask/0,0,2/0,2,0/0,0,0/0", `document.querySelector('td.best')`)}, // a tap may have solved the size
		{"Review, none", func() {
			fresh("#play")
			b.run(evaluate(`sessionStorage.clear(); location.hash = '#review'`))
			b.until(`document.querySelector('input[type=file]')`)
		}},
		{"Review of 60,000 moves", review},
		{"Review, try again", func() {
			review()
			b.click("Try again here")
			b.until(named("Show the answer"))
		}},
		{"Practice", func() {
			fresh("#practice/mistakes")
			b.run(evaluate(fmt.Sprintf(`localStorage.setItem('afterstate.drills', %q)`, twoDrills)))
			b.reload()
			b.until(`document.querySelector('.board') && document.querySelector('#due')`)
		}},
		{"Practice, lessons", at("#practice/lessons", `document.querySelector('.board') && document.querySelector('#steps')`)},
		{"Practice, puzzles", at("#practice/puzzles", `document.querySelector('.board') && document.querySelector('#left')?.innerText === '300'`)},
		{"Practice, stages", at("#practice/stages", `document.querySelectorAll('.stages tbody tr').length > 5`)},
		{"Duels", at("#play/duel", `document.querySelector('#day')`)},
		{"Practice, hard boards", at("#practice/hard", `document.querySelector('#tried')`)},
		{"Practice, endings", at("#practice/endings", `document.querySelector('#chance')?.innerText.endsWith('%')`)},
		{"Games, a hundred", at("#games", `document.querySelectorAll('.chart canvas').length >= 2`)},
		{"Games, a game", func() {
			fresh("#games")
			b.until(`document.querySelector('#games button')`)
			b.run(evaluate(`document.querySelector('#games button').click()`))
			b.until(`document.querySelector('dialog[open]')`)
		}},
		{"Compare", at("#experiments", `document.querySelector('table b') && document.querySelector('.chart canvas')`)},
		{"Compare, games", func() {
			fresh("#experiments")
			b.until(`document.querySelector('table b') && document.querySelector('.chart canvas')`)
			b.click("Games of greedy")
			b.until(`document.querySelector('[aria-label=Games] td')`)
		}},
		{"Compare, replay", func() {
			fresh("#experiments")
			b.until(`document.querySelector('table b') && document.querySelector('.chart canvas')`)
			b.click("Games of greedy")
			b.until(`document.querySelector('[aria-label=Games] td')`)
			b.run(evaluate(`document.querySelector('[aria-label=Games] td button').click()`))
			b.until(`document.querySelector('dialog[open]')`)
		}},
		{"Training, a run", at("#training/first", `document.querySelectorAll('.chart canvas').length === 2`)},
		{"Training, three runs", at("#training/first,second,third", `document.querySelectorAll('.chart canvas').length === 2`)},
	}
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			b.t = t
			b.measure(t, v.name, v.open)
		})
	}
}
