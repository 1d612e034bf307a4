//go:build browser || pictures

package serve

import (
	"fmt"
	"testing"
)

// A match and a ranking are begun on the page and played to their verdicts, which are there again after a reload. What plays alike has
// none, and that is said.
func testDecide(t *testing.T, in pages, sc screen) {
	examined := func(b *tab, view string) {
		b.run(evaluate(`document.querySelector('.results section:nth-of-type(2)').scrollIntoView()`))
		b.shot(view)
		b.narrow()
		b.axeSchemes(view)
	}
	const says = `document.querySelector('main').innerText.includes(%q)`
	const chart = `document.querySelector('.chart canvas') && `
	s := in.experiments(t)
	b := open(t, in, s, sc, "#experiments")
	begin := func(players, size string) {
		t.Helper()
		for n := js[int](b, fields+`.length`); n > 1; n-- {
			b.click("Remove player 2")
			b.until(fmt.Sprintf(fields+`.length === %d`, n-1))
		}
		b.enter("Player 1", "")
		b.paste(`document.activeElement`, players)
		for label, value := range map[string]string{"Size": size, "How long": "decide"} {
			b.set(fmt.Sprintf(`[...document.querySelectorAll('.field')].find(f => f.innerText.startsWith(%q)).querySelector('select')`, label), value)
		}
		b.until(`!document.querySelector('input[type=number]') && ` + fmt.Sprintf(says, "until one of them is better with 95 % confidence"))
		b.shot("start")
		b.click("Start the experiment")
	}
	b.until(fields + `.length === 3`)
	begin("greedy\nrandom\n", "3x3")
	b.until(chart + fmt.Sprintf(says, "greedy is better than random. Found after"))
	examined(b, "match")
	b.reload()
	b.until(chart + fmt.Sprintf(says, "greedy is better than random. Found after"))
	begin("random\ngreedy\nsnake(depth=0)\n", "3x3")
	b.until(chart + fmt.Sprintf(says, "All ranks are known, with 95 % confidence") + ` && [...document.querySelectorAll('.ranks li')].map(e => e.innerText.split(/\s+/).slice(0, 2).join(' ')).join() === '1 snake(depth=0),2 greedy,3 random'`)
	examined(b, "ranking")
	b.reload()
	b.until(chart + fmt.Sprintf(says, "All ranks are known"))
	// Two players that make the same moves never get a verdict: stop their match.
	begin("expectimax(plies=1)\nexpectimax(plies=1,prune=star1)\n", "4x4")
	b.until(fmt.Sprintf(says, "No verdict yet. No verdict is expected: so far both have the same results."))
	examined(b, "alike")
	b.click("Stop")
	b.until(fmt.Sprintf(says, "stopped early"))
	b.clean()
}
