//go:build browser || pictures

package serve

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/rules/board"
)

// twoDrills are stored drills: the best move of both is left, and down is a blunder.
const twoDrills = `{"version":1,"drills":[
	{"board":"2,2,4,8/16,32,64,128/2,4,8,16/0,0,2,4","score":1000,"best":"left","played":"down","from":"Move 71 of your game with 1468 points","step":0,"due":1,
		"moves":{"left":{"loss":0,"class":"best"},"right":{"loss":0.004,"class":"good"},"down":{"loss":0.31,"class":"blunder"}}},
	{"board":"4,4,2,8/16,32,64,128/2,4,8,16/0,0,2,4","score":1200,"best":"left","played":"down","from":"Move 75 of your game with 1468 points","step":3,"due":2,
		"moves":{"left":{"loss":0,"class":"best"},"right":{"loss":0.12,"class":"mistake"},"down":{"loss":0.31,"class":"blunder"}}}]}`

// clock lets the page's clock be days ahead from the next load on.
func (b *tab) clock(days float64) {
	b.t.Helper()
	source := fmt.Sprintf(`(now => { Date.now = () => now.call(Date) + %v * 86400000 })(Date.now)`, days)
	b.before(source)
	b.reload()
	b.until(`document.querySelector('.board, main .card')`)
}

// Drills that are due are counted and asked. A right answer lets one come back later, a wrong one soon.
func testDrills(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	b.play(2)
	b.run(evaluate(fmt.Sprintf(`localStorage.setItem('afterstate.drills', %q)`, twoDrills)))
	b.reload()
	badge := func(n int) {
		t.Helper()
		b.until(fmt.Sprintf(`Number(document.querySelector('.tabs a[href="#learn"] .badge')?.firstChild.textContent ?? 0) === %d`, n))
	}
	badge(2)
	b.run(evaluate(`document.querySelector('.tabs a[href="#learn"]').click()`))
	b.until(`location.hash === '#learn' && document.body.innerText.includes('Move 71 of your game') && ` + inView)
	b.press("s")
	b.until(`document.querySelector('.opinion [data-class=blunder]') && document.querySelector('.arrows .played') && !document.querySelector('.arrows .best')`)
	badge(1)
	b.press("w") // no legal move
	b.click("Show the answer")
	b.until(`document.querySelector('.arrows .best') && document.body.innerText.includes('This position comes back in 10 minutes') && ` + inView)
	b.press("t", "a")
	b.until(opinion + `.startsWith('Right. The next best, ') && document.body.innerText.includes('This position comes back in 10 minutes')`) // the first answer counts
	b.click("Next")
	b.until(`document.body.innerText.includes('Move 75 of your game') && !document.querySelector('.arrows')`)
	b.press("a")
	b.until(`document.body.innerText.includes('Learned: this position does not come back.')`)
	badge(0)
	b.press(kb.Enter)
	b.until(`document.body.innerText.includes('Nothing is due.')`)

	b.clock(0.01)
	badge(1)
	b.press("d") // good is right
	b.until(`document.querySelector('.opinion [data-class=good]') && document.body.innerText.includes('This position comes back tomorrow')`)
	for i, next := range []string{"This position comes back in 3 days", "This position comes back in 7 days", "Learned: this position does not come back."} {
		b.clock([]float64{1.01, 3.01, 7.01}[i])
		badge(1)
		b.press("a")
		b.until(fmt.Sprintf(`document.body.innerText.includes(%q)`, next))
	}
	b.clock(400)
	badge(0)

	// Damaged drills are left out, and take no game away.
	games := js[string](b, `localStorage.getItem('afterstate.games')`)
	for damaged, left := range map[string]int{`{"version":1,"drills":[{"board":"2"},` + twoDrills[len(`{"version":1,"drills":[`)+1:]: 2, `{"version":1,"drills":7}`: 0, `]`: 0} {
		b.run(evaluate(fmt.Sprintf(`localStorage.setItem('afterstate.drills', %q)`, damaged)))
		b.reload()
		badge(left)
	}
	b.run(navigate("#play"))
	b.until(fmt.Sprintf(`%s && %s >= 2 && localStorage.getItem('afterstate.games') === %q`, ready, moves, games))
	b.clean()
}

// A hard board is answered, and the share of the chance that was kept is stored.
func testHardBoards(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#learn/hard")
	const asks = `document.querySelector('.task')?.innerText.startsWith('Which move') && ` + opinion + `.startsWith('Swipe')`
	b.until(`document.querySelector('#tried')?.innerText.startsWith('0 of ') && ` + asks)
	first := hardBoards(t)[0]
	legal := slices.Collect(maps.Keys(first.Made))
	made := func(a, b board.Direction) int { return first.Made[a] - first.Made[b] }
	answer, best := slices.MinFunc(legal, made), slices.MaxFunc(legal, made)
	for _, d := range board.Directions { // a move that changes nothing is no answer
		if !slices.Contains(legal, d) {
			b.make(d)
			b.until(opinion + `.includes('moves no tile here') && document.querySelector('#tried').innerText.startsWith('0 of ')`)
		}
	}
	b.make(answer)
	b.until(fmt.Sprintf(`%s.includes('You keep') && document.querySelector('.edge.%v').innerText.includes('best') && %s`, opinion, best, inView))
	b.until(`document.querySelector('#tried').innerText.startsWith('1 of ') && document.querySelector('#kept').innerText.endsWith('%')`)
	kept := js[string](b, `document.querySelector('#kept').innerText`)
	b.press("t", moveKeys[best])
	b.until(opinion + `.includes('is the best move') && /After .*: /.test(` + opinion + `)`) // and why
	b.press(kb.Enter)
	b.until(asks + ` && document.querySelectorAll('.choice button')[1].getAttribute('aria-current') === 'true'`)
	b.reload()
	b.until(fmt.Sprintf(`document.querySelector('#kept')?.innerText === %q && document.querySelector('.choice [data-done]')`, kept))
	b.click("Start over")
	b.until(`document.querySelector('#tried').innerText.startsWith('0 of ')`)
	b.clean()
}
