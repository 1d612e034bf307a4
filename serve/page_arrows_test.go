//go:build browser || pictures

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// onlyMoves are boards where one move is legal.
var onlyMoves = [4]string{
	board.Up: "0,0,0/2,4,2/4,2,4", board.Right: "2,4,0/4,2,0/2,4,0", board.Down: "4,2,4/2,4,2/0,0,0", board.Left: "0,2,4/0,4,2/0,2,4",
}

// The arrow at the board's edge points to the best move in every view.
func testArrows(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	b.run(evaluate(`localStorage.setItem('afterstate.hint', '{"player":"best","live":true}')`))
	for _, d := range board.Directions {
		b.run(navigate("#solve/" + onlyMoves[d]))
		b.pointsTo(d)
	}
	for _, d := range []board.Direction{board.Left, board.Right} {
		b.run(navigate("#watch"), navigate("#play/from/"+onlyMoves[d]))
		b.shows(must.Get(board.Parse(onlyMoves[d]))(t))
		b.pointsTo(d)
		b.visit("#watch/from/"+onlyMoves[d], moves+` > 0`)
		b.click("Pause")
		for js[int](b, moves) > 0 { // a move may still arrive after Pause
			b.press("b")
		}
		b.pointsTo(d)
	}
	sides := func(view, next string) {
		t.Helper()
		for _, d := range []board.Direction{board.Left, board.Right} {
			for n := 0; !b.holds(fmt.Sprintf(`document.querySelector('.edge.%v[data-best] i')`, d)); n++ {
				if n == 100 {
					t.Fatalf("%s: %v is never the best move", view, d)
				}
				b.run(evaluate(next))
				b.until(`document.querySelector('.edge[data-best] i')`)
			}
			b.pointsTo(d)
		}
	}
	b.run(navigate("#review/open"))
	b.click("Show an example")
	b.until(allJudged)
	for !b.holds(`document.querySelector('#moves').innerText.startsWith('1 of ')`) { // the view may still look for a mistake
		b.press(kb.Home)
	}
	sides("review", `document.querySelector('[aria-label="One move forward"]').click()`)
	b.visit("#learn/hard", `document.querySelector('#tried')`)
	sides("practice", `(n => { const all = [...document.querySelectorAll('.choice button')], at = all.findIndex(x => x.ariaCurrent === 'true'); all[(at + 1) % all.length].click(); setTimeout(() => [...document.querySelectorAll('button')].find(x => x.innerText === 'Show the answer')?.click(), 20) })()`)
	b.clean()
}

// upright is a function that reports whether nothing turns an element: its text, such as an arrow, is as it is written.
const upright = `(e => { for (; e; e = e.parentElement) { const s = getComputedStyle(e); if (s.writingMode !== 'horizontal-tb' || s.rotate !== 'none' || s.transform !== 'none') return false } return true })`

// pointsTo waits for a best move, and for an arrow at its edge that points there.
func (b *tab) pointsTo(d board.Direction) {
	b.t.Helper()
	arrow := fmt.Sprintf(`document.querySelector('.edge.%v[data-best] i')`, d)
	b.until(fmt.Sprintf(`document.querySelectorAll('.edge[data-best]').length === 1 && %s.innerText === %q && %s(%[1]s)`, arrow, string([]rune("↑→↓←")[d]), upright))
}
