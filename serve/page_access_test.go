//go:build browser || pictures

package serve

import (
	"fmt"
	"testing"
)

// Where nothing shall move nothing moves, and boards are shown as well.
func testReducedMotion(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	b.play(1)
	if n := js[int](b, `document.getAnimations().length`); n != 0 {
		t.Errorf("%d animations run", n)
	}
}

// views are the routes of all views, as the tabs have them.
func (b *tab) views() []string {
	return js[[]string](b, `[...document.querySelectorAll('.tabs a')].map(a => a.hash)`)
}

// Every view opens, has its title, and fits the window.
func testViews(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	all := b.views()
	if len(all) != 5 {
		t.Errorf("places: %q", all)
	}
	for _, view := range all {
		b.visit(view, fmt.Sprintf(`document.querySelector('.tabs a[aria-current]').hash === %q && document.querySelector('main').innerText.length > 20`, view))
		b.until(`document.title === document.querySelector('h1').textContent + ' · Afterstate' && document.querySelectorAll('.tabs a[aria-current]').length === 1`)
		b.narrow()
	}
	b.visit("#elsewhere", `document.querySelector('.tabs a[aria-current]').hash === '#play' && `+ready)
	b.clean()
}

// shownWords are the words that the page shows; numbers are apart.
const shownWords = `(() => {
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), all = []
	for (let n = walk.nextNode(); n; n = walk.nextNode()) {
		const e = n.parentElement
		if (e.checkVisibility() && !e.closest('.unseen, option, [aria-hidden=true]')) all.push(...(n.data.match(/\p{L}[\p{L}’'-]*/gu) ?? []))
	}
	return all
})()`

// A place that is opened for the first time has few words.
func testWords(t *testing.T, in pages, sc screen) {
	s := in.site(t)
	for _, place := range []struct {
		hash, until string
		most        int
	}{
		{"#play", ready, 25}, {"#solve", `document.querySelector('.pad [data-best]')`, 80}, {"#learn", `document.querySelector('main .board, main .card')`, 80},
		{"#games", `document.querySelector('#backup')`, 60},
	} {
		b := open(t, in, s, sc, place.hash)
		b.until(place.until)
		if all := js[[]string](b, shownWords); len(all) > place.most {
			t.Errorf("%s has %d words: must be at most %d: %q", place.hash, len(all), place.most, all)
		}
		b.clean()
	}
}
