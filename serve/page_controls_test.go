//go:build browser || pictures

package serve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const (
	// smallButtons lists the buttons that are less than 44 pixels to touch. Those of a line of text have their height around them; the
	// board's edges take no touch, and cells are as large as the board allows.
	smallButtons = `[...document.querySelectorAll('button')].filter(e => e.checkVisibility() && !e.matches('.edge, .cells *, .spots *')).filter(e => {
		const r = e.getBoundingClientRect(), around = e.matches('.class') ? parseFloat(getComputedStyle(e, '::after').height) : r.height
		return r.width < 43.9 || around < 43.9
	}).map(e => (e.ariaLabel || e.innerText) + ' ' + e.getBoundingClientRect().width + 'x' + e.getBoundingClientRect().height)`
	// oddStatus lists the texts for screen readers and the notes that begin or end like the rest of a list.
	oddStatus = `[...document.querySelectorAll('[role=status], [role=alert], p.dim')].map(e => e.textContent.trim()).filter(t => /^[.,;·:]|[,;·]$/.test(t))`
	// buttonPlaces are where all buttons and sliders are on the page.
	buttonPlaces = `[...document.querySelectorAll('button:not(.edge, .class, .strip *, [role=option]), input[type=range]')].filter(e => e.checkVisibility()).map(e => { const r = e.getBoundingClientRect(); return [e.ariaLabel || e.innerText || e.type, Math.round(r.x), Math.round(r.y + scrollY), Math.round(r.width), Math.round(r.height)].join(' ') })`
)

// slide moves the sliders of the page through all or many of their values; no button moves or changes its size.
func (b *tab) slide(view string) {
	b.t.Helper()
	const settled = `document.querySelector('.board, .cells') && document.querySelector('.board')?.ariaBusy !== 'true'`
	sliders := `[...document.querySelectorAll('input[type=range]')].filter(e => e.checkVisibility())`
	for i := range js[int](b, sliders+`.length`) {
		r := fmt.Sprintf("%s[%d]", sliders, i)
		minimum, maximum, was := js[int](b, r+`.min | 0`), js[int](b, r+`.max | 0`), js[int](b, r+`.value | 0`)
		var before []string
		for _, v := range append([]int{was}, steps(minimum, maximum)...) {
			b.set(r, v)
			b.until(settled)
			after := js[[]string](b, buttonPlaces)
			for n, place := range before {
				if !slices.Contains(after, place) {
					b.shot("slide-" + view)
					b.t.Fatalf("%s, %s: slider %d at %d moves %s, to %s or away", b.screen.name, view, i+1, v, place, after[min(n, len(after)-1)])
				}
			}
			before = after
		}
		b.set(r, was)
		b.until(settled)
	}
}

// steps are the values of a slider, at most a dozen.
func steps(minimum, maximum int) (all []int) {
	for v := minimum; v <= maximum; v += max(1, (maximum-minimum)/12) {
		all = append(all, v)
	}
	return all
}

// Buttons are large enough for fingers, sliders move none of them, and no text begins in the middle, in all views.
func testControls(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	look := func(view string) {
		t.Helper()
		for _, small := range js[[]string](b, smallButtons) {
			t.Errorf("%s, %s: less than 44 pixels to touch: %s", sc.name, view, small)
		}
		for _, text := range js[[]string](b, oddStatus) {
			t.Errorf("%s, %s: a text begins or ends as part of a list: %q", sc.name, view, text)
		}
	}
	b.until(ready + ` && [...document.querySelectorAll('[role=status]')].some(e => e.innerText.startsWith('row 1: '))`)
	b.slide("play")
	b.play(2)
	b.press(" ")
	b.until(`document.querySelector('.edge[data-best]')`)
	b.saveGame()
	b.click("More")
	look("play")
	b.press(kb.Escape)
	b.visit("#play/3x3/5/0/-/0", ready+` && `+named("Play on from here")+`?.disabled === false`)
	b.steady()
	b.slide("shared game")
	look("shared game")
	b.visit("#watch", ready+` && `+moves+` > 1`)
	b.click("Pause")
	b.until(`[...document.querySelectorAll('button')].some(e => e.innerText === 'Resume')`)
	b.slide("watch")
	look("watch")
	b.visit("#solve", `document.querySelector('td.best')`)
	look("ask")
	b.visit("#review/open", `document.querySelector('input[type=file]')`)
	// The field of a file is a button of the page.
	b.until(`document.querySelector('input[type=file]').getBoundingClientRect().width <= 1 && ` + named("Open a file") + `.className === ` + named("Show an example") + `.className`)
	b.run(evaluate(`HTMLInputElement.prototype.click = function () { window.opened = this.type }`))
	b.click("Open a file")
	b.until(`window.opened === 'file'`)
	b.give("choose", []byte("no game"), "text/plain")
	b.until(`document.querySelector('[role=alert]') && document.body.innerText.includes('Open a file')`)
	look("review without a game")
	b.click("Show an example")
	b.until(allJudged)
	b.until(accounted)
	b.press(kb.Home)
	b.slide("review")
	look("review")
	b.visit("#learn/hard", `document.querySelector('#tried')`)
	look("practice")
	b.make(b.legal())
	b.until(`document.querySelector('.arrows')`)
	look("practice, answered")
	b.clean()
}
