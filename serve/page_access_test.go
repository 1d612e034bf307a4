//go:build browser || pictures

package serve

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
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
	s := in.site(t)
	var trainedSite *site // with the views that need a server
	if in.static == "" {
		runner := newRunner(t, 1)
		if _, err := runner.Start(t.Context(), &protocol.StartExperiment{Players: []string{"greedy", "random"}, Games: 20, Size: board.Size{Rows: 4, Cols: 4}}); err != nil {
			t.Fatal(err)
		}
		s = newSite(t, Options{Runner: runner})
		folder := runs.Folder{Path: t.TempDir()}
		trained(t, folder, 200)
		trainedSite = newSite(t, Options{Runs: folder.Path})
	}
	for _, sc := range []screen{screens[0], screens[2]} {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, in, s, sc, "")
			b.run(evaluate(string(axe)))
			check := func(view string) {
				t.Helper()
				b.axe(view)
			}
			b.until(ready)
			b.click("Hint")
			b.click("Why?")
			b.until(`document.querySelector('.line') && document.querySelector('.edge[data-best]')`)
			b.press("a", "s", "d")
			b.until(`document.querySelector('.line')`)
			check("play")
			b.press("n")
			b.until(`document.querySelector('dialog[open]')`)
			check("new game")
			b.press(kb.Escape)
			b.click("Settings")
			b.until(`document.querySelector('dialog[open] .sample')`)
			check("settings")
			b.press(kb.Escape)
			b.run(navigate("#watch"))
			b.until(moves + ` > 1`)
			b.press(" ")
			check("watch")
			b.run(navigate("#ask"))
			b.until(`document.querySelector('.line')`)
			b.click("Open the search tree")
			b.until(`document.querySelectorAll('[role=treeitem]').length > 4`)
			check("ask")
			b.run(evaluate(`document.querySelector('#chances').click()`))
			b.until(`document.querySelectorAll('.chances .gauge').length > 0 || document.body.innerText.includes('too slow')`)
			check("chances")
			_, doubtful := testPictures(t)
			b.give("choose", doubtful, "image/png")
			b.until(`document.querySelector('dialog[open] [data-doubt]')`)
			check("ask, a doubtful picture")
			b.click("Cancel")
			b.until(`!document.querySelector('dialog[open]')`)
			b.run(evaluate(`document.querySelector('.edge[data-best]').click()`))
			b.until(awaiting)
			check("ask, waiting for a tile")
			b.run(evaluate(`document.querySelector('.spots [data-free]').click()`))
			b.until(`document.querySelector('.spots [data-fresh]') && document.querySelector('.edge[data-best]')`)
			b.click("Why")
			b.until(`document.querySelector('.line')`)
			check("ask, following")
			b.run(navigate("#review"))
			b.until(`document.querySelector('textarea')`)
			check("review")
			b.click("Show an example")
			b.until(allJudged)
			b.run(evaluate(`document.querySelector('ol.worst button').click()`))
			b.until(`document.querySelector('.arrows .played')`)
			check("reviewing")
			b.click("How moves are judged")
			b.until(`document.querySelector('dialog[open]')`)
			check("the rule")
			b.click("Close")
			b.click("Try again here")
			b.until(`!document.querySelector('.arrows')`)
			check("trying again")
			b.run(navigate("#practice/mistakes"))
			b.until(`document.body.innerText.includes('Nothing to practise yet')`)
			check("without drills")
			b.run(evaluate(fmt.Sprintf(`localStorage.setItem('afterstate.drills', %q)`, twoDrills)))
			b.run(navigate("#practice/hard"))
			b.run(navigate("#practice/mistakes"))
			b.until(`document.body.innerText.includes('Move 71')`)
			b.press("s")
			b.until(`document.querySelector('.arrows .played')`)
			check("a drill")
			b.run(navigate("#practice/hard"))
			b.until(`document.querySelector('#tried')`)
			b.press("w", "a", "s", "d")
			b.until(`document.querySelector('.arrows')`)
			check("a hard board")
			b.run(navigate("#experiments"))
			if in.static != "" {
				b.compare()
			}
			b.until(`document.querySelector('table b')`)
			b.enter("Player 1", "exp")
			b.press(kb.ArrowDown)
			b.until(options + `.length > 1`)
			check("suggestions")
			b.press(kb.Escape, kb.Escape)
			check("experiments")
			b.run(navigate("#training"))
			b.until(`document.body.innerText.includes('There are none') || document.body.innerText.includes('trains no networks')`)
			b.run(navigate("#games"))
			b.restore(backupOf(t, monthOfGames(t)[:60]))
			check("a restored backup")
			b.click("Done")
			b.until(`document.querySelectorAll('.chart canvas').length === 3`)
			b.run(evaluate(string(axe)))
			b.run(evaluate(`document.querySelector('#games button').click()`))
			b.until(`document.querySelector('dialog[open]')`)
			check("a played game")
			b.press(kb.Escape)
			for _, view := range b.views() {
				b.run(navigate(view))
				b.until(fmt.Sprintf(`document.querySelector('.tabs a[aria-current]').hash === %q`, view))
				check(view)
			}
			if in.static != "" {
				b.click("Engine")
				b.until(`document.querySelector('dialog[open]')`)
				check("engine")
				b.clean()
				return
			}
			b.clean()

			b = open(t, in, trainedSite, sc, "#training/high,low")
			b.until(`document.querySelector('.options .differs') && document.querySelector('.chart canvas')`)
			b.run(evaluate(string(axe)))
			check("several runs")
			b.clean()

			b = open(t, in, newSite(t, Options{Token: house}), sc, "?again")
			b.until(`document.querySelector('h1')`)
			b.run(evaluate(string(axe)))
			check("without the token")
		})
	}
}
