package tui

import (
	"image/color"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// style is the appearance of text. The zero value is the terminal's default.
type style struct {
	fg                   color.Color
	bold, faint, reverse bool
}

// cell is one character of the screen, or two pixels if char is 0: the upper and the lower half of
// the character. Under text both are its background.
type cell struct {
	char       rune
	style      style
	upper, low color.Color // nil: the terminal's background
}

// canvas is a grid of cells. Drawing outside of it has no effect.
type canvas struct {
	width, height int
	cells         []cell
}

func newCanvas(width, height int) *canvas {
	width, height = max(width, 0), max(height, 0)
	return &canvas{width, height, make([]cell, width*height)}
}

func (c *canvas) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= c.width || y >= c.height {
		return nil
	}
	return &c.cells[y*c.width+x]
}

// text writes a line of text without changing the background. It returns the column after the text.
func (c *canvas) text(x, y int, s style, text string) int {
	for _, r := range text {
		if p := c.at(x, y); p != nil {
			p.char, p.style = single(r), s
		}
		x++
	}
	return x
}

// single returns the rune, or a question mark if the rune may not be exactly one column wide, since
// specs may contain any text.
func single(r rune) rune {
	switch {
	case r >= 0x370 && r < 0x483, r >= 0x48a && r < 0x530: // Greek, Cyrillic
	case r < ' ', r >= 0x7f && r < 0xa0, r >= 0x300 && r < 0x2010, r >= 0x2028 && r < 0x2030, r >= 0x2060 && r < 0x2070, r >= 0x2e80:
		return '?'
	}
	return r
}

// clear empties a rectangle of whole characters.
func (c *canvas) clear(x, y, width, height int) {
	for j := y; j < y+height; j++ {
		for i := x; i < x+width; i++ {
			if p := c.at(i, j); p != nil {
				*p = cell{}
			}
		}
	}
}

// fill paints a rectangle; y and height count half characters.
func (c *canvas) fill(x, y, width, height int, paint color.Color) {
	for j := y; j < y+height; j++ {
		for i := x; i < x+width; i++ {
			p := c.at(i, j>>1)
			switch {
			case p == nil:
			case j&1 == 0:
				p.upper, p.char = paint, 0
			default:
				p.low, p.char = paint, 0
			}
		}
	}
}

// glyph is the appearance of a cell on the terminal.
type glyph struct {
	char  rune
	style style
	bg    color.Color
}

func (p *cell) glyph() glyph {
	switch {
	case p.char != 0:
		return glyph{p.char, p.style, p.low}
	case p.upper == p.low:
		return glyph{' ', style{}, p.low}
	case p.upper == nil:
		return glyph{'▄', style{fg: p.low}, nil}
	}
	return glyph{'▀', style{fg: p.upper}, p.low}
}

// String returns the canvas as lines with ANSI styles, without trailing blanks.
func (c *canvas) String() string {
	var out strings.Builder
	out.Grow(2 * len(c.cells))
	for y := range c.height {
		if y > 0 {
			out.WriteByte('\n')
		}
		c.line(&out, c.cells[y*c.width:(y+1)*c.width])
	}
	return out.String()
}

func (c *canvas) line(out *strings.Builder, cells []cell) {
	end := len(cells)
	for end > 0 && blank(&cells[end-1]) {
		end--
	}
	var now glyph
	for i := range cells[:end] {
		g := cells[i].glyph()
		if g.style != now.style || g.bg != now.bg {
			if now.style != (style{}) || now.bg != nil {
				out.WriteString(ansi.ResetStyle)
			}
			if g.style != (style{}) || g.bg != nil {
				out.WriteString(sequence(g))
			}
			now = g
		}
		out.WriteRune(g.char)
	}
	if now.style != (style{}) || now.bg != nil {
		out.WriteString(ansi.ResetStyle)
	}
}

// blank reports whether a cell is invisible; a space in reverse is visible.
func blank(p *cell) bool {
	return (p.char == 0 || p.char == ' ' && !p.style.reverse) && p.upper == nil && p.low == nil
}

// sequence returns the escape sequence that starts a style.
func sequence(g glyph) string {
	var s ansi.Style
	if g.style.bold {
		s = s.Bold()
	}
	if g.style.faint {
		s = s.Faint()
	}
	if g.style.reverse {
		s = s.Reverse(true)
	}
	if g.style.fg != nil {
		s = s.ForegroundColor(g.style.fg)
	}
	if g.bg != nil {
		s = s.BackgroundColor(g.bg)
	}
	return s.String()
}
