package tui

import (
	"fmt"

	"github.com/afterstate2048/afterstate/rules/board"
)

// layout is the position of the board, and of a panel beside or below it. The last line shows the
// keys.
type layout struct {
	cellSize
	x, y   int  // of the board
	beside bool // the panel is beside the board; otherwise there are lines above and below it
	panel  rect
	footer int // the line of the keys
}

type rect struct{ x, y, width, height int }

const (
	panelLeast, panelMost = 26, 44 // width of a panel beside the board in columns
	panelHigh             = 13     // least height of such a panel in lines
	roomyHeight           = 17     // height from which it has blank lines between its parts
	gap                   = 3      // columns between board and panel
	// Lines below the board if the panel is there; one more is above the board.
	below      = 2 // the message and one line of a hint
	belowRoomy = 9 // the complete panel
	minWidth   = 30
	// Width of a panel below a narrower board: it begins under the board and ends before the window does.
	stackedMost = 60
)

// minWindow returns the smallest window for a board, in columns and lines.
func minWindow(s board.Size) (width, height int) {
	p := cellSizes[0]
	return max(p.width(s), minWidth), p.height(s) + 1 + below + 1
}

// arrange returns the layout with the largest tiles for which the board and a panel beside or below
// it fit. Between layouts with equal tiles it prefers the panel beside the board; a panel of two
// lines is the last resort.
func arrange(width, height int, s board.Size) (l layout, ok bool) {
	if w, h := minWindow(s); width < w || height < h {
		return l, false
	}
	for _, lines := range []int{belowRoomy, below} {
		for i := len(cellSizes) - 1; i >= 0; i-- {
			p := cellSizes[i]
			w, h := p.width(s), p.height(s)
			if w+gap+panelLeast <= width && max(h, panelHigh)+1 <= height {
				return beside(p, s, width, height), true
			}
			if w <= width && h+1+lines+1 <= height {
				return stacked(p, s, width, height), true
			}
		}
	}
	return l, false
}

func beside(p cellSize, s board.Size, width, height int) layout {
	w, h := p.width(s), p.height(s)
	l := layout{cellSize: p, beside: true, footer: height - 1}
	room := min(max(width-w-gap-2, panelLeast), panelMost) // leaves a margin if possible
	all := w + gap + room
	l.x = (width - all) / 2
	l.y = (height - 1 - max(h, panelHigh)) / 2
	l.panel = rect{l.x + w + gap, l.y, room, height - 1 - l.y}
	return l
}

func stacked(p cellSize, s board.Size, width, height int) layout {
	w, h := p.width(s), p.height(s)
	l := layout{cellSize: p, footer: height - 1}
	l.x = (width - w) / 2
	l.y = 1
	if height >= h+1+belowRoomy+1+2 {
		l.y = 2
	}
	left := (width - max(w, minWidth)) / 2
	l.panel = rect{left, l.y + h, min(width-left, max(w, minWidth, stackedMost)), height - 1 - (l.y + h)}
	return l
}

// over returns the rectangle of the board, for dialogs.
func (l *layout) over(s board.Size) rect { return rect{l.x, l.y, l.width(s), l.height(s)} }

// tooSmall draws the message for a window that is too small for the board.
func tooSmall(c canvas, t *theme, s board.Size) {
	w, h := minWindow(s)
	text := fmt.Sprintf("A %v board needs a window of %dx%d; this one has %dx%d. q quits.", s, w, h, c.Width(), c.Height())
	to := &column{c: c, rect: rect{0, 0, max(c.Width(), 1), c.Height()}}
	to.para(para{t.bold(), text, 0})
}

// labels writes characters into the empty cells.
func (l *layout) labels(c canvas, t *theme, b *board.Board, chars string) {
	cols := b.Size().Cols
	for i := range b.Size().Cells() {
		if b.Cell(i) == 0 {
			x, y := l.x+1+i%cols*l.cols+(l.cols-2)/2, l.y+i/cols*l.lines+l.lines/2
			c.text(x, y, t.tinted(t.label), chars[i:i+1])
		}
	}
}
