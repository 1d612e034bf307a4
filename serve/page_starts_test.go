//go:build browser || pictures

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// named is the visible button of a name.
func named(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('button')].find(e => e.checkVisibility() && e.innerText.trim() === %q)`, name)
}

// A game begins from the board of Solve or a review; the game that it would replace is asked about first.
func testStarts(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#play")
	b.until(ready)
	const made = 3
	b.play(made)
	before := js[string](b, text)
	b.run(navigate("#solve/2,2,4,8/1024,512,2048,16/2,4,8,16/0,0,0,0/500"))
	b.until(`document.querySelector('textarea')?.value.startsWith('2,2,4,8')`)
	b.click("Play from here")
	b.until(`document.querySelector('dialog[open]')?.innerText.includes('would end')`)
	b.click("Keep playing")
	b.until(fmt.Sprintf(`!document.querySelector('dialog[open]') && %s === %d && %s === %q`, moves, made, text, before))

	b.visit("#solve", `document.querySelector('textarea')?.value.startsWith('2,2,4,8')`)
	b.click("Play from here")
	b.click("Save and start")
	begun := "Board: row 1: 2, 2, 4, 8; row 2: 1024, 512, 2048, 16; row 3: 2, 4, 8, 16; row 4: empty, empty, empty, empty"
	b.until(fmt.Sprintf(`%s === %q && !document.querySelector('.over') && document.querySelector('#best').innerText === '–'`, text, begun))
	b.press("a")
	b.until(moves + ` === 1 && document.querySelector('#score').innerText === '4'`)
	b.steady()
	after := js[string](b, text)
	b.reload()
	b.until(fmt.Sprintf(`%s && %s === 1 && %s === %q`, ready, moves, text, after))
	b.run(evaluate(clipboard))
	b.sheet("Share")
	b.until(`window.copied`)
	other := open(t, in, b.site, sc, js[string](b, `window.copied.slice(window.copied.indexOf('#'))`))
	other.until(fmt.Sprintf(`%s && %s === 1 && %s === %q`, ready, moves, text, after))
	b.press(kb.Escape, kb.Escape, "u")
	b.until(fmt.Sprintf(`%s === %q`, text, begun))
	b.press("r")
	b.until(fmt.Sprintf(`%s === %q`, text, after))

	// Its review begins with the board too, and a player continues from there.
	b.sheet("Review")
	b.until(fmt.Sprintf(`document.querySelector('#moves')?.innerText === '1 of 1' && %s.startsWith(%q)`, text, begun))
	b.click("Watch from here")
	b.until(`location.hash === '#watch' && ` + moves + ` > 0 && Math.max(...[...document.querySelectorAll('.board .tile')].map(e => Number(e.innerText))) >= 2048`)
	b.click("Pause")
	for js[int](b, moves) > 0 { // a move may still arrive after Pause
		b.press("b")
	}
	b.until(fmt.Sprintf(`%s === 0 && %s === %q`, moves, text, begun))
	b.clean()
	other.clean()
}

// On a phone the buttons under the board are in the window; what they show is scrolled to, and so is
// the board when it changes.
func testPhone(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#solve")
	frame := `document.querySelector('.frame')`
	b.until(`document.querySelector('.edge[data-best]')`)
	for _, name := range []string{"Undo", "Edit", "Clear"} {
		b.until(seen + `(` + named(name) + `)`)
	}
	b.more("details")
	b.run(evaluate(`scrollTo(0, document.body.scrollHeight)`))
	b.until(`!` + seen + `(` + frame + `)`)
	b.point(named("Example"))
	b.until(seen + `(` + frame + `)`)
	b.point(named("Clear"))
	b.until(seen + `(` + frame + `) && ` + seen + `(document.querySelector('.advice'))`)
	b.run(navigate("#review/open"))
	b.click("Show an example")
	b.until(allJudged)
	worst := func(n int) string {
		return fmt.Sprintf(`document.querySelector('ol.worst li:nth-child(%d) button')`, n)
	}
	for n := range 3 {
		b.point(worst(n + 1))
		b.until(worst(n+1) + `.ariaCurrent === 'true'`)
		for _, part := range []string{frame, named("Try again here"), named("Ask why"), named("Next mistake"), `document.querySelector('.strip')`} {
			b.until(seen + `(` + part + `)`)
		}
	}
	b.clean()
}
