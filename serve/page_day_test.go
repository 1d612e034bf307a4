//go:build browser || pictures

package serve

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Each date has its board and number, whatever the clock says later. The one game of a day counts, abandoned or not: in the streak,
// the calendar and a result of three lines, whose link opens the same board elsewhere. A board of a past day does not count.
func testDay(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	on := func(b *tab, y, m, d int) {
		t.Helper()
		b.run(evaluate(fmt.Sprintf(`{ window.real ??= Date; window.Date = class extends real { constructor(...a) { if (a.length) super(...a); else super(%d, %d, %d, 23, 59) } }; dispatchEvent(new Event('focus')) }`, y, m-1, d)))
	}
	const badge = `document.querySelector('.tabs a[href="#today"] .badge')`
	shows := func(date, says string) {
		t.Helper()
		day := must.Get(time.Parse(time.DateOnly, date))(t)
		g, _ := playedBy(t, "4x4", must.Get(strconv.ParseUint(strings.ReplaceAll(date, "-", ""), 10, 64))(t), 0)
		at := g.Board()
		number := int(day.Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)).Hours()) / 24
		b.until(fmt.Sprintf(`%s === %q && document.querySelector('.today h2').innerText === 'Board %d' && document.querySelector('#day').innerText === %q && document.body.innerText.includes(%q)`, shown, at.String(), number, day.Format("2 January 2006"), says))
	}
	on(b, 2031, 2, 28)
	b.visit("#today", badge)
	shows("2031-02-28", "Your first move begins it.")
	b.site.down() // the page needs no server to play
	b.play(5)
	b.until(`!document.querySelector('.banner')`)
	b.site.up()
	b.until(`document.body.innerText.includes('This is your game of the day so far.')`)
	score, made, largest := js[string](b, `document.querySelector('#score').innerText`), js[string](b, shown), b.shownBoard()
	b.until(fmt.Sprintf(`!%s && document.querySelector('#streak').innerText === '1 day' && document.querySelector('#place').innerText === '1 of 1' && document.querySelectorAll('.calendar [data-e]').length === 1`, badge))
	b.shot("day")
	b.axeSchemes("the board of the day")
	result := fmt.Sprintf("Afterstate, board 1884, 28 February 2031\n%s points so far, largest tile %d, 5 moves\n#today/2031-02-28", score, board.Tile(largest.Largest()))
	if got := b.copied("Share result"); got != result {
		t.Errorf("the result is %q, want %q", got, result)
	}

	on(b, 2031, 3, 1) // the game of the day before counts as it is
	shows("2031-03-01", "1 day")
	b.until(badge)
	b.play(1)
	b.until(`document.querySelector('#streak').innerText === '2 days' && document.querySelector('#place').innerText === '2 of 2'`)
	b.visit("#today/2031-02-20", shown)
	shows("2031-02-20", "the game does not count")
	b.play(1)
	b.until(`document.querySelector('#played').innerText === '2' && !document.querySelector('#place')`)
	b.visit("#today/2031-02-28", fmt.Sprintf(`%s === %q`, shown, made))
	b.run(evaluate(`[...document.querySelectorAll('.calendar button')].find(x => x.innerText === '28').click()`)) // a day is played on later
	b.until(fmt.Sprintf(`%s === %q`, shown, made))
	b.play(1)
	b.until(`JSON.parse(localStorage.getItem('afterstate.days'))['2031-02-28'].moves === 6 && document.querySelector('#streak').innerText === '2 days' && document.querySelector('#played').innerText === '2'`)
	b.visit("#today/2031-03-02", `document.body.innerText.includes('This board opens on 2 March 2031')`)

	friend := open(t, in, b.site, sc, "")
	friend.until(ready)
	on(friend, 2031, 3, 1)
	first, _ := playedBy(t, "4x4", 20310228, 0)
	at := first.Board()
	friend.visit(fragment(result), fmt.Sprintf(`%s === %q`, shown, at.String()))
	friend.clean()
	b.clean()
}
