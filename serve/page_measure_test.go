//go:build browser || pictures

package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
)

// experiments returns a site on which experiments can be begun.
func (in pages) experiments(t *testing.T) *site {
	if in.static != "" {
		return in.site(t)
	}
	return newSite(t, Options{Runner: newRunner(t, 1)})
}

// compare begins an experiment of 40 games of two players.
func (b *tab) compare() {
	b.t.Helper()
	b.until(fields + `.length === 3`)
	b.click("Remove player 2")
	b.until(fields + `.length === 2`)
	b.click("Remove player 2")
	b.enter("Player 1", "")
	lines := "greedy\nrandom\n" // as of a spreadsheet or a file
	b.paste(`document.activeElement`, lines)
	b.until(fields + `.map(f => f.value).join() === 'greedy,random'`)
	b.run(evaluate(`document.querySelector('input[type=number]').select()`))
	b.press(kb.Backspace, "4", "0")
	b.until(`document.querySelector('input[type=number]').value === '40'`)
	b.click("Start the experiment")
	b.until(`document.body.innerText.includes('Against greedy') && document.querySelector('.chart canvas') && document.querySelector('table b').innerText !== '–'`)
}

// Experiments are begun, followed and stopped, and their games looked at.
func testMeasure(t *testing.T, in pages, sc screen) {
	s := in.experiments(t)
	b := open(t, in, s, sc, "#experiments")
	b.until(fields + `[0]?.value === 'champion'`)
	b.compare()
	b.click("Games of greedy")
	b.until(`document.body.innerText.includes('Games of greedy') && document.querySelector('[aria-label=Games] table')?.rows.length === 21`)
	if in.static == "" { // the experiments of a static site belong to one tab
		phone := openIn(t, b.ctx, s, phoneLight, "#experiments")
		phone.until(`document.querySelector('table b')`)
		// The results lie below the lists, and the table is wider than the phone: its names stay in view.
		phone.run(evaluate(`scrollTo(0, 0); document.querySelector('.slot button').click()`))
		phone.until(`(r => r.top >= 0 && r.top < innerHeight / 4)(document.querySelector('.results').getBoundingClientRect())`)
		phone.until(`(e => e.scrollWidth > e.clientWidth + 50 && (e.scrollLeft = 50) && e.querySelector('th').getBoundingClientRect().left === e.getBoundingClientRect().left)(document.querySelector('[aria-label=Scores]'))`)
		phone.click("Games of greedy")
		phone.until(`document.querySelector('[aria-label=Games] table')?.rows.length === 21`)
		phone.narrow()
		phone.clean()
	}
	score := `Number(document.querySelector('[aria-label=Games] table')?.rows[1]?.cells[1].innerText.replace(',', ''))`
	best := js[int](b, score)
	b.click("Lowest scores")
	b.until(score + fmt.Sprintf(" < %d", best))
	b.run(evaluate(`document.querySelector('[aria-label=Games] table').rows[1].querySelector('button').click()`))
	b.until(`/Move [1-9][0-9,]* of /.test(document.querySelector('dialog [role=status]')?.innerText)`) // it plays
	b.click("Pause")
	b.set(`document.querySelector('dialog input[type=range]')`, js[string](b, `document.querySelector('dialog input[type=range]').max`))
	b.until(`document.querySelector('dialog [role=status]').innerText.endsWith('score ' + document.querySelector('[aria-label=Games] table').rows[1].cells[1].innerText)`)
	b.run(evaluate(`sessionStorage.setItem('afterstate.review.at', '5')`)) // the place in a game reviewed before
	b.click("Review this game")
	b.until(`location.hash === '#review' && document.body.innerText.includes('greedy on 4 × 4')`)
	b.until(`document.querySelector('#moves')?.innerText.startsWith('1 of ')`)
	b.visit("#experiments", `!document.querySelector('[aria-label=Games]')`)
	b.run(evaluate(`(() => {
		URL.createObjectURL = (blob) => { blob.text().then(t => { window.report = t }); return '' }
		HTMLAnchorElement.prototype.click = function () { window.saved = this.download }
	})()`))
	if in.static == "" { // reports take more code than all else of the engine
		b.click("Report")
		b.until(`window.saved === 'experiment-1.html' && window.report?.includes('greedy') && window.report.includes('</html>')`)
	}
	b.click("Records")
	b.until(`window.saved === 'experiment-1.jsonl' && window.report?.trim().split('\n').length === 80 && JSON.parse(window.report.split('\n')[79]).afterstate_record`)
	b.enter("Player 2", "nobody", kb.Enter)
	b.click("Start the experiment")
	b.until(`document.querySelector('[role=alert]')?.innerText.includes('no player is called "nobody"')`)
	b.click("Remove player 1")
	b.until(fields + `.length === 1`)
	b.enter("Player 1", "expectimax(plies=3)", kb.Enter)
	b.set(`document.querySelector('input[type=number]')`, 9999)
	b.click("Start the experiment")
	b.until(`[...document.querySelectorAll('h2')].some(h => h.innerText === 'experiment-2')`)
	b.click("Stop")
	b.until(`document.body.innerText.includes('stopped early')`)
	b.click("Resume")
	b.until(`!document.body.innerText.includes('stopped early')`)
	b.click("Stop")
	b.until(`document.body.innerText.includes('stopped early')`)

	// An experiment is deleted after a question, also while it is played.
	b.click("Resume")
	b.click("Delete experiment-2")
	b.until(`document.querySelector('dialog[open]')?.innerText.includes('This experiment is running')`)
	b.click("Keep it")
	b.until(`!document.querySelector('dialog[open]')`)
	b.click("Delete experiment-2")
	b.click("Delete it")
	const names = `[...document.querySelectorAll('.slot > button:first-child > span:first-child')].map(e => e.innerText).join()`
	b.until(`!document.querySelector('dialog[open]') && ` + names + ` === 'experiment-1' && [...document.querySelectorAll('h2')].some(h => h.innerText === 'experiment-1')`)
	b.until(`document.activeElement === document.querySelector('.slot button')`) // keys go on from the list
	b.reload()
	b.until(names + ` === 'experiment-1' && document.querySelector('table b')`)
	b.click("Delete experiment-1")
	b.until(`document.querySelector('dialog[open]')?.innerText.includes('Its 80 finished games will be lost.')`)
	b.click("Delete it")
	b.until(names + ` === '' && document.body.innerText.includes('Which player is better?')`)
	b.reload()
	b.click("Start the experiment") // so the list has been asked for
	b.until(names + ` === 'experiment-1'`)
	b.clean()
}

// The curve of a training that runs grows.
func testCurve(t *testing.T, in pages, sc screen) {
	runs := t.TempDir()
	s := newSite(t, Options{Runs: runs})
	b := open(t, in, s, sc, "#training")
	run := filepath.Join(runs, "first")
	must.Do(t, os.Mkdir(run, 0o755))
	metrics := must.Get(os.Create(filepath.Join(run, "metrics.jsonl")))(t)
	defer metrics.Close()
	write := func(n int) {
		fmt.Fprintf(metrics, `{"games":%d,"moves":%d,"mean_score":%d,"reached":{"512":0.9,"1024":0.5,"2048":0.1},"games_per_s":100,"moves_per_s":100000,"elapsed_s":%d}`+"\n", n*1000, n*500000, n*700, n*10)
	}
	for n := range 5 {
		write(n + 1)
	}
	b.reload()
	b.until(`document.querySelectorAll('.chart canvas').length === 2 && document.body.innerText.includes('3,500')`)
	write(6)
	b.until(`document.body.innerText.includes('4,200')`)
	// After a lost connection only the new part is read, and the curve keeps the old one.
	s.down()
	b.until(`document.querySelector('.banner')`)
	write(7)
	s.up()
	b.until(`document.body.innerText.includes('4,900') && document.querySelector('.chart').getAttribute('aria-label').includes('7,000 games')`)
	// A curve is as large as the words around it.
	high := js[float64](b, `document.querySelector('.chart').clientHeight`)
	b.run(chromedp.EmulateViewport(3840, 2160))
	b.until(fmt.Sprintf(`document.querySelector('.chart .uplot').clientHeight > 1.5 * %v`, high))
	b.clean()
}
