//go:build browser || pictures

package serve

import (
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/afterstate2048/afterstate/internal/must"
)

// touch is what fingers do.
func (b *tab) touch(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
	b.t.Helper()
	must.Get(chromedp.Call(b.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, points...)}))(b.t)
}

// finger puts a finger down, moves it to places beside that one, and lifts it.
func (b *tab) finger(x, y float64, to ...[2]float64) {
	b.t.Helper()
	b.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	for _, far := range to {
		b.touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: x + far[0], Y: y + far[1]})
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
}

// box is where an element is in the window.
type box struct{ X, Y, W, H float64 }

func (b *tab) box(element string) box {
	b.t.Helper()
	return js[box](b, fmt.Sprintf(`(r => ({X: r.x, Y: r.y, W: r.width, H: r.height}))(%s.getBoundingClientRect())`, element))
}

func (r box) middle() (x, y float64) { return r.X + r.W/2, r.Y + r.H/2 }

// unscrolled requires that the page is at its top.
func (b *tab) unscrolled() {
	b.t.Helper()
	if y := js[float64](b, `scrollY`); y != 0 {
		b.t.Errorf("%s: the page is scrolled by %v", b.screen.name, y)
	}
}

// narrow requires that the page is not wider than its window.
func (b *tab) narrow() {
	b.t.Helper()
	if wider := js[float64](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wider > 0 {
		b.shot("wide")
		b.t.Errorf("%s: %s is %v pixels wider than the window", b.screen.name, js[string](b, `location.hash`), wider)
	}
}
