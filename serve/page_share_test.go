//go:build browser || pictures

package serve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/rules/board"
)

// clipboard is what the page copies; dialog is the text of the open dialog.
const (
	clipboard = `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve() }`
	dialog    = `[...document.querySelectorAll('dialog[open]')].at(-1)?.innerText`
	games     = `localStorage.getItem('afterstate.games')`
)

// A shared game opens as a replay at the move of the link; it says so, plays, pauses and is played on, and the visitor's
// own game stays.
func testShare(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	b := open(t, in, s, sc, "")
	b.until(ready)
	b.play(8)
	b.press("u", "u")
	b.steady()
	made, there := js[int](b, moves), js[string](b, text)
	b.run(evaluate(clipboard))
	b.sheet("Share")
	b.until(`window.copied && ` + dialog + `.includes('The link is copied.') && document.querySelector('dialog input[readonly]').value === window.copied`)
	b.until(dialog + `.includes('Others cannot open this link: on their device, 127.0.0.1') && ` + dialog + `.includes('Download')`)
	b.shot("share")
	address := js[string](b, `window.copied`)
	if folder := s.url(""); !strings.HasPrefix(address, folder+"#play/") {
		t.Errorf("%s is not an address of %s", address, folder)
	}
	b.press(kb.Escape)

	// A visitor with a game.
	v := open(t, in, s, sc, "")
	v.until(ready)
	v.play(3, board.Right, board.Down, board.Left, board.Up)
	own, ownMoves, kept := js[string](v, text), js[int](v, moves), js[string](v, games)
	v.run(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	v.until(fmt.Sprintf(`%s && %s === %d && %s === %q && document.body.innerText.includes('This is a shared game.')`, ready, moves, made, text, there))
	v.until(seen + `(document.querySelector('.frame')) && ` + seen + `(` + named("Play on from here") + `)`)
	v.shot("shared")
	v.press("w", "s") // no moves
	v.press(kb.Home)
	v.until(moves + ` === 0`)
	v.press("n", "n", "b")
	v.until(moves + ` === 1`)
	start := evaluate(`document.querySelector('.boardside [aria-label=Play]').click()`) // not the tab
	v.run(start)
	v.until(fmt.Sprintf(`%s === %d && %s === %q && document.querySelector('.boardside [aria-label=Play]')`, moves, made, text, there))
	v.run(start) // again from the beginning
	v.click("Pause")
	v.until(`document.querySelector('.boardside [aria-label=Play]')`)
	v.set(`document.querySelector('.boardside input[type=range]')`, 4)
	v.until(moves + ` === 4`)
	v.steady()
	fourth := js[string](v, text)
	v.run(evaluate(clipboard))
	v.click("Share")
	v.until(`window.copied && ` + dialog + `.includes('The link is copied.')`)
	at := open(t, in, s, sc, js[string](v, `window.copied.slice(window.copied.indexOf('#'))`))
	at.until(fmt.Sprintf(`%s && %s === 4 && %s === %q`, ready, moves, text, fourth))
	at.clean()
	v.press(kb.Escape)
	v.until(`!document.querySelector('dialog[open]')`)
	if now := js[string](v, games); now != kept {
		t.Errorf("a shared game changes the visitor's from %s to %s", kept, now)
	}
	v.click("Play on from here")
	v.until(dialog + `.includes('would end')`)
	v.click("Keep playing")
	v.until(fmt.Sprintf(`!document.querySelector('dialog[open]') && %s === %d && %s === %q`, moves, ownMoves, text, own))
	v.run(evaluate(`history.back()`))
	v.until(`document.body.innerText.includes('This is a shared game.')`)
	v.click("Your own game")
	v.until(fmt.Sprintf(`%s === %d && %s === %q && %s === %q`, moves, ownMoves, text, own, games, kept))

	// Played on from the move that is shown.
	v.run(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	v.until(ready)
	v.press(kb.Home, "n", "n", "n", "n")
	v.until(fmt.Sprintf(`%s === 4 && %s === %q`, moves, text, fourth))
	v.click("Play on from here")
	v.click("Save and start")
	v.until(fmt.Sprintf(`!document.querySelector('dialog[open]') && %s === 4 && %s === %q && !document.body.innerText.includes('This is a shared game.')`, moves, text, fourth))
	v.press("u")
	v.until(moves + ` === 3`)
	v.clean()
	b.clean()
}

// A page at a private address says that a link leads nowhere else; one at a public name says nothing.
func testShareNearby(t *testing.T, in pages, sc screen) {
	s := newSite(t, Options{Hosts: []string{"games.example"}})
	_, port, _ := strings.Cut(s.address, ":")
	near := pages{Context: browser(t, chromedp.Flag("host-resolver-rules", "MAP 192.168.7.7 127.0.0.1, MAP games.example 127.0.0.1"))}
	for host, says := range map[string]string{"192.168.7.7": "Only devices in your network can open this link", "games.example": ""} {
		b := open(t, near, s, sc, "favicon.svg")
		b.run(chromedp.Navigate("http://" + host + ":" + port + "/"))
		b.until(ready)
		b.sheet("Share") // there is no clipboard over plain HTTP
		b.until(dialog + fmt.Sprintf(`.includes('replays this game') && document.querySelector('dialog input[readonly]').value.startsWith('http://%s:%s/#play/')`, host, port))
		b.point(named("Copy the link")) // a browser lets only a person copy this way
		b.until(dialog + `.includes('The link is copied.')`)
		if got := js[string](b, `document.querySelector('dialog .offer')?.innerText ?? ''`); !strings.HasPrefix(got, says) || (got == "") != (says == "") {
			t.Errorf("%s: the page says %q, want %q", host, got, says)
		}
	}
}

// A win, an end and a new best are shown with the final board; a best with help is marked, and is never below the score.
func testEnds(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#play/from/1024,1024,0,0/0,0,0,0/0,0,0,0/0,0,0,0")
	b.until(text + `.includes('1024, 1024') && location.hash === '#play'`)
	b.run(evaluate(clipboard))
	b.press("a")
	over := `document.querySelector('.over')`
	b.until(over + `?.innerText.includes('You made 2048!') && ` + over + `.innerText.includes('2,048 points in 1 move')`)
	b.until(`document.querySelector('.gain').innerText === '+2,048' && document.querySelector('.moment').innerText === '2048!' && ` + seen + `(document.querySelector('.frame'))`)
	b.shot("win")
	b.click("Share")
	b.until(`window.copied?.includes('#play/4x4/') && ` + dialog + `.includes('The link is copied.')`)
	b.press(kb.Escape)
	b.until(`!document.querySelector('dialog[open]')`)
	b.click("Review")
	b.until(`location.hash === '#review' && document.querySelector('#moves')?.innerText.endsWith('of 1')`)
	b.run(navigate("#play"))
	b.click("Keep playing")
	b.until(`!` + over)
	b.press("u")
	b.until(moves + ` === 0 && !document.querySelector('.gain')`)
	b.press("r")
	b.until(moves + ` === 1`)

	b.run(navigate("#play/from/1024,1024,8,16/8,16,32,64/2,4,8,16/32,64,128,256"))
	b.click("Start without saving")
	b.until(text + `.includes('row 1: 1024, 1024, 8')`)
	b.press("a")
	b.until(over + `.innerText.startsWith('You made 2048. No moves are left') && !` + named("Keep playing") + ` && ` + seen + `(document.querySelector('.frame'))`)
	b.until(`/Largest tile\s+2048\s+Time\s+0:0\d\s+2048 0:0\d/.test(` + over + `.innerText)`)
	b.shot("over")

	b.run(evaluate(`localStorage.setItem('afterstate.best', '{"4x4":3}')`))
	b.click("Again")
	b.playUntil(`document.querySelector('.moment')?.innerText === 'New best'`)
	b.until(`document.querySelector('.figures').innerText.includes('Best\n')`)
	b.press("u", "r")
	b.run(evaluate(`Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`)) // from here on nothing is stored
	before := js[int](b, `Number(document.querySelector('#score').innerText)`)
	b.playUntil(fmt.Sprintf(`Number(document.querySelector('#score').innerText) > %d`, before))
	b.until(`document.querySelector('#best').innerText === document.querySelector('#score').innerText && document.querySelector('[role=alert]')`)
	b.clean()
}
