//go:build browser

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// games returns the number of stored games of an experiment in the browser's database. Each is there once.
func (b *tab) games(experiment string) int {
	b.t.Helper()
	b.run(evaluate(fmt.Sprintf(`(() => {
		window.stored = null
		indexedDB.open('afterstate').onsuccess = ({ target: { result: db } }) => {
			const prefix = 'games %s '
			db.transaction('values').objectStore('values').getAll(IDBKeyRange.bound(prefix, prefix + '\uffff')).onsuccess = ({ target: { result: all } }) => {
				window.stored = all.map(text => JSON.parse(text)).flatMap(b => b.games.map(g => b.player + ' ' + g.Index))
				db.close()
			}
		}
	})()`, experiment)))
	b.until(`window.stored`)
	all, different := js[int](b, `stored.length`), js[int](b, `new Set(stored).size`)
	if all != different {
		b.t.Errorf("%s: %d games are stored, and %d of them twice", experiment, all, all-different)
	}
	return all
}

// One tab at a time has the experiments: another one says so. It has them, with all finished games, once the first tab
// is closed.
func testExperimentsOfOneTab(t *testing.T, in pages, sc screen) {
	const elsewhere = `document.querySelector('main [role=alert]')?.innerText.includes('another tab of this browser is using the experiments')`
	s := in.site(t)
	b := open(t, in, s, sc, "")
	b.until(ready)
	ctx, end := chromedp.NewContext(b.ctx)
	defer end()
	a := openIn(t, ctx, s, deskDark, "#experiments")
	a.compare()
	a.until(`document.querySelectorAll('table b').length === 2 && !document.querySelector('[role=progressbar]')`)
	a.click("Remove player 1")
	a.enter("Player 1", "expectimax(plies=2)", kb.Enter) // too slow to end within this test
	a.set(`document.querySelector('input[type=number]')`, 9999)
	a.click("Start the experiment")
	a.until(`Number(document.querySelector('[role=progressbar]').getAttribute('aria-valuenow')) > 0`)

	b.front()
	b.visit("#experiments", elsewhere)
	if err := chromedp.Do(a.ctx, evaluate(`window.close()`)); err != nil {
		t.Log(err) // the tab may be gone before it answers
	}
	end()
	b.until(`!` + elsewhere + ` && document.body.innerText.includes('stopped early')`)
	if n := b.games("experiment-2"); n == 0 {
		t.Error("the games of the closed tab are gone")
	}
	b.click("Resume")
	b.until(`document.querySelector('[role=progressbar]')`)
	b.clean()
}
