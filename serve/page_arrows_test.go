//go:build browser || pictures

package serve

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// onlyMoves are boards where one move is legal.
var onlyMoves = [4]string{
	board.Up: "0,0,0/2,4,2/4,2,4", board.Right: "2,4,0/4,2,0/2,4,0", board.Down: "4,2,4/2,4,2/0,0,0", board.Left: "0,2,4/0,4,2/0,2,4",
}

// The arrow at the board's edge points to the best move, by its pixels, in every view.
func testArrows(t *testing.T, in pages, sc screen) {
	b := open(t, in, in.site(t), sc, "")
	b.until(ready)
	b.run(evaluate(`localStorage.setItem('afterstate.hint', '{"player":"best","live":true}')`))
	for _, d := range board.Directions {
		b.run(navigate("#ask/" + onlyMoves[d]))
		b.pointsTo("ask", d)
	}
	for _, d := range []board.Direction{board.Left, board.Right} {
		b.run(navigate("#watch"), navigate("#play/from/"+onlyMoves[d]))
		b.shows(must.Get(board.Parse(onlyMoves[d]))(t))
		b.pointsTo("play", d)
		b.run(navigate("#watch/from/" + onlyMoves[d]))
		b.until(moves + ` > 0`)
		b.click("Pause")
		for js[int](b, moves) > 0 { // a move may still arrive after Pause
			b.press("b")
		}
		b.pointsTo("watch", d)
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
			b.pointsTo(view, d)
		}
	}
	b.run(navigate("#review"))
	b.click("Show an example")
	b.until(allJudged)
	for !b.holds(`document.querySelector('#moves').innerText.startsWith('1 of ')`) { // the view may still look for a mistake
		b.press(kb.Home)
	}
	sides("review", `document.querySelector('[aria-label="One move forward"]').click()`)
	b.run(navigate("#practice/hard"))
	b.until(`document.querySelector('#tried')`)
	sides("practice", `(n => { const all = [...document.querySelectorAll('.choice button')], at = all.findIndex(x => x.ariaCurrent === 'true'); all[(at + 1) % all.length].click(); setTimeout(() => [...document.querySelectorAll('button')].find(x => x.innerText === 'Show the answer')?.click(), 20) })()`)
	b.clean()
}

// pointsTo waits for a best move and compares the direction in which its arrow points.
func (b *tab) pointsTo(view string, d board.Direction) {
	b.t.Helper()
	arrow := fmt.Sprintf(`.edge.%v[data-best] i`, d)
	b.until(fmt.Sprintf(`document.querySelectorAll('.edge[data-best]').length === 1 && document.querySelector(%q)`, arrow))
	data, err := chromedp.Run(b.ctx, chromedp.ScreenshotScale(arrow, 4))
	if err != nil {
		b.t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	if got, ok := pointing(m); !ok || got != d {
		b.shot("arrow-" + view)
		b.t.Errorf("%s, %s: the arrow of %v points %v (found: %v)", b.screen.name, view, d, got, ok)
	}
}

// pointing returns the direction of an arrow: along its longer side, to the end where it is wider.
func pointing(m image.Image) (d board.Direction, ok bool) {
	ground := m.At(m.Bounds().Min.X, m.Bounds().Min.Y)
	var box image.Rectangle
	var ink []image.Point
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			if differ(m.At(x, y), ground) {
				ink = append(ink, image.Pt(x, y))
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	// width is how far the ink of a part spreads across the arrow.
	width := func(part image.Rectangle, across func(image.Point) int) int {
		minimum, maximum := 1<<30, -1
		for _, p := range ink {
			if p.In(part) {
				minimum, maximum = min(minimum, across(p)), max(maximum, across(p))
			}
		}
		return maximum - minimum
	}
	first, last, forward := box, box, board.Right
	across := func(p image.Point) int { return p.Y }
	if box.Dx() > box.Dy() {
		first.Max.X, last.Min.X = box.Min.X+box.Dx()/3, box.Max.X-box.Dx()/3
	} else {
		first.Max.Y, last.Min.Y = box.Min.Y+box.Dy()/3, box.Max.Y-box.Dy()/3
		across, forward = func(p image.Point) int { return p.X }, board.Down
	}
	begin, end := width(first, across), width(last, across)
	if begin > end {
		forward = (forward + 2) % 4
	}
	return forward, begin != end && box.Dx() != box.Dy()
}

func differ(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	far := func(x, y uint32) bool { return max(x, y)-min(x, y) > 0x4000 }
	return far(r, r2) || far(g, g2) || far(bl, bl2)
}
