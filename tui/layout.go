package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"afterstate/board"
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
	leastWidth = 30
	// Width of a panel below a narrower board: it begins under the board and ends before the window does.
	stackedMost = 60
)

// leastWindow returns the smallest window for a board, in columns and lines.
func leastWindow(s board.Size) (width, height int) {
	p := cellSizes[0]
	return max(p.width(s), leastWidth), p.height(s) + 1 + below + 1
}

// arrange returns the layout with the largest tiles for which the board and a panel beside or below
// it fit. Between layouts with equal tiles it prefers the panel beside the board; a panel of two
// lines is the last resort.
func arrange(width, height int, s board.Size) (l layout, ok bool) {
	if w, h := leastWindow(s); width < w || height < h {
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
	left := (width - max(w, leastWidth)) / 2
	l.panel = rect{left, l.y + h, min(width-left, max(w, leastWidth, stackedMost)), height - 1 - (l.y + h)}
	return l
}

// tooSmall draws the message for a window that is too small for the board.
func tooSmall(c *canvas, t *theme, s board.Size) {
	w, h := leastWindow(s)
	text := fmt.Sprintf("A %v board needs a window of %dx%d; this one has %dx%d. q quits.", s, w, h, c.width, c.height)
	y := 0
	for _, line := range wrap(text, max(c.width, 1)) {
		c.text(0, y, t.bold(), line)
		y++
	}
}

// column writes consecutive lines into a rectangle.
type column struct {
	c    *canvas
	rect rect
	next int
}

func (p *column) left() int { return p.rect.height - p.next }

// line writes one line, truncated to the rectangle.
func (p *column) line(s style, text string) {
	if p.left() > 0 {
		p.c.text(p.rect.x, p.rect.y+p.next, s, cut(text, p.rect.width))
	}
	p.next++
}

// paragraph writes text in at most the given number of lines.
func (p *column) paragraph(s style, text string, most int) {
	lines := wrap(text, p.rect.width)
	if len(lines) > most {
		lines[most-1] = cut(strings.Join(lines[most-1:], " "), p.rect.width)
		lines = lines[:most]
	}
	for _, line := range lines {
		p.line(s, line)
	}
}

// cut truncates text to a number of columns.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	runes := []rune(text)
	if width < 4 {
		return string(runes[:max(width, 0)])
	}
	return string(runes[:width-2]) + ".."
}

// wrap breaks text at spaces into lines of at most width columns. Longer words are split, from the line that they begin on.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		for utf8.RuneCountInString(word) > width {
			if line != "" {
				line += " "
			}
			room := width - utf8.RuneCountInString(line)
			runes := []rune(word)
			if room > 0 {
				line, word = line+string(runes[:room]), string(runes[room:])
			}
			lines, line = append(lines, strings.TrimRight(line, " ")), ""
		}
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// footer writes as many of the keys as fit, the most important first.
func footer(c *canvas, y int, t *theme, keys []string) {
	const between = "  "
	text := ""
	for _, k := range keys {
		if utf8.RuneCountInString(text)+len(between)+utf8.RuneCountInString(k) > c.width-1 {
			break
		}
		if text != "" {
			text += between
		}
		text += k
	}
	c.text((c.width-utf8.RuneCountInString(text))/2, y, t.dim(), text)
}

// dialog draws lines in a box in the middle of a rectangle, over its content.
func dialog(c *canvas, t *theme, over rect, lines []string) {
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l))
	}
	width = min(width, c.width-4)
	w, h := width+4, len(lines)+2
	x := min(max(over.x+(over.width-w)/2, 0), c.width-w)
	y := min(max(over.y+(over.height-h)/2, 0), max(c.height-h, 0))
	corners, across, down := []rune("╭╮╰╯"), "─", "│"
	if t.ascii {
		corners, across, down = []rune("++++"), "-", "|"
	}
	c.clear(x, y, w, h)
	s := t.tinted(t.gold)
	c.text(x, y, s, string(corners[0])+strings.Repeat(across, w-2)+string(corners[1]))
	for i, l := range lines {
		c.text(x, y+1+i, s, down)
		first := style{}
		if i == 0 {
			first = t.bold()
		}
		c.text(x+2, y+1+i, first, cut(l, width))
		c.text(x+w-1, y+1+i, s, down)
	}
	c.text(x, y+h-1, s, string(corners[2])+strings.Repeat(across, w-2)+string(corners[3]))
}
