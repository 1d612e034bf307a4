//go:build browser || pictures

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// What tests read from the page.
const (
	ready = `document.querySelectorAll('.board .tile').length >= 2`
	moves = `Number(document.querySelector('#moves').innerText.replaceAll(',', ''))`
	// answered is whether every move is answered.
	answered = `document.querySelector('.board').getAttribute('aria-busy') === 'false'`
	text     = `document.querySelector('.board').getAttribute('aria-label')`
)

// sheet opens the sheet of Play and presses a button of it.
func (b *tab) sheet(name string) {
	b.t.Helper()
	b.click("More")
	b.until(`document.querySelector('dialog.sheet[open]')`)
	b.click(name)
}

// option chooses a setting in the sheet of Play, after which the keys go to the board.
func (b *tab) option(name string) {
	b.t.Helper()
	b.sheet(name)
	b.until(`!document.querySelector('dialog[open]') && document.activeElement.matches('.board')`)
}

// saveGame saves the game to play on later.
func (b *tab) saveGame() {
	b.t.Helper()
	b.sheet("Save to play on later")
	b.until(`document.querySelector('.slot')`)
	b.press(kb.Escape)
	b.until(`!document.querySelector('dialog[open]')`)
}

// A game can be played by keyboard: moves during animations, undo, redo, a hint, a reload. The game goes on while no
// server answers.
func testPlay(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	b := open(t, in, s, sc, "#play/on/4x4/5/0/-/0")
	b.until(`location.hash === '#play'`)
	b.move()
	start, _ := playedBy(t, "4x4", 5, 0)
	b.shows(start.Board())
	// Keys faster than animations.
	const made = 30
	g, all := playedBy(t, "4x4", 5, made, board.Left, board.Down, board.Right, board.Up)
	for i, d := range all {
		b.press([]string{arrowKeys[d], moveKeys[d], string("kljh"[d])}[i%3])
	}
	b.shows(g.Board())
	b.until(fmt.Sprintf(`%s === %d`, moves, made))
	b.steady()
	board := js[string](b, text)
	b.press("u", "u", "u")
	b.until(fmt.Sprintf(`%s === %d`, moves, made-3))
	b.press("r", "r", "r")
	b.until(fmt.Sprintf(`%s === %d && %s === %q`, moves, made, text, board))

	// A hint that is requested while moves are made is about the board after these moves.
	b.press("u", " ")
	b.until(fmt.Sprintf(`%s === %d && document.querySelector('.edge[data-best] em')`, moves, made-1))
	b.until(`[...document.querySelectorAll('[role=status]')].some(e => e.innerText.startsWith('Hint: '))`)
	b.press("r")
	b.until(fmt.Sprintf(`%s === %d && !document.querySelector('.edge em')`, moves, made))
	b.click("Hint")
	b.until(`document.querySelector('.edge[data-best] em')`)

	b.run(chromedp.Reload())
	b.until(fmt.Sprintf(`%s && %s === %d && %s === %q`, ready, moves, made, text, board))
	s.down()
	b.press("u", "u")
	b.until(fmt.Sprintf(`%s === %d`, moves, made-2))
	b.press("r", "r")
	b.until(fmt.Sprintf(`%s === %q && !document.querySelector('.banner')`, text, board))
	s.up()
	b.click("Hint") // it works again by itself
	b.until(`document.querySelector('.edge[data-best] em')`)
	// A move that changes nothing, and one that is taken back, are said.
	b.visit("#play/from/2,4,0,0/4,2,0,0/0,0,0,0/0,0,0,0", `document.querySelector('dialog[open]')`)
	b.click("Start without saving")
	b.press("a")
	b.until(spokenNow + `.includes('Nothing moves.')`)
	b.press("d", "u")
	b.until(spokenNow + `.some(x => x.startsWith('Move taken back'))`)
	b.clean()
}

// spokenNow returns the texts of all live regions, which a screen reader speaks.
const spokenNow = `[...document.querySelectorAll('[role=status]')].map(e => e.innerText.trim())`

// Letters are read by what they type, with Caps Lock and on other layouts too; shortcuts come before the places of WASD.
func testLayouts(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#play/on/4x4/5/0/-/0")
	b.until(ready + ` && location.hash === '#play'`)
	press := func(key, code string) {
		b.run(evaluate(fmt.Sprintf(`dispatchEvent(new KeyboardEvent('keydown', {key: %q, code: %q}))`, key, code)))
	}
	const made = 12
	g, all := playedBy(t, "4x4", 5, made, board.Left, board.Down, board.Right, board.Up)
	for i, d := range all { // with Caps Lock, in Cyrillic, and HJKL on Dvorak
		press([]string{"WDSA"[d : d+1], string([]rune("цвыф")[d]), "kljh"[d : d+1]}[i%3], []string{"Key" + "WDSA"[d:d+1], "Key" + "WDSA"[d:d+1], "KeyX"}[i%3])
	}
	b.shows(g.Board())
	for _, x := range []struct {
		key, code string
		after     int // moves
	}{{"U", "KeyU", made - 1}, {"г", "KeyU", made - 2}, {"r", "KeyS", made - 1}, {"R", "KeyR", made}} { // Colemak has R where S is
		press(x.key, x.code)
		b.until(fmt.Sprintf(`%s === %d`, moves, x.after))
	}
	press("n", "KeyL") // on Dvorak
	b.until(`document.querySelector('dialog[open]')`)
	b.clean()
}

// steady waits until every move is answered.
func (b *tab) steady() {
	b.t.Helper()
	b.until(answered)
}

// shown is the board of the page, in any language.
const shown = `(() => {
	const frame = document.querySelector('.frame'), side = name => Number(frame.style.getPropertyValue(name))
	const cells = Array.from({length: side('--rows')}, () => Array(side('--cols')).fill(0))
	for (const t of document.querySelectorAll('.board .tile:not(.gone)')) cells[t.style.getPropertyValue('--y')][t.style.getPropertyValue('--x')] = t.innerText
	return cells.map(r => r.join()).join('/')
})()`

// isOver is whether the game of Play has ended.
const isOver = `document.querySelector('.over')`

// shownBoard is the board of the page.
func (b *tab) shownBoard() board.Board {
	b.t.Helper()
	return must.Get(board.Parse(js[string](b, shown)))(b.t)
}

// legal returns the first legal move in an order, which is left, down, right, up if none is given.
func (b *tab) legal(order ...board.Direction) board.Direction {
	b.t.Helper()
	b.until(ready) // a new board is empty at first
	at := b.shownBoard()
	for _, d := range append(order, board.Left, board.Down, board.Right, board.Up) {
		if _, _, moved := at.Slide(d); moved {
			return d
		}
	}
	b.t.Fatalf("%s: no move is legal on %v", b.screen.name, at)
	return 0
}

// make makes a move, by a swipe or a key.
func (b *tab) make(d board.Direction) {
	b.t.Helper()
	if b.screen.touch {
		b.swipeOn(`document.querySelector('.board')`, d)
		return
	}
	b.press(moveKeys[d])
}

var (
	moveKeys  = [4]string{board.Up: "w", board.Right: "d", board.Down: "s", board.Left: "a"}
	arrowKeys = [4]string{board.Up: kb.ArrowUp, board.Right: kb.ArrowRight, board.Down: kb.ArrowDown, board.Left: kb.ArrowLeft}
)

// play makes some moves in Play by keys, each the first legal one in an order.
func (b *tab) play(count int, order ...board.Direction) {
	b.t.Helper()
	for made := js[int](b, moves); count > 0; count-- {
		b.press(moveKeys[b.legal(order...)])
		made++
		b.until(fmt.Sprintf(`%s === %d && %s`, moves, made, answered))
	}
}

// playUntil plays in Play until a condition holds.
func (b *tab) playUntil(condition string, order ...board.Direction) {
	b.t.Helper()
	for !b.holds(condition) {
		b.play(1, order...)
	}
}

// Fingers swipe, in all four directions, and a second finger makes no move.
func testTouch(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	box := b.box(`document.querySelector('.board')`)
	x, y := box.middle()
	swipe := func(dx, dy float64) {
		t.Helper()
		b.finger(x, y, [2]float64{dx / 4, dy / 4}, [2]float64{dx / 2, dy / 2}, [2]float64{dx, dy})
	}
	far := box.W / 3
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
	b.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y, ID: &first})
	b.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y, ID: &first}, &input.TouchPoint{X: x + 30, Y: y + 30, ID: &second})
	b.touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: x - far, Y: y, ID: &first}, &input.TouchPoint{X: x + far, Y: y + 30, ID: &second})
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.steady()
	if after := js[int](b, moves); after != before {
		t.Errorf("%d moves became %d by no swipe", before, after)
	}
	b.unscrolled()
	b.clean()
}

// A new game asks before one is lost; it can be saved first and taken up again.
func testSlots(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	const made = 6
	b.play(made)
	board := js[string](b, text)
	b.press("n")
	b.until(`document.querySelector('dialog[open]')`)
	b.press(kb.Escape)
	b.until(fmt.Sprintf(`!document.querySelector('dialog[open]') && %s === %d`, moves, made))
	b.press("n")
	b.click("Save and start")
	b.until(`!document.querySelector('dialog[open]') && ` + moves + ` === 0`)
	b.click("More")
	b.run(evaluate(`document.querySelector('.slot button').click()`))
	b.until(fmt.Sprintf(`%s === %d && %s === %q`, moves, made, text, board))
	// Another size has a game of its own, and so have other new tiles; this one waits.
	b.option("6 × 6")
	b.until(`document.querySelectorAll('.board .cell').length === 36 && ` + ready + ` && ` + moves + ` === 0`)
	b.play(1)
	b.option("4 × 4")
	b.option("only 4s")
	b.until(moves + ` === 0 && ` + text + `.replace(/row .:|Board:|empty|[ ,;]/g, '') === '44'`)
	b.option("usual")
	b.until(fmt.Sprintf(`%s === %d && %s === %q`, moves, made, text, board))
	// A link that holds no game takes none away.
	for _, x := range []struct{ hash, says string }{
		{"#play/4x4/5/0/-/0/%E0%A4%A", "holds no game."},
		{"#play/4x4/5/4/AA/5", "holds no game."},
		{"#play/4x4/5/4/AA/4", "is not legal"},
		{"#play/4x4/5/0/-/0/exec(x=1)", "holds no game."},
	} {
		b.visit(x.hash, fmt.Sprintf(`document.querySelector('[role=alert]')?.innerText.includes(%q)`, x.says))
		b.until(fmt.Sprintf(`!document.querySelector('dialog[open]') && %s === %d && %s === %q`, moves, made, text, board))
	}
	b.clean()
}

// Two tabs have one game, and what is done in one of them is not lost by the other.
func testTabs(t *testing.T, in pages, sc screen) {
	a := open(t, in, in.site(t), sc, "")
	a.until(ready)
	play := func(in, other *tab) {
		t.Helper()
		in.front()
		before := js[int](in, moves)
		in.play(6)
		made, board := before+6, js[string](in, text)
		in.saveGame()
		other.front()
		other.until(fmt.Sprintf(`%s === %d && %s === %q`, moves, made, text, board))
	}
	play(a, a)
	b := a.another()
	b.until(ready)
	play(b, a)
	a.until(`document.body.innerText.includes('continued in another tab')`)
	play(a, b)
	for _, x := range []*tab{a, b} {
		x.front()
		x.click("More")
		x.until(`document.querySelectorAll('.slot').length === 3`)
		x.clean()
	}
}

// The largest tiles of a 6x6 board fit into their cells.
func testLargeTiles(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#play/from/68719476736,1073741824,536870912,1048576,131072,2/2,4,2,4,2,4/4,2,4,2,4,2/2,4,2,4,2,4/4,2,4,2,4,2/2,4,2,4,0,0")
	b.until(text + `.includes('68719476736')`)
	b.until(`[...document.querySelectorAll('.tile u')].every(e => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect().width <= e.getBoundingClientRect().width })`)
	b.clean()
}

// The computer plays on in a copy of the game, which a person can take over and hand back; the own game comes back as it was.
func testHandOver(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	b.play(3)
	before := js[string](b, text)
	b.sheet("Watch from here")
	b.until(moves + ` > 4`)
	b.click("Take over")
	b.until(named("Hand back"))
	b.play(1)
	b.shot("handover")
	b.click("Hand back")
	b.until(named("Take over"))
	b.click("My game")
	b.until(fmt.Sprintf(`%s === 3 && %s === %q && %s`, moves, text, before, named("Hint")))
	b.clean()
}

// Help begins with the rules, for fingers on a phone, and has the keys where there is a keyboard.
func testHelp(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#play")
	b.until(ready)
	if _, err := chromedp.Call(b.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: sc.touch}); err != nil {
		t.Fatal(err) // EmulateViewport has set it back
	}
	b.until(fmt.Sprintf(`matchMedia('(pointer: coarse)').matches === %v`, sc.touch))
	b.menu("Help")
	first, how := "Press an arrow key", `document.querySelector('dialog td').checkVisibility()`
	if sc.touch {
		first, how = "Swipe across the board:", `!`+how
	}
	b.until(fmt.Sprintf(`document.querySelector('dialog h3').innerText === 'How to play' && document.querySelector('dialog li').innerText.startsWith(%q) && %s`, first, how))
	b.until(`scrollY === 0 && document.querySelector('dialog').scrollTop === 0`)
	b.shot("help")
	b.run(evaluate(`document.querySelector('dialog summary').click()`))
	b.until(fmt.Sprintf(`document.querySelector('dialog td').checkVisibility() === %v`, sc.touch))
	b.click("Close")
	b.until(`!document.querySelector('dialog')`)
	b.clean()
}
