//go:build browser || pictures

package serve

import (
	"fmt"
	"os"
	"testing"
)

// Without motion nothing moves, and boards are shown as well.
func testReducedMotion(t *testing.T, in pages) {
	b := open(t, in, in.site(t), screens[2], "")
	b.until(ready)
	b.media(still)
	b.playTo(1, "a", "s")
	if n := js[int](b, `document.getAnimations().length`); n != 0 {
		t.Errorf("%d animations run", n)
	}
}

// views are the routes of all views, as the tabs have them.
func (b *tab) views() []string {
	return js[[]string](b, `[...document.querySelectorAll('.tabs a')].map(a => a.hash)`)
}

// Every view opens, has its title, and fits the window.
func testViews(t *testing.T, in pages) {
	for _, sc := range in.windows() {
		b := open(t, in, in.site(t), sc, "")
		b.until(ready)
		all := b.views()
		if len(all) < 7 {
			t.Errorf("views: %q", all)
		}
		for _, view := range all {
			b.run(navigate(view))
			b.until(fmt.Sprintf(`document.querySelector('.tabs a[aria-current]').hash === %q && document.querySelector('main').innerText.length > 20`, view))
			b.until(`document.title === document.querySelector('h1').textContent + ' · Afterstate' && document.querySelectorAll('.tabs a[aria-current]').length === 1`)
			if wide := js[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
				t.Errorf("%s is wider than the window of %s", view, sc.name)
			}
		}
		b.run(navigate("#elsewhere"))
		b.until(`document.querySelector('.tabs a[aria-current]').hash === '#play' && ` + ready)
		b.clean()
	}
}

// axe lets axe-core, which runs in the tab, examine what it shows.
func (b *tab) axe(view string) {
	b.t.Helper()
	for _, b.screen.dark = range []bool{true, false} {
		b.media(still) // what fades in has too little contrast for a moment
		b.run(evaluate(`window.found = null; axe.run(document, {resultTypes: ['violations']}).then(r => { window.found = r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160) + ' ' + n.failureSummary.replaceAll('\n', ' ')).join(' | ')) })`))
		b.until(`window.found`)
		for _, v := range js[[]string](b, `window.found`) {
			b.t.Errorf("%s, dark %v: %s", view, b.screen.dark, v)
		}
	}
}

// No view has what axe-core holds against it, in any window.
func testAxe(t *testing.T, in pages) {
	source := os.Getenv("AXE")
	if source == "" {
		notRun(t, "AXE does not name axe-core's axe.min.js")
	}
	axe, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	s := in.toured(t)
	examined := func(b *tab) { b.run(evaluate(string(axe))) }
	for _, sc := range []screen{screens[0], screens[2]} {
		t.Run(sc.name, func(t *testing.T) {
			s.tour(t, in, sc, examined, (*tab).axe)
			if in.static != "" {
				return
			}
			b := open(t, in, newSite(t, Options{Token: house}), sc, "?again")
			b.until(`document.querySelector('h1')`)
			examined(b)
			b.axe("without the token")
		})
	}
}
