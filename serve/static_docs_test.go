//go:build browser

package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// seek begins a search in the docs by its key.
func (b *tab) seek(query string) {
	b.t.Helper()
	b.until(`document.activeElement.matches('.search input') || document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true, cancelable: true})) && false`)
	b.press(strings.Split(query, "")...)
}

// Help leads to the docs, which have the theme of the page. They are searched and read with keys alone, fit the window, and lead
// back to the page.
func testDocs(t *testing.T, in pages) {
	axe, _ := os.ReadFile(os.Getenv("AXE"))
	for _, sc := range in.windows() {
		t.Run(sc.name, func(t *testing.T) {
			b := open(t, in, in.site(t), sc, "")
			b.until(ready)
			theme := "dark"
			if sc.dark {
				theme = "light"
			}
			b.run(evaluate(`localStorage.setItem('afterstate.theme', '"` + theme + `"')`))
			b.click("Help")
			b.click("Documentation of the program.")
			b.until(`document.title === 'Documentation · Afterstate' && document.querySelector('.search').checkVisibility()`)
			b.until(`getComputedStyle(document.body).colorScheme === '` + theme + `' && document.fonts.check('16px Figtree')`)
			b.run(evaluate(`localStorage.removeItem('afterstate.theme')`))
			b.reload()

			b.seek("review")
			b.until(`document.querySelector('.found a b')?.innerText === 'Reviewing games' && /of \d+ places/.test(document.querySelector('.found p').innerText)`)
			b.shot("docs-search")
			examine := func(view string) {
				if wide := js[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
					t.Errorf("%s is wider than the window", view)
				}
				if axe != nil {
					b.run(evaluate(string(axe)))
					b.axe(view)
				}
			}
			examine("the search")
			b.press(kb.ArrowDown, kb.ArrowDown)
			b.until(`document.activeElement === document.querySelectorAll('.found a')[1]`)
			b.press(kb.Escape)
			b.until(`document.activeElement.matches('.search input') && !document.querySelector('.found').checkVisibility()`)
			b.press(kb.Enter) // the first result
			b.until(`document.title === 'Reviewing games · Afterstate' && document.querySelector('.pages [aria-current]').innerText === 'Reviewing games'`)
			b.shot("docs-page")

			for _, c := range []struct{ query, title, heading string }{
				{"the protocol", "The protocol", ""}, {"what a seed", "Citing and repeating results", "what-a-seed-fixes"},
			} {
				b.seek(c.query)
				b.until(`document.querySelectorAll('.found a').length > 0 && document.querySelector('.search input').value === '` + c.query + `'`)
				b.press(kb.Enter)
				b.until(`document.title === '` + c.title + ` · Afterstate' && location.hash === '` + strings.TrimSuffix("#"+c.heading, "#") + `'`)
			}
			b.seek("zzz")
			b.until(`document.querySelector('.found p').innerText === 'Nothing has “zzz”.'`)
			b.press(kb.Escape)

			if sc.touch {
				b.until(`!document.querySelector('.pages').checkVisibility()`)
				b.click("Pages")
			}
			b.until(`document.querySelector('.pages').checkVisibility()`)
			b.shot("docs-pages")
			examine("the pages")
			for _, name := range []string{"Small boards and endings, solved", "Command reference", "Strength", "Training 4x4 networks", "Overview"} {
				if sc.touch && !js[bool](b, `document.querySelector('.pages').checkVisibility()`) {
					b.click("Pages")
				}
				b.click(name)
				b.until(`document.querySelector('.pages [aria-current]').textContent === '` + name + `' && [...document.images].every(i => i.complete && i.naturalWidth > 0)`)
				b.shot("docs-" + strings.ToLower(strings.Fields(name)[0]))
				examine(name)
			}
			if sc.touch {
				b.click("Pages")
			}
			b.click("Play")
			b.until(ready)
			b.clean()
		})
	}
}

// Pages of the docs that were read are there when the host is gone, and are those of the host when it is not.
func testDocsOffline(t *testing.T, in pages) {
	s := in.copy(t)
	b := open(t, in, s, screens[0], "")
	b.until(ready)
	b.kept()
	if n := js[int](b, `performance.getEntriesByType('resource').filter(e => e.name.includes('/docs/')).length`); n != 0 {
		t.Errorf("the page loads %d files of the docs", n)
	}
	b.click("Help")
	b.click("Documentation of the program.")
	b.until(`document.title === 'Documentation · Afterstate'`)
	b.seek("glo")
	b.until(`document.querySelector('.found a b')?.innerText === 'Glossary'`)
	b.press(kb.Enter)
	b.until(`document.title === 'Glossary · Afterstate'`)

	name := filepath.Join(s.static, "docs", "glossary.html")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(data), ">Glossary<", ">New terms<")), 0o666); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.until(`document.querySelector('h1').innerText === 'New terms'`)
	s.down()
	b.reload()
	b.until(`document.querySelector('h1').innerText === 'New terms' && document.fonts.check('16px Figtree')`)
	b.seek("undo")
	b.until(`document.querySelectorAll('.found a').length > 5`)
	b.clean()
}
