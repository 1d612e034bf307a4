//go:build browser || pictures

package serve

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// boardShown reports whether the whole board is in the window, nothing covers it, and it takes most of a low window's height.
const boardShown = `(f => {
	const r = f.getBoundingClientRect(), bars = [...document.querySelectorAll('.top, .tabs')].map(e => e.getBoundingClientRect())
	const inside = r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight
	const free = bars.every(x => x.right <= r.left + 1 || x.bottom <= r.top + 1 || x.top >= r.bottom - 1)
	const uncovered = [[0.1, 0.1], [0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.9, 0.9]].every(([x, y]) => f.contains(document.elementFromPoint(r.x + x * r.width, r.y + y * r.height)))
	return inside && free && uncovered && (innerHeight > 500 || r.height > 0.78 * innerHeight)
})(document.querySelector('.frame'))`

// The board of every view fits into the window of a phone in landscape and stays there while the page is scrolled. Beside
// it is the first thing to use.
func testLandscape(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	shown := func(view, first string) {
		t.Helper()
		b.until(`scrollY === 0 && document.documentElement.scrollWidth <= innerWidth && ` + boardShown)
		b.until(`(r => r.top >= 0 && r.bottom <= innerHeight && r.right <= innerWidth)(` + first + `.getBoundingClientRect())`)
		b.shot("landscape-" + view)
		b.run(evaluate(`scrollTo(0, document.body.scrollHeight)`))
		b.until(`(scrollY > 0 || document.documentElement.scrollHeight <= innerHeight) && ` + boardShown)
		b.run(evaluate(`scrollTo(0, 0)`))
	}
	b.until(ready)
	shown("play", named("Undo"))
	b.visit("#watch", ready+` && `+moves+` > 1`)
	shown("watch", named("Pause"))
	b.point(named("New game"))
	b.until(ready + ` && ` + boardShown)
	b.visit("#solve", `document.querySelector('.cells button')`)
	shown("ask", named("Read a screenshot"))
	b.run(navigate("#review"))
	b.click("Show an example")
	b.until(allJudged)
	shown("review", named("Try again here"))
	b.visit("#learn/hard", `document.querySelector('#tried')`)
	shown("practice", named("Show the answer"))
	for _, view := range []string{"games", "experiments", "training", "learn/endings", "learn/lessons", "learn/puzzles", "learn/stages", "today", "today/duel"} {
		b.run(navigate("#" + view))
		b.until(`document.querySelector('main .card') && document.documentElement.scrollWidth <= innerWidth`)
		b.shot("landscape-" + strings.ReplaceAll(view, "/", "-"))
	}
	for _, name := range []string{"Settings", "Help"} {
		b.until(`(r => r.top >= 0 && r.bottom <= innerHeight + 8)(document.querySelector('.menu-button').getBoundingClientRect())`)
		b.menu(name)
		b.until(`document.querySelector('dialog[open]')`)
		b.shot("landscape-" + name)
		b.press(kb.Escape)
		b.until(`!document.querySelector('dialog')`)
	}
	b.clean()
}

// On a phone upright the button for a screenshot is the first thing in Solve, and a new game that is watched shows its board.
func testUpright(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#solve")
	b.until(`document.querySelector('.edge[data-best]')`)
	b.until(seen + `(` + named("Read a screenshot") + `) && ` + seen + `(document.querySelector('.frame'))`)
	if y := js[float64](b, named("Read a screenshot")+`.getBoundingClientRect().bottom`); y > 120 {
		t.Errorf("the button ends %v pixels from the top", y)
	}
	b.visit("#watch", ready+` && `+moves+` > 1`)
	b.run(evaluate(named("New game") + `.scrollIntoView({block: 'center'})`)) // above the tabs
	b.point(named("New game"))
	b.until(ready + ` && ` + seen + `(document.querySelector('.frame'))`)
	b.clean()
}

// A swipe across free space, above or below the board, makes a move and does not scroll; a tap outside of the board makes none.
func testFreeSwipes(t *testing.T, in pages, sc screen) {
	const start = "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2"
	b := open(t, in, in.site(t), sc, "#play/from/"+start)
	b.shows(must.Get(board.Parse(start))(t))
	frame, edge := b.box(`document.querySelector('.frame')`), b.box(`document.querySelector('.edge.left')`).W
	for _, part := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		for _, side := range []float64{edge / 2, frame.W - edge/2} {
			b.finger(frame.X+side, frame.Y+part*frame.H)
		}
		b.finger(frame.X+part*frame.W, frame.Y+edge/2)
		b.finger(frame.X+part*frame.W, frame.Y+frame.H-edge/2)
	}
	b.steady()
	if n := js[int](b, moves); n != 0 {
		t.Fatalf("%d moves by taps beside the board", n)
	}
	// From the strip beside the board, from the figures, and from the gap above the cards.
	figures := `document.querySelector('.figures')`
	b.swipeOn(figures, board.Down)
	b.until(moves + ` === 1`)
	b.steady()
	b.swipeOn(`document.querySelector('.edge.left')`, board.Right)
	b.until(moves + ` === 2`)
	b.steady()
	b.swipeOn(figures, board.Up)
	b.until(moves + ` === 3`)
	b.unscrolled()
	b.steady()
	// From below the buttons too.
	b.finger(frame.X+frame.W/2, frame.Y+frame.H+120, [2]float64{-20, 0}, [2]float64{-60, 0})
	b.until(moves + ` === 4`)
	b.unscrolled()
	b.clean()
}
