//go:build browser || pictures

package serve

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Colours, tiles and sound are chosen in Settings, and stay. Without a choice there is no sound.
func testSettings(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#play/from/2,2,64/0,0,0/0,0,0")
	const tones = `(() => {
		window.tones = 0
		const part = () => ({frequency: {}, gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect: x => x, start() { window.tones++ }, stop() {}})
		window.AudioContext = class { currentTime = 0; createOscillator = part; createGain = part }
	})()`
	begun := func(first string) {
		t.Helper()
		b.until(text + `.startsWith('Board: row 1: ` + first + `;') && ` + moves + ` === 0`)
	}
	from := func(board, first string) {
		t.Helper()
		b.press("u")
		b.until(moves + ` === 0`)
		b.run(navigate("#play/from/" + board))
		begun(first)
	}
	begun("2, 2, 64")
	b.run(evaluate(tones))
	b.press("a")
	b.until(moves + ` === 1 && document.querySelector('.gain')?.innerText === '+4'`)
	b.until(`document.querySelector('.tile[data-e="2"]')`)

	b.menu("Settings")
	b.until(dialog + `?.includes('Sound')`)
	b.click("Original game")
	b.until(`document.documentElement.dataset.tiles === 'classic' && getComputedStyle(document.querySelector('.tile[data-e="6"] u')).backgroundColor === 'rgb(246, 94, 59)'`)
	b.shot("settings")
	b.click("Dark")
	b.until(`document.documentElement.dataset.theme === 'dark'`)
	b.run(evaluate(`document.querySelector('dialog input[type=checkbox]').click()`))
	b.press(kb.Escape)
	b.until(`!document.querySelector('dialog')`)
	if n := js[int](b, `window.tones`); n != 0 {
		t.Errorf("%d tones without sound", n)
	}
	b.shot("classic-dark")
	from("2,2,32/0,0,0/0,0,2", "2, 2, 32")
	b.press("a")
	b.until(`window.tones === 1`)
	from("64,64,2/0,0,0/0,0,2", "64, 64, 2")
	b.press("a")
	b.until(`window.tones === 4`)

	b.run(chromedp.Reload())
	b.until(ready + ` && document.documentElement.dataset.tiles === 'classic' && document.documentElement.dataset.theme === 'dark'`)
	b.menu("Settings")
	b.until(`document.querySelector('dialog input[type=checkbox]')?.checked`)
	b.click("System")
	b.press(kb.Escape)
	b.visit("#solve/2,4,8,16/32,64,128,256/512,1024,2048,4096/8192,16384,131072,0/0", `document.querySelector('td.best')`)
	b.shot("classic-ask")
	b.clean()
}
