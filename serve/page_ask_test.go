//go:build browser || pictures

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A board is set up by clicks, keys and paste, also of links; the details have values of two players, reasons and the tree, whose
// branches open and close.
func testAsk(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#solve")
	cells := `document.querySelectorAll('.cells button')`
	b.until(cells + `.length === 16`)
	if js[bool](b, `document.querySelector('#details').open || document.body.innerText.includes('auto')`) {
		t.Error("Solve begins with its details")
	}
	b.more("details")
	b.click("Clear")
	b.until(`document.body.innerText.includes('Put some tiles')`)
	b.click("tile 64")
	b.run(evaluate(cells + `[0].click()`))
	b.run(evaluate(cells + `[1].focus()`))
	b.press("3", kb.ArrowRight, "+", "+", kb.ArrowRight, "5", kb.Backspace, kb.ArrowDown, "1")
	b.until(`document.querySelector('textarea').value === '64,8,4,0/0,0,0,2/0,0,0,0/0,0,0,0'`)
	b.until(`document.querySelector('td.best')`)
	paste := func(text string) { b.paste(`document.body`, text) }
	for text, want := range map[string]string{
		"0123456701234567": "0,2,4,8/16,32,64,128/0,2,4,8/16,32,64,128",
		"16k 8k _\n. - 2":  "16384,8192,0/0,0,2",
		"https://2048verse.com/p/fa00000000000001?from=":         "32768,1024,0,0/0,0,0,0/0,0,0,0/0,0,0,2",
		"http://127.0.0.1:2048/#solve/2%2C0/0,4/12":              "2,0/0,4",
		"https://example.com/#play/2x2/1/0/-/0/random/2,2%2F0,8": "2,2/0,8", // a game
	} {
		paste(text)
		b.until(`document.querySelector('textarea').value === '` + want + `'`)
	}
	for name, want := range map[string]string{"Walls": "32768,16384,8192,0/0,0,0,0/0,0,0,0/0,0,0,2", "Each is 32768": "32768,32768,32768,0/0,0,0,0/0,0,0,0/0,0,0,2"} {
		paste("2048verse.com/p/fff0000000000001")
		b.until(`document.querySelectorAll('dialog .mini').length === 2`)
		b.shot("ask-walls")
		b.click(name)
		b.until(`!document.querySelector('dialog') && document.querySelector('textarea').value === '` + want + `'`)
	}
	paste("2,3/4,5")
	b.until(`document.querySelector('[role=alert]')?.innerText.includes('is not a tile')`)
	b.click("Example")
	b.click("Add a player")
	b.until(`document.querySelectorAll('td.best').length >= 3 && document.querySelector('.chances')`)
	b.click("Open the search tree")
	items := `document.querySelectorAll('[role=treeitem]')`
	b.until(items + `.length > 4`)
	// The root is in view, and nothing covers its board.
	b.until(`(r => r.top > 0 && r.bottom < innerHeight && document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2).closest('.mini'))(` +
		items + `[0].querySelector('.mini').getBoundingClientRect())`)
	n := js[int](b, items+`.length`)
	b.run(evaluate(items + `[0].focus()`))
	b.press(kb.ArrowLeft)
	b.until(items + `.length === 1`)
	b.press(kb.ArrowRight)
	b.until(items + `.length > 1`)
	b.click("Open all")
	b.until(fmt.Sprintf(`%s.length > %d`, items, n))
	b.click("Best line")
	b.until(fmt.Sprintf(`%s.length === %d`, items, n))
	b.clean()
}

// graded is the text of a move that is not the best one: its class, and the share that it gives away.
const graded = `/^(good|not decided|inaccuracy|mistake|blunder)( (<0\.1|−\d+(\.\d)?) %)?$/`

// Hints say how good each move is in the words of Review, and what it gives away, in all places alike.
func testHints(t *testing.T, in pages, sc screen) {
	const board = "2,4,8,16/64,32,16,8/2,8,0,0/4,0,0,0" // right and down are legal
	b := open(t, in, in.site(t), sc, "#play/from/"+board)
	b.until(ready + ` && document.body.innerText.includes('row 2: 64, 32, 16, 8')`)
	b.click("Hint")
	hint := `[...document.querySelectorAll('.edge:not([data-best]) em')].map(x => x.innerText).join()`
	b.until(`/^[→↓]\s*best$/.test(document.querySelector('.edge[data-best] em')?.innerText) && ` + graded + `.test(` + hint + `)`)
	text := js[string](b, hint)
	best, other := "right", "down"
	if js[bool](b, `document.querySelector('.edge[data-best]').matches('.down')`) {
		best, other = other, best
	}
	b.shot("hints")
	b.run(navigate("#solve/" + board + "/0"))
	b.more("details")
	row := func(table, dir string) string {
		return fmt.Sprintf(`[...document.querySelectorAll('[aria-label^="%s"] tr')].find(r => r.querySelector('th')?.innerText.includes(%q))?.querySelector('td').innerText`, table, dir)
	}
	const classes, values = "How good", "Values of"
	b.until(row(classes, best) + ` === 'best' && ` + row(classes, other) + fmt.Sprintf(` === %q && /^[−\d.,]+[kM]?$/.test(`, text) + row(values, other) + `) && ` + row(classes, "up") + ` === '–'`)
	b.until(fmt.Sprintf(`%s === %q && document.querySelector('.pad [aria-label="Move %s, %[2]s"]') && document.querySelector('.pad [aria-label="Move %[4]s, best"]')`, hint, text, other, best))

	// The classes do not depend on the player that is asked, whose scale may have no zero.
	b.enter("Player", "snak")
	b.choose("snake")
	b.until(`document.body.innerText.includes('the player’s own scale') && ` + row(classes, best) + ` === 'best' && ` + row(classes, other) + fmt.Sprintf(` === %q`, text))
	// On other sizes the player's own values grade the moves; without a scale differences are shown.
	b.run(navigate("#solve/2,4,0/64,2,4/32,8,0/0"))
	b.until(`/^−[\d.]+[kM]?(,−[\d.]+[kM]?)*$/.test(` + hint + `)`)
	b.clean()
}

// The chances of every tile are shown with both sides of their intervals, and refined while they are
// looked at. Those of the next board replace them.
func testChances(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#solve/2,4,2/32,2,8/4,2,64/0")
	b.more("details")
	b.until(`document.querySelector('#chances') && document.querySelector('.chances .gauge')`) // the first answer
	b.run(evaluate(`document.querySelector('#chances').click()`))
	tiles := `[...document.querySelectorAll('.chances tbody th')].map(x => x.innerText)`
	b.until(tiles + `[0] === '128' && ` + tiles + `.at(-1) === 'Moves' && document.querySelectorAll('.chances .gauge').length > 0`)
	b.until(`[...document.querySelectorAll('.chances .gauge ~ small')].every(x => /^\+[\d.]+ −[\d.]+$/.test(x.innerText))`)
	games := `Number([...document.querySelectorAll('[aria-label=Chances] ~ p')].map(x => x.innerText.replaceAll(',', '').match(/^(\d+) games after/)?.[1]).find(n => n))`
	first := js[int](b, games)
	// No tile is likelier than a smaller one.
	b.until(`[...document.querySelectorAll('.chances tbody tr:first-child td')].every((_, i) => [...document.querySelectorAll('.chances tbody tr')].filter(r => Number(r.querySelector('th').innerText)).map(r => Number(r.querySelectorAll('td')[i].innerText.match(/^[<\d.]+/)[0].replace('<', ''))).every((x, k, all) => k === 0 || x <= all[k - 1]))`)
	b.until(fmt.Sprintf(`%s > %d`, games, first))
	b.until(`document.querySelector('.chances').getBoundingClientRect().right <= innerWidth`)
	b.paste(`document.body`, "2,2/0,4")
	b.until(tiles + `[0] === '8'`)
	// On a solved size there are exact values too, in a table of their own.
	b.until(`document.querySelector('[aria-label="Exact values"]')?.innerText.replace(/\s+/g, ' ').includes('32 ') && document.querySelector('[aria-label="Exact values"] tbody tr:last-child th').innerText === 'Score'`)
	b.run(evaluate(`document.querySelector('[aria-label="Exact values"]').scrollIntoView({block: 'center'})`))
	b.shot("chances-exact")
	b.until(`document.querySelector('[aria-label=Chances]')?.getAttribute('aria-busy') === 'false'`)
	b.clean()
}

const (
	fields  = `[...document.querySelectorAll('[role=combobox]')]`
	options = `[...document.querySelectorAll('[role=option]')]`
	chosen  = `document.getElementById(document.activeElement.getAttribute('aria-activedescendant') || 'none')?.querySelector('b').innerText`
)

// enter types into the player field of a label, in place of what is there.
func (b *tab) enter(label string, keys ...string) {
	b.t.Helper()
	b.run(evaluate(`document.activeElement.blur()`))
	b.until(fmt.Sprintf(`(f => f && (f.focus(), true))(%s.find(f => f.labels[0].innerText === %q))`, fields, label))
	b.press(keys...)
}

// choose moves to a suggestion with the arrow keys and takes it.
func (b *tab) choose(name string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`%s.some(o => o.querySelector('b').innerText === %q)`, options, name))
	for range js[int](b, options+`.length`) {
		b.press(kb.ArrowDown)
		if js[bool](b, fmt.Sprintf(`%s === %q`, chosen, name)) {
			b.press(kb.Enter)
			return
		}
	}
	b.t.Fatalf("%s: the arrows do not reach %s: %s", b.screen.name, name, js[string](b, chosen))
}

// The player field completes names, keys and values, with keys and with fingers.
func testPlayerField(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#solve")
	b.more("details")
	value := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.activeElement.value === %q`, want))
	}
	b.until(`document.querySelector('td.best')`)
	b.enter("Player", "exp")
	b.until(options + `.map(o => o.querySelector('b').innerText).join() === 'expert,expectimax' && ` + options + `.every(o => o.querySelector('small').innerText.length > 20) && ` + options + `[0].innerText.startsWith('Strong without a network')`)
	b.choose("expectimax")
	value("expectimax")
	b.until(options + `.length === 0 && document.querySelector('[aria-label="Values of expectimax"]')`)

	b.press("(", "pl")
	b.until(`['plies', 'from 1 to 64', 'default 3'].every(x => ` + options + `[0]?.innerText.includes(x))`)
	b.choose("plies")
	value("expectimax(plies=")
	b.until(`document.getElementById(document.activeElement.getAttribute('aria-describedby')).innerText.includes('depth of the search')`)
	b.press("2", ",")
	b.until(options + `.length > 3 && !` + options + `.some(o => o.querySelector('b').innerText === 'plies')`)
	b.press("prune")
	b.choose("prune")
	b.choose("star1")
	b.press(",", "ev")
	b.choose("eval")
	b.press("su")
	b.choose("sum(…)") // an evaluator with keys of its own
	b.press("emp")
	b.choose("empty")
	b.press("2")
	b.press(kb.Enter) // what is open is closed
	value("expectimax(plies=2,prune=star1,eval=sum(empty=2))")
	b.until(`document.querySelector('[aria-label$="eval=sum(empty=2))"]') && document.querySelector('td.best')`)

	// What is typed right after a suggestion was taken stays.
	b.enter("Player", "exp")
	b.choose("expert")
	b.press("(", "ti")
	value("expert(ti")
	b.enter("Player", "expectimax(plies=2,prune=star1,eval=sum(empty=2))", kb.Enter)

	// Escape closes the list, and then takes back what was typed.
	b.enter("Player", "gr")
	b.until(options + `.length > 0 && document.activeElement.getAttribute('aria-expanded') === 'true'`)
	b.press(kb.Escape)
	b.until(options + `.length === 0 && document.activeElement.getAttribute('aria-expanded') === 'false'`)
	value("gr")
	b.press(kb.Escape)
	value("expectimax(plies=2,prune=star1,eval=sum(empty=2))")

	// A click or a finger opens the whole list, which is in the window, and takes a player.
	b.enter("Player", kb.Backspace)
	b.point(fields + `[0]`)
	b.until(options + `.length > 8`)
	b.until(`(l => l.top >= 0 && l.bottom <= (innerWidth < 800 ? document.querySelector('.tabs').getBoundingClientRect().top : innerHeight))(document.querySelector('[role=listbox]:not([hidden])').getBoundingClientRect())`)
	b.point(options + `.find(o => o.querySelector('b').innerText === 'snake')`)
	value("snake")
	// The field says in words who it is, until it is entered.
	b.until(`document.querySelector('.words').checkVisibility() === false`)
	b.run(evaluate(`document.activeElement.blur()`))
	b.until(`document.querySelector('.words').checkVisibility() && document.querySelector('.words').innerText.trim() === 'Keeps tiles in a snake'`)
	b.until(options + `.length === 0 && document.querySelector('[aria-label="Values of snake"]')`)
	b.clean()
}

// point clicks at an element, or taps it on a screen that is touched.
func (b *tab) point(element string) {
	b.t.Helper()
	b.until(element)
	b.run(evaluate(element + `.scrollIntoView({block: 'nearest'})`))
	x, y := b.box(element).middle()
	if b.screen.touch {
		b.finger(x, y)
	} else {
		b.run(chromedp.MouseClickXY(x, y))
	}
}

// Hints, Solve after "Why?" and grades know the share of 4s of the game: here a new 4 ends it after down and left.
func testShareOf4s(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "#play/on/4x4/5/0/-/0/random(p4=1)/4,8,32,2%2F16,4,32,32%2F4,2,8,2%2F16,4,16,8")
	const best = `document.querySelector('.edge[data-best]')?.matches('.up, .right')`
	b.until(ready + ` && document.body.innerText.includes('row 1: 4, 8, 32, 2')`)
	b.click("Hint")
	b.until(best)
	b.click("Why?")
	b.until(`document.querySelector('.asking') && ` + best)
	b.run(navigate("#play"))
	b.sheet(gradeSwitch)
	b.press(kb.Escape)
	b.until(`!document.querySelector('dialog')`)
	b.press(kb.ArrowDown)
	b.until(`document.querySelector('.opinion .class')?.dataset.class === 'blunder'`)
	b.clean()
}
