//go:build browser || pictures

package serve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"afterstate/board"
	"afterstate/session"
	"afterstate/wire"
)

const (
	ready = `document.querySelectorAll('.board .tile').length >= 2`
	moves = `Number(document.querySelector('#moves').innerText.replaceAll(',', ''))`
	text  = `document.querySelector('.board').getAttribute('aria-label')`
)

// A game by keyboard, with moves during animations, undo, redo, hint, reload, a
// server that goes away and comes back, and a link that replays it.
func testPlay(t *testing.T, in context.Context) {
	for _, sc := range windows() {
		t.Run(sc.name, func(t *testing.T) {
			s := newSite(t, Options{})
			b := open(t, in, s, sc, "")
			b.until(ready)
			// Keys faster than animations; each cycle makes two moves at least.
			for range 5 {
				b.press(kb.ArrowLeft, kb.ArrowDown, "d", "k", "h", "j")
			}
			b.until(moves + ` >= 10`)
			b.steady()
			made, board := js[int](b, moves), js[string](b, text)
			b.press("u", "u", "u")
			b.until(fmt.Sprintf(`%s === %d`, moves, made-3))
			b.press("r", "r", "r")
			b.until(fmt.Sprintf(`%s === %d && %s === %q`, moves, made, text, board))

			// A hint that is wanted while moves are made is that of the board they lead to.
			b.press("u", " ")
			b.until(fmt.Sprintf(`%s === %d && document.querySelector('.edge[data-best] em')`, moves, made-1))
			b.until(`[...document.querySelectorAll('[role=status]')].some(e => e.innerText.startsWith('Hint: '))`)
			b.press("r")
			b.until(fmt.Sprintf(`%s === %d && !document.querySelector('.edge em')`, moves, made))
			b.click("Hint")
			b.until(`document.querySelector('.edge[data-best] em')`)
			b.click("Why?")
			b.until(`document.querySelectorAll('.line .mini').length > 0`)

			b.run(chromedp.Reload())
			b.until(fmt.Sprintf(`%s && %s === %d && %s === %q`, ready, moves, made, text, board))

			// What is pressed while the server is away is made when it is back.
			s.down()
			b.until(`document.querySelector('.banner')`)
			b.press("u", "u")
			s.up()
			b.until(fmt.Sprintf(`!document.querySelector('.banner') && %s === %d`, moves, made-2))
			b.press("r", "r")
			b.until(fmt.Sprintf(`%s === %q`, text, board))

			// Another person opens the link.
			b.run(evaluate(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }`))
			b.click("Share")
			b.until(`window.copied`)
			_, hash, _ := strings.Cut(js[string](b, `window.copied`), "#")
			other := open(t, in, s, sc, "#"+hash)
			other.until(fmt.Sprintf(`%s && %s === %d && %s === %q`, ready, moves, made, text, board))
			other.clean()
			b.clean()
		})
	}
}

// A kept game that a busy server has no room for is opened once there is room.
func testBusy(t *testing.T, in context.Context) {
	s := newSite(t, Options{})
	b := open(t, in, s, screens[0], "")
	b.until(ready)
	b.press("a", "s", "d", "a", "s")
	b.until(moves + ` >= 3`)
	b.steady()
	made, board := js[int](b, moves), js[string](b, text)
	release := fill(t, s.server.host)
	b.run(chromedp.Reload())
	b.until(`document.querySelector('[role=alert]')?.innerText.includes('busy')`)
	release()
	b.until(fmt.Sprintf(`!document.querySelector('[role=alert]') && %s && %s === %d && %s === %q`, ready, moves, made, text, board))
}

// fill takes all room for moves, and what connections that end give back, until release.
func fill(t *testing.T, host *session.Host) (release func()) {
	t.Helper()
	held := int64(0)
	take := func() {
		if room := session.MaxMoves - host.Load().Moves; room > 0 && host.Reserve(room) == nil {
			held += room
		}
	}
	take()
	if host.Load().Moves < session.MaxMoves {
		t.Fatal("there is room left")
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				take()
			}
		}
	}()
	return func() {
		close(stop)
		<-done
		_ = host.Reserve(-held) // less never fails
	}
}

// steady waits until every move is answered.
func (b *tab) steady() {
	b.t.Helper()
	b.until(`document.querySelector('.board').getAttribute('aria-busy') === 'false'`)
}

// Fingers swipe, in all four directions, and a second finger makes no move.
func testTouch(t *testing.T, in context.Context) {
	b := open(t, in, newSite(t, Options{}), screens[0], "")
	b.until(ready)
	type point struct{ X, Y, Side float64 }
	box := js[point](b, `(() => { const r = document.querySelector('.board').getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2, Side: r.width} })()`)
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		t.Helper()
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, points...)}); err != nil {
			t.Fatal(err)
		}
	}
	swipe := func(x, y float64) {
		t.Helper()
		touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: box.X, Y: box.Y})
		for part := 0.25; part <= 1; part += 0.25 {
			touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: box.X + part*x, Y: box.Y + part*y})
		}
		touch(input.DispatchTouchEventTypeTouchEnd)
	}
	far := box.Side / 3
	for range 3 {
		swipe(-far, 2)
		swipe(3, far)
		swipe(far, -4)
		swipe(0, -far)
	}
	b.until(moves + ` >= 6`)
	b.steady()
	before := js[int](b, moves)
	swipe(4, 3) // too short
	first, second := 0.0, 1.0
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: box.X, Y: box.Y, ID: &first})
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: box.X, Y: box.Y, ID: &first}, &input.TouchPoint{X: box.X + 30, Y: box.Y + 30, ID: &second})
	touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: box.X - far, Y: box.Y, ID: &first}, &input.TouchPoint{X: box.X + far, Y: box.Y + 30, ID: &second})
	touch(input.DispatchTouchEventTypeTouchEnd)
	b.steady()
	if after := js[int](b, moves); after != before {
		t.Errorf("%d moves became %d by no swipe", before, after)
	}
	if y := js[float64](b, `scrollY`); y != 0 {
		t.Errorf("swiping scrolled the page by %v", y)
	}
	b.clean()
}

// A new game asks before one is lost; it can be saved first and taken up again.
func testSlots(t *testing.T, in context.Context) {
	b := open(t, in, newSite(t, Options{}), screens[2], "")
	b.until(ready)
	for range 4 {
		b.press("a", "s", "d", "s")
	}
	b.until(moves + ` >= 6`)
	b.steady()
	made, board := js[int](b, moves), js[string](b, text)
	b.press("n")
	b.until(`document.querySelector('dialog[open]')`)
	b.press(kb.Escape)
	b.until(fmt.Sprintf(`!document.querySelector('dialog[open]') && %s === %d`, moves, made))
	b.press("n")
	b.click("Save it and begin")
	b.until(`!document.querySelector('dialog[open]') && ` + moves + ` === 0`)
	b.run(evaluate(`document.querySelector('.slot button').click()`))
	b.until(fmt.Sprintf(`%s === %d && %s === %q`, moves, made, text, board))
	// Another size has a game of its own, and this one waits.
	choose := func(size string) {
		b.run(evaluate(fmt.Sprintf(`(() => { const s = [...document.querySelectorAll('select')].find(s => s.value.includes('x')); s.value = %q; s.dispatchEvent(new Event('change', {bubbles: true})) })()`, size)))
	}
	choose("6x6")
	b.until(`document.querySelectorAll('.board .cell').length === 36 && ` + ready + ` && ` + moves + ` === 0`)
	b.press("a", "s")
	choose("4x4")
	b.until(fmt.Sprintf(`%s === %d && %s === %q`, moves, made, text, board))
	// An address that tells no game takes none away.
	for _, x := range []struct{ hash, says string }{
		{"#play/4x4/5/0/-/%E0%A4%A", "tells no game."},
		{"#play/4x4/5/4/AA", "the move changes nothing"},
		{"#play/4x4/5/0/-/exec(x=1)", "want adversary"},
	} {
		b.run(navigate(x.hash))
		b.until(fmt.Sprintf(`document.querySelector('[role=alert]')?.innerText.includes(%q)`, x.says))
		b.until(fmt.Sprintf(`!document.querySelector('dialog[open]') && %s === %d && %s === %q`, moves, made, text, board))
	}
	b.clean()
}

// Two tabs have one game, and what is done in one of them is not lost by the other.
func testTabs(t *testing.T, in context.Context) {
	a := open(t, in, newSite(t, Options{}), screens[2], "")
	a.until(ready)
	play := func(in, other *tab) {
		t.Helper()
		in.front()
		before := js[int](in, moves)
		in.press("a", "s", "d", "s", "w", "a")
		in.steady()
		made, board := js[int](in, moves), js[string](in, text)
		if made <= before {
			t.Errorf("%d moves became %d", before, made)
		}
		in.click("Save")
		other.front()
		other.until(fmt.Sprintf(`%s === %d && %s === %q`, moves, made, text, board))
	}
	play(a, a)
	b := a.another()
	b.until(ready)
	play(b, a)
	a.until(`document.body.innerText.includes('went on in another tab')`)
	play(a, b)
	for _, x := range []*tab{a, b} {
		x.front()
		x.until(`document.querySelectorAll('.slot').length === 3`)
		x.clean()
	}
}

// A player is watched to 2048, paused, stepped, taken over and handed back to.
func testWatch(t *testing.T, in context.Context) {
	for _, sc := range windows() {
		t.Run(sc.name, func(t *testing.T) {
			s := newSite(t, Options{})
			b := open(t, in, s, sc, "#watch")
			b.until(ready + ` && ` + moves + ` > 2 && document.querySelector('.edge[data-best] em')`)
			b.click("Pause")
			b.click("Go on")
			b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Pause')`)
			b.press(" ")
			b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Go on')`)
			at := js[int](b, moves)
			b.press("n")
			b.until(fmt.Sprintf(`%s === %d`, moves, at+1))
			b.press("b", "b")
			b.until(fmt.Sprintf(`%s === %d`, moves, at-1))
			b.press(kb.ArrowLeft, kb.ArrowDown, kb.ArrowRight)
			b.until(`document.body.innerText.includes('You play')`)
			b.click("Hand back")
			b.until(fmt.Sprintf(`%s > %d`, moves, at+3))
			// As fast as it goes, to the end of the game or 2048.
			b.run(evaluate(`(() => { const r = [...document.querySelectorAll('input[type=range]')].find(r => r.getAttribute('aria-valuetext').includes('second')); r.value = r.max; r.dispatchEvent(new Event('input', {bubbles: true})) })()`))
			b.until(`Math.max(...[...document.querySelectorAll('.board .tile:not(.gone)')].map(t => Number(t.innerText))) >= 2048`)
			// The connection is lost and comes back; the game of the server before is gone, so another one begins.
			s.down()
			b.until(`document.querySelector('.banner')`)
			s.up()
			b.until(`!document.querySelector('.banner')`)
			b.until(ready + ` && ` + moves + ` > 0 && document.body.innerText.includes('this is another one')`)
			b.click("Watch a new game")
			b.until(ready + ` && ` + moves + ` > 0 && !document.body.innerText.includes('this is another one')`)
			b.clean()
		})
	}
}

// A board is set up by clicks, keys and paste; values of two players, reasons and the
// tree come, and branches open and close.
func testAsk(t *testing.T, in context.Context) {
	for _, sc := range windows() {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, in, newSite(t, Options{}), sc, "#ask")
			cells := `document.querySelectorAll('.cells button')`
			b.until(cells + `.length === 16`)
			b.click("Clear")
			b.until(`document.body.innerText.includes('Put some tiles')`)
			b.click("tile 64")
			b.run(evaluate(cells + `[0].click()`))
			b.run(evaluate(cells + `[1].focus()`))
			b.press("3", kb.ArrowRight, "+", "+", kb.ArrowRight, "5", kb.Backspace, kb.ArrowDown, "1")
			b.until(`document.querySelector('textarea').value === '64,8,4,0/0,0,0,2/0,0,0,0/0,0,0,0'`)
			b.until(`document.querySelector('td.best')`)
			b.run(evaluate(`(() => { const d = new DataTransfer(); d.setData('text', '0123456701234567'); document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true})) })()`))
			b.until(`document.querySelector('textarea').value === '0,2,4,8/16,32,64,128/0,2,4,8/16,32,64,128'`)
			b.run(evaluate(`(() => { const d = new DataTransfer(); d.setData('text', '2,3/4,5'); document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true})) })()`))
			b.until(`document.querySelector('[role=alert]')?.innerText.includes('is no tile')`)
			b.click("Example")
			b.click("Add a player")
			b.until(`document.querySelectorAll('td.best').length >= 3 && document.querySelector('.line .mini')`)
			b.click("Open the search tree")
			items := `document.querySelectorAll('[role=treeitem]')`
			b.until(items + `.length > 4`)
			n := js[int](b, items+`.length`)
			b.run(evaluate(items + `[0].focus()`))
			b.press(kb.ArrowLeft)
			b.until(items + `.length === 1`)
			b.press(kb.ArrowRight)
			b.until(items + `.length > 1`)
			b.click("Open all")
			b.until(fmt.Sprintf(`%s.length > %d`, items, n))
			b.click("Best line")
			b.until(fmt.Sprintf(`%s.length === %d`, items, n))
			b.clean()
		})
	}
}

// A record is loaded as text, its worst moves are listed and can be gone to; broken
// ones are refused.
func testReview(t *testing.T, in context.Context) {
	s := newSite(t, Options{})
	b := open(t, in, s, screens[2], "#review")
	b.click("Show an example")
	b.until(`document.querySelector('ol.list button') && document.querySelectorAll('.chart canvas').length === 2`)
	b.run(evaluate(`document.querySelector('ol.list button').click()`))
	b.until(`document.querySelector('#moves').innerText.split(' ')[0] !== '0' && document.body.innerText.includes('is better')`)
	at := js[string](b, `document.querySelector('#moves').innerText`)
	b.press("n", "n", "b")
	b.until(fmt.Sprintf(`document.querySelector('#moves').innerText !== %q`, at))
	b.click("Review another game")
	b.run(chromedp.SendKeys("dialog textarea", `{"afterstate_record":1}`))
	b.click("Review it")
	b.until(`document.querySelector('[role=alert]')?.innerText.includes('is missing')`)
	b.clean()
}

// Experiments are begun, followed and stopped; the curve of a training that runs grows.
func testMeasure(t *testing.T, in context.Context) {
	runner := newRunner(t, 1)
	runs := t.TempDir()
	s := newSite(t, Options{Experiments: runner, Runs: runs})
	b := open(t, in, s, screens[3], "#experiments")
	b.until(`document.querySelector('textarea')`)
	set := func(find, value string) {
		b.run(evaluate(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event('input', {bubbles: true})) })()`, find, value)))
	}
	set("textarea", "greedy\nrandom")
	b.run(evaluate(`document.querySelector('input[type=number]').select()`))
	b.press(kb.Backspace, "4", "0")
	b.until(`document.querySelector('input[type=number]').value === '40'`)
	b.click("Let them play")
	b.until(`document.body.innerText.includes('Against greedy') && document.querySelector('.chart canvas') && document.querySelector('table b').innerText !== '–'`)
	set("textarea", "greedy\nnobody")
	b.click("Let them play")
	b.until(`document.querySelector('[role=alert]')?.innerText.includes('no player is called "nobody"')`)
	set("textarea", "expectimax(plies=3)")
	set("input[type=number]", "9999")
	b.click("Let them play")
	b.until(`[...document.querySelectorAll('h2')].some(h => h.innerText === 'trial-2')`)
	b.click("Stop")
	b.until(`document.body.innerText.includes('stopped early')`)
	b.click("Go on")
	b.until(`!document.body.innerText.includes('stopped early')`)
	b.click("Stop")
	b.until(`document.body.innerText.includes('stopped early')`)

	run := filepath.Join(runs, "first")
	if err := os.Mkdir(run, 0o755); err != nil {
		t.Fatal(err)
	}
	metrics, err := os.Create(filepath.Join(run, "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer metrics.Close()
	write := func(n int) {
		fmt.Fprintf(metrics, `{"games":%d,"moves":%d,"mean_score":%d,"reached":{"512":0.9,"1024":0.5,"2048":0.1},"games_per_s":100,"moves_per_s":100000,"elapsed_s":%d}`+"\n", n*1000, n*500000, n*700, n*10)
	}
	for n := range 5 {
		write(n + 1)
	}
	b.run(navigate("#training"))
	b.until(`document.querySelectorAll('.chart canvas').length === 2 && document.body.innerText.includes('3,500')`)
	write(6)
	b.until(`document.body.innerText.includes('4,200')`)
	// A curve is as large as the words around it.
	high := js[float64](b, `document.querySelector('.chart').clientHeight`)
	b.run(chromedp.EmulateViewport(3840, 2160))
	b.until(fmt.Sprintf(`document.querySelector('.chart .uplot').clientHeight > 1.5 * %v`, high))
	b.clean()
}

// Without motion nothing moves, and boards are shown as well.
func testReducedMotion(t *testing.T, in context.Context) {
	b := open(t, in, newSite(t, Options{}), screens[2], "")
	b.until(ready)
	b.media(still)
	b.press("a", "s")
	b.until(moves + ` > 0`)
	if n := js[int](b, `document.getAnimations().length`); n != 0 {
		t.Errorf("%d animations run", n)
	}
}

// No view has what axe-core holds against it, in any window.
func testAxe(t *testing.T, in context.Context) {
	source := os.Getenv("AXE")
	if source == "" {
		notRun(t, "AXE does not name axe-core's axe.min.js")
	}
	axe, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	runner := newRunner(t, 1)
	if _, err := runner.Start(t.Context(), &wire.StartExperiment{Players: []string{"greedy", "random"}, Games: 20, Size: board.Size{Rows: 4, Cols: 4}}); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, Options{Experiments: runner})
	for _, sc := range []screen{screens[0], screens[2]} {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, in, s, sc, "")
			b.run(evaluate(string(axe)))
			check := func(view string) {
				t.Helper()
				for _, b.screen.dark = range []bool{true, false} {
					b.media(still) // what fades in has too little contrast for a moment
					b.run(evaluate(`window.found = null; axe.run(document, {resultTypes: ['violations']}).then(r => { window.found = r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160) + ' ' + n.failureSummary.replaceAll('\n', ' ')).join(' | ')) })`))
					b.until(`window.found`)
					for _, v := range js[[]string](b, `window.found`) {
						t.Errorf("%s, dark %v: %s", view, b.screen.dark, v)
					}
				}
			}
			b.until(ready)
			b.click("Hint")
			b.click("Why?")
			b.until(`document.querySelector('.line') && document.querySelector('.edge[data-best]')`)
			b.press("a", "s", "d")
			b.until(`document.querySelector('.line')`)
			check("play")
			b.press("n")
			b.until(`document.querySelector('dialog[open]')`)
			check("new game")
			b.press(kb.Escape)
			b.run(navigate("#watch"))
			b.until(moves + ` > 1`)
			b.press(" ")
			check("watch")
			b.run(navigate("#ask"))
			b.until(`document.querySelector('.line')`)
			b.click("Open the search tree")
			b.until(`document.querySelectorAll('[role=treeitem]').length > 4`)
			check("ask")
			b.run(navigate("#review"))
			b.until(`document.querySelector('textarea')`)
			check("review")
			b.click("Show an example")
			b.until(`document.querySelector('ol.list button')`)
			check("reviewing")
			b.run(navigate("#experiments"))
			b.until(`document.querySelector('table b')`)
			check("experiments")
			b.run(navigate("#training"))
			b.until(`document.body.innerText.includes('There are none')`)
			check("training")
			b.clean()
		})
	}
}
