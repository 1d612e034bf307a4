//go:build browser || pictures

package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

const (
	followed = `document.querySelector('.board').getAttribute('aria-label')`
	awaiting = `document.querySelector('.spots[data-waiting]')`
	spots    = `document.querySelectorAll('.spots button')`
	// seen reports whether an element is in the window, beside the bars at its top and bottom.
	seen = `(e => { const r = e.getBoundingClientRect(), bar = document.querySelector('.top').getBoundingClientRect(), top = bar.width < innerWidth ? 0 : bar.bottom, tabs = document.querySelector('.tabs').getBoundingClientRect(); return r.top >= top - 1 && r.bottom <= (tabs.top > innerHeight / 2 ? tabs.top : innerHeight) + 1 })`
)

// A whole game played elsewhere is followed with two touches a move: a swipe across the board or beside it, or a button
// makes the move, a tap places a 2 and a hold a 4. The board stays where it is.
func testFollow(t *testing.T, in pages, sc screen) {
	g, _ := playedBy(t, "4x4", 99, 10_000, board.Down, board.Left, board.Right, board.Up)
	steps, last := g.Steps(), g.Board()
	for g.Undo() {
	}
	start := g.Board()
	b := open(t, in, in.site(t), sc, fmt.Sprintf("#solve/%v/0", start))
	b.until(`document.querySelector('.cells button') && document.querySelector('.edge[data-best]') && location.hash === '#solve'`)
	b.timers(hold)
	b.run(evaluate(`window.touches = 0; addEventListener('pointerdown', () => touches++, true); window.jumps = new Set()`))
	for i, s := range steps {
		if !g.Redo() {
			t.Fatal("the game has fewer moves")
		}
		b.follow(i, s)
		want := fmt.Sprintf("[%d,%d]", s.Spawn.Cell, board.Tile(s.Spawn.Exponent))
		b.until(fmt.Sprintf(`!%s && JSON.stringify([%d, Number(document.querySelector('.spots [data-fresh]')?.ariaLabel.split(': ')[1])]) === %q`, awaiting, s.Spawn.Cell, want))
		b.run(evaluate(`jumps.add(Math.round(document.querySelector('.frame').getBoundingClientRect().top + scrollY))`))
		if i%12 == 0 { // advice about this board comes without another touch
			b.until(`document.querySelector('.edge[data-best]') && document.querySelector('.pad [data-best]')`)
			if !js[bool](b, seen+`(document.querySelector('.frame')) && `+seen+`(document.querySelector('.advice')) && `+seen+`(document.querySelector('.pad'))`) {
				t.Errorf("move %d: board, advice and buttons are not in the window", i+1)
			}
		}
	}
	if got := js[string](b, followed); got != spokenBoard(&last) {
		t.Errorf("the game ends on %s, not %s", got, spokenBoard(&last))
	}
	b.until(`document.querySelector('.advice').innerText.includes('No moves left')`)
	if jumps := js[[]int](b, `[...jumps]`); len(jumps) != 1 {
		t.Errorf("the board jumps: its top is at %v", jumps)
	}
	touches := js[int](b, `touches`)
	t.Logf("%d moves took %d touches", len(steps), touches)
	if touches > 2*len(steps) {
		t.Errorf("%d moves took %d touches: must be at most two a move", len(steps), touches)
	}
	b.clean()
}

// hold is the time in milliseconds after which a touch is a hold. On a busy machine a tap may take that long, so the clock must
// not decide.
const hold = 400

// follow makes the move in one of several ways and places its tile, by touch.
func (b *tab) follow(i int, s game.Step) {
	b.t.Helper()
	switch i % 3 {
	case 0:
		b.swipeOn(`document.querySelector('.advice')`, s.Move)
	case 1:
		b.point(fmt.Sprintf(`document.querySelector('.pad [aria-label^="Move %v"]')`, s.Move))
	default:
		b.swipeOn(`document.querySelector('.frame')`, s.Move)
	}
	b.until(awaiting)
	if s.Spawn.Exponent == 1 {
		b.point(fmt.Sprintf(`%s[%d]`, spots, s.Spawn.Cell))
		return
	}
	x, y := b.box(fmt.Sprintf(`%s[%d]`, spots, s.Spawn.Cell)).middle()
	b.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	b.elapse()
	b.until(`!` + awaiting)
	// A finger that rests longer is no second tap. Once is enough.
	b.until(`window.rested || (window.rested = performance.now() - (window.held ??= performance.now()) > 1000)`)
	b.touch(input.DispatchTouchEventTypeTouchEnd)
}

// swipeOn swipes across an element.
func (b *tab) swipeOn(element string, d board.Direction) {
	b.t.Helper()
	x, y := b.box(element).middle()
	dx, dy := []float64{0, 1, 0, -1}[d], []float64{-1, 0, 1, 0}[d]
	b.finger(x, y, [2]float64{12 * dx, 12 * dy}, [2]float64{30 * dx, 30 * dy}, [2]float64{60 * dx, 60 * dy})
}

// shows waits until a board is shown.
func (b *tab) shows(m board.Board) {
	b.t.Helper()
	b.until(fmt.Sprintf(`%s === %q`, text, spokenBoard(&m)))
}

// spokenBoard is a board as the page says it.
func spokenBoard(m *board.Board) string {
	rows := strings.Split(m.String(), "/")
	for i, row := range rows {
		cells := strings.Split(row, ",")
		for k := range cells {
			if cells[k] == "0" {
				cells[k] = "empty"
			}
		}
		rows[i] = fmt.Sprintf("row %d: %s", i+1, strings.Join(cells, ", "))
	}
	return "Board: " + strings.Join(rows, "; ")
}

// On a desk keys do it all; a tile is corrected, and every action can be undone, also after a reload.
func testFollowKeys(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#solve/2,2,4/0,0,4/8,0,0/100")
	b.until(`document.querySelector('.edge[data-best]')`)
	board := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector('textarea').value === %q`, want))
	}
	score := `String(JSON.parse(localStorage.getItem('afterstate.asked')).at(-1).score)`
	b.press(kb.ArrowRight)
	b.until(awaiting + ` && document.querySelector('.advice').innerText.startsWith('Tap where')`)
	board("0,4,4/0,0,4/0,0,8")
	b.until(score + ` === '104'`)
	b.press("k") // no move before the tile is placed
	b.until(`document.querySelector('.advice').innerText.includes('or undo')`)
	b.press(kb.ArrowRight, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight, kb.Enter) // to cells 0, 3, 6 and 7
	board("0,4,4/0,0,4/0,2,8")
	b.press(kb.Enter)
	board("0,4,4/0,0,4/0,4,8")
	b.press(kb.Enter)
	board("0,4,4/0,0,4/0,0,8")
	b.until(awaiting)
	b.run(evaluate(spots + `[0].click()`))
	board("2,4,4/0,0,4/0,0,8")
	b.run(evaluate(spots + `[3].click()`)) // the right cell
	board("0,4,4/2,0,4/0,0,8")
	b.run(evaluate(spots + `[1].click()`))
	b.until(`document.querySelector('.advice').innerText.includes('choose Edit')`)
	b.press("u", "u")
	board("2,2,4/0,0,4/8,0,0")
	b.until(`document.querySelector('.cells') && ` + score + ` === '100'`)
	b.press(kb.ArrowRight)
	b.until(awaiting)
	b.reload()
	b.until(awaiting)
	b.press("u")
	board("2,2,4/0,0,4/8,0,0")
	b.press(kb.ArrowUp)
	b.until(awaiting)
	b.press("u")
	b.click("Clear")
	b.until(`document.querySelector('.advice').innerText.includes('Put some tiles')`)
	b.press("u")
	board("2,2,4/0,0,4/8,0,0")
	b.clean()
}

// A 2 becomes a 4 before its advice has come: the request is cancelled, and the next one asks about
// the 4.
func testFollowFour(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#training")
	b.until(`document.querySelector('main')`)
	b.run(evaluate(`localStorage.setItem('afterstate.judges', '["expectimax(plies=20)"]')`), navigate("#solve/2,2,4,8/0,0,4,16/8,0,0,2/2,4,8,16/0"))
	b.until(`document.querySelector('textarea')?.value.startsWith('2,2,4,8')`)
	b.timers(hold)
	b.run(evaluate(recording))
	asked := func(board string) {
		t.Helper()
		b.until(fmt.Sprintf(`sent.some(m => m.method === 'analyze' && m.params.board === %q)`, board))
	}
	b.point(`document.querySelector('.pad [aria-label^="Move left"]')`)
	b.until(awaiting)
	// Nothing can be asked about a board that lacks a tile, and the note fits on its line.
	b.point(`document.querySelector('.pad [aria-label^="Move up"]')`)
	b.until(`document.querySelector('.advice b').innerText.startsWith('First')`)
	if js[bool](b, `(e => e.scrollWidth > e.clientWidth)(document.querySelector('.advice b'))`) {
		t.Error("the note does not fit on its line")
	}
	b.point(spots + `[3]`)
	asked("4,4,8,2/4,16,0,0/8,2,0,0/2,4,8,16")
	b.point(spots + `[3]`)
	asked("4,4,8,4/4,16,0,0/8,2,0,0/2,4,8,16")
	b.until(`sent.some(c => c.method === 'cancel' && sent.some(m => m.id === c.params.id && m.params.board.startsWith('4,4,8,2')))`)
	if js[bool](b, `!!document.querySelector('.edge[data-best]')`) {
		t.Error("the page shows advice that it has not received")
	}
	b.clean()
}
