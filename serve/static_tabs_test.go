//go:build browser

package serve

import (
	"fmt"
	"slices"
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

// unsure lets a tab not look for news, as if it were hidden, until sure is called.
func (b *tab) unsure() {
	b.t.Helper()
	b.run(evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`))
	// Answers come in order, so when this one is there no other one comes.
	b.run(evaluate(`(() => {
		URL.createObjectURL = () => ''
		HTMLAnchorElement.prototype.click = function () { window.saved = this.download }
	})()`))
	b.click("Records")
	b.until(`window.saved`)
}

func (b *tab) sure() {
	b.t.Helper()
	b.run(evaluate(`delete document.hidden`))
}

// Two tabs share the experiments: each sees what the other one begins, plays and deletes, without a reload,
// and one of them at a time plays an experiment. When the tab that plays is closed, the other one plays the rest.
func testSharedExperiments(t *testing.T, in pages) {
	const (
		elsewhere = `document.body.innerText.includes('Another tab of this browser plays it.')`
		buttons   = `[...document.querySelectorAll('main button')].map(e => e.innerText)`
		finished  = `Number(document.querySelector('[role=progressbar]').getAttribute('aria-valuenow'))`
		stopped   = `document.body.innerText.includes('stopped early') && ` + buttons + `.includes('Resume')`
		listed    = `[...document.querySelectorAll('.slot > button:first-child')].map(e => e.innerText.replace(/\s+/g, ' ')).join()`
	)
	s := in.site(t)
	b := open(t, in, s, screens[0], "#experiments") // a phone's, whose hints and experiments share a worker
	b.until(`document.body.innerText.includes('Which player is better?')`)
	a := openIn(t, b.ctx, s, screens[3], "#experiments")
	a.compare()
	b.front()
	b.until(listed + ` === 'experiment-1 80 games' && document.querySelectorAll('table b').length === 2`)

	a.front()
	a.click("Remove player 1")
	a.enter("Player 1", "expectimax(plies=2)", kb.Enter) // too slow to end within this test
	a.run(evaluate(`(() => { const e = document.querySelector('input[type=number]'); e.value = '9999'; e.dispatchEvent(new Event('input', {bubbles: true})) })()`))
	a.click("Start the experiment")
	a.until(finished + ` > 0`)
	b.front()
	b.until(elsewhere + ` && ` + finished + ` > 0`)
	b.until(fmt.Sprintf(`%s > %d`, finished, js[int](b, finished)))
	if all := js[[]string](b, buttons); slices.Contains(all, "Resume") || slices.Contains(all, "Stop") {
		t.Errorf("what another tab plays has the buttons %q", all)
	}

	// The other tab was faster.
	a.front()
	a.click("Stop")
	a.until(stopped)
	b.front()
	b.until(stopped)
	b.unsure()
	a.front()
	a.click("Resume")
	a.until(finished + ` > 0`)
	b.front()
	b.click("Resume")
	b.until(`document.querySelector('[role=alert]')?.innerText === 'another tab of this browser plays "experiment-2": wait for its end, or stop it there'`)
	b.until(elsewhere + ` && !` + buttons + `.includes('Resume')`)
	b.sure()

	b.click("Delete experiment-1")
	b.click("Delete it")
	a.front()
	a.until(listed + `.startsWith('experiment-2 ') && !` + listed + `.includes('experiment-1')`)

	a.clean()
	if err := chromedp.Cancel(a.ctx); err != nil {
		t.Fatal(err)
	}
	b.front()
	b.until(stopped)
	before := b.games("experiment-2")
	b.click("Resume")
	b.until(`document.body.innerText.includes('It is played on this device')`)
	b.until(fmt.Sprintf(`%s > %d`, finished, before))
	b.click("Stop")
	b.until(stopped)
	if after := b.games("experiment-2"); after <= before {
		t.Errorf("%d games became %d", before, after)
	}
	b.clean()
}
