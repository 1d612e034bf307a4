package tui

import (
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// style is the appearance of text. The zero value is the terminal's default.
type style = uv.Style

// canvas is a grid of characters. A character shows text, or two pixels, one above the other. Drawing outside of it has
// no effect.
type canvas struct{ uv.ScreenBuffer }

func newCanvas(width, height int) canvas {
	return canvas{uv.NewScreenBuffer(max(width, 0), max(height, 0))}
}

// String returns the canvas as lines with ANSI styles, without trailing blanks.
func (c canvas) String() string { return uv.TrimSpace(c.Render()) }

// text writes a line of text without changing the background. A rune that is not
// one column wide becomes a question mark, since specs may contain any text.
func (c canvas) text(x, y int, s style, text string) {
	for _, r := range text {
		if p := c.CellAt(x, y); p != nil {
			char := string(r)
			if ansi.StringWidth(char) != 1 {
				char = "?"
			}
			s.Bg = p.Style.Bg
			*p = uv.Cell{Content: char, Style: s, Width: 1}
		}
		x++
	}
}

// fill paints a rectangle; y and height count pixels, which are half characters.
func (c canvas) fill(x, y, width, height int, paint color.Color) {
	for j := y; j < y+height; j++ {
		for i := x; i < x+width; i++ {
			p := c.CellAt(i, j>>1)
			if p == nil {
				continue
			}
			upper, low := pixels(p)
			if j&1 == 0 {
				upper = paint
			} else {
				low = paint
			}
			*p = pixelCell(upper, low)
		}
	}
}

// pixels returns the upper and the lower pixel of a character; nil is the terminal's background.
func pixels(p *uv.Cell) (upper, low color.Color) {
	switch p.Content {
	case "▀":
		return p.Style.Fg, p.Style.Bg
	case "▄":
		return p.Style.Bg, p.Style.Fg
	}
	return p.Style.Bg, p.Style.Bg
}

func pixelCell(upper, low color.Color) uv.Cell {
	switch {
	case upper == low:
		return uv.Cell{Content: " ", Style: style{Bg: low}, Width: 1}
	case upper == nil:
		return uv.Cell{Content: "▄", Style: style{Fg: low}, Width: 1}
	}
	return uv.Cell{Content: "▀", Style: style{Fg: upper, Bg: low}, Width: 1}
}
