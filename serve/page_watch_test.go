//go:build browser || pictures

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A player is watched to 512, paused, stepped, taken over and handed back to.
func testWatch(t *testing.T, in pages) {
	for _, sc := range in.windows() {
		t.Run(sc.name, func(t *testing.T) {
			s := in.site(t)
			b := open(t, in, s, sc, "#watch")
			b.until(ready + ` && ` + moves + ` > 2 && document.querySelector('.edge[data-best] em')`)
			b.click("Pause")
			b.click("Resume")
			b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Pause')`)
			b.press(" ")
			b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Resume')`)
			at := js[int](b, moves)
			b.press("n")
			b.until(fmt.Sprintf(`%s === %d`, moves, at+1))
			b.press("b", "b")
			b.until(fmt.Sprintf(`%s === %d`, moves, at-1))
			b.press(kb.ArrowLeft, kb.ArrowDown, kb.ArrowRight)
			b.until(`document.body.innerText.includes('You are playing')`)
			b.click("Hand back")
			b.until(fmt.Sprintf(`%s > %d`, moves, at+3))
			// As fast as possible. The game has a random seed, and one game in some hundred ends before 2048; none before 512.
			b.run(evaluate(`(() => { const r = [...document.querySelectorAll('input[type=range]')].find(r => r.getAttribute('aria-valuetext').includes('second')); r.value = r.max; r.dispatchEvent(new Event('input', {bubbles: true})) })()`))
			b.until(`Math.max(...[...document.querySelectorAll('.board .tile:not(.gone)')].map(t => Number(t.innerText))) >= 512`)
			// The connection is lost and comes back; the game of the server before is gone, so another one begins.
			s.down()
			if s.static == "" {
				b.until(`document.querySelector('.banner')`)
				s.up()
				b.until(`!document.querySelector('.banner')`)
				b.until(ready + ` && ` + moves + ` > 0 && document.body.innerText.includes('this is another one')`)
			}
			b.click("Watch a new game")
			b.until(ready + ` && ` + moves + ` > 0 && !document.body.innerText.includes('this is another one')`)
			if s.static != "" {
				s.up()
			}
			b.clean()
		})
	}
}
