//go:build browser || pictures

package serve

import (
	"fmt"
	"strings"
	"testing"
)

// The board of the day is that of the date, whatever the clock says later; each day has its result and its link.
func testDay(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	on := func(y, m, d int) {
		t.Helper()
		b.run(evaluate(fmt.Sprintf(`{ window.real ??= Date; window.Date = class extends real { constructor(...a) { if (a.length) super(...a); else super(%d, %d, %d, 23, 59) } } }`, y, m-1, d)))
	}
	on(2031, 2, 28)
	b.click("Today’s board")
	b.until(`document.querySelector('#day')?.innerText === '28 February 2031' && !document.querySelector('#today')`)
	b.click("Play it")
	begun, _ := playedBy(t, "4x4", 20310228, 0)
	first := begun.Board()
	b.until(fmt.Sprintf(`location.hash === '#play' && %s === %q`, shown, first.String()))
	b.play(5)
	score, made := js[string](b, `document.querySelector('#score').innerText`), js[int](b, moves)
	b.click("Result")
	b.until(verdict + `.startsWith('Your friend has not answered yet.') && document.body.innerText.includes('Board of 28 February 2031')`)
	b.visit("#play/duel", fmt.Sprintf(`document.querySelector('#today')?.innerText.replace(/\s+/g, ' ').startsWith('Your score so far %s ') && document.querySelector('#today').innerText.trim().endsWith('\n%d')`, score, made))
	b.shot("day")
	link := b.copied("Share the board")
	if want := fmt.Sprintf("#play/duel/0/4x4/20310228/%d/", made); !strings.Contains(link, want) {
		t.Errorf("the link is %s: must have %s", link, want)
	}
	b.until(`[...document.querySelectorAll('#duels li')].map(e => e.innerText.replace(/\s+/g, ' ')).join().startsWith('Board of 28 February 2031 No answer yet')`)

	on(2031, 3, 1)
	b.run(evaluate(`dispatchEvent(new Event('focus'))`))
	b.until(`document.querySelector('#day').innerText === '1 March 2031' && !document.querySelector('#today')`)
	b.click("Play it")
	begun, _ = playedBy(t, "4x4", 20310301, 0)
	next := begun.Board()
	b.until(fmt.Sprintf(`location.hash === '#play' && %s === %q`, shown, next.String()))

	friend := open(t, in, b.site, sc, fragment(link))
	friend.until(fmt.Sprintf(`%s === '%s points so far. The game is not finished.' && document.body.innerText.includes('Board of 28 February 2031')`, verdict, score))
	friend.clean()
	b.clean()
}
