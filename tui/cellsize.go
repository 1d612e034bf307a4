package tui

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"

	"github.com/afterstate2048/afterstate/rules/board"
)

// cellSize is the size of one tile with its share of the gaps, in columns and lines. A board has
// one more column and line than its tiles together: the last line of the grid without colours, the
// lower edge of the background with them.
type cellSize struct{ cols, lines int }

// cellSizes are the sizes of tiles, the smallest first. The smallest still has room for 131072; the
// largest draws numbers with pixels. A character is about twice as high as wide.
var cellSizes = []cellSize{{7, 2}, {8, 3}, {9, 4}, {10, 5}, {12, 6}, {14, 7}, {16, 8}, {26, 13}}

func (p cellSize) width(s board.Size) int { return s.Cols*p.cols + 1 }

func (p cellSize) height(s board.Size) int { return s.Rows*p.lines + 1 }

// tile is a tile and its position in columns and rows of the board, which are fractional while it
// slides.
type tile struct {
	exponent uint8
	x, y     float64
	small    bool // it has just appeared
}

// picture is the appearance of a board at one moment.
type picture struct {
	size  board.Size
	tiles []tile // later tiles are drawn over earlier ones
}

// still returns the picture of a board at rest.
func still(b *board.Board) picture {
	p := picture{size: b.Size()}
	for i := range b.Size().Cells() {
		if e := b.Cell(i); e != 0 {
			p.tiles = append(p.tiles, resting(b, i, e))
		}
	}
	return p
}

func resting(b *board.Board, cell int, exponent uint8) tile {
	cols := b.Size().Cols
	return tile{exponent: exponent, x: float64(cell % cols), y: float64(cell / cols)}
}

// draw draws the picture with its upper left corner at a column and a line.
func (p cellSize) draw(c canvas, x, y int, t *theme, pic picture) {
	if t.tiles != nil {
		p.paint(c, x, y, t, pic)
	} else {
		p.rule(c, x, y, t, pic)
	}
}

// paint draws with colours. Tiles have a gap of one column and of half a line, which are about the
// same size on most terminals.
func (p cellSize) paint(c canvas, x, y int, t *theme, pic picture) {
	size := pic.size
	c.fill(x, 2*y, p.width(size), 2*p.lines*size.Rows+1, t.frame)
	for r := range size.Rows {
		for col := range size.Cols {
			p.block(c, x+1+col*p.cols, 2*(y+r*p.lines)+1, 0, t.hole)
		}
	}
	for _, tile := range pic.tiles {
		paint := t.tile(tile.exponent)
		left := x + 1 + round(tile.x*float64(p.cols))
		top := 2*y + 1 + round(tile.y*2*float64(p.lines))
		inset := 0
		if tile.small {
			inset = 1
		}
		p.block(c, left, top, inset, paint.back)
		text := tileText(tile.exponent, p.cols-1)
		if w := bigWidth(text); p.lines >= bigFrom && w < p.cols-1 {
			c.big(left+(p.cols-1-w)/2, top+(2*p.lines-1-digitHigh)/2, paint.ink, text)
			continue
		}
		c.text(left+(p.cols-1-len(text))/2, (top+p.lines-1)/2, style{Fg: paint.ink, Attrs: uv.AttrBold}, text)
	}
}

// block fills the area of a tile; top counts half lines.
func (p cellSize) block(c canvas, left, top, inset int, paint color.Color) {
	c.fill(left+inset, top+inset, p.cols-1-2*inset, 2*p.lines-1-2*inset, paint)
}

// rule draws a grid of lines and the numbers in it.
func (p cellSize) rule(c canvas, x, y int, t *theme, pic picture) {
	size := pic.size
	top, between, bottom, inside := "┌─┬┐", "├─┼┤", "└─┴┘", "│ ││"
	if t.ascii {
		top, between, bottom, inside = "+-++", "+-++", "+-++", "| ||"
	}
	for j := range p.height(size) {
		row := inside
		switch {
		case j == 0:
			row = top
		case j == p.lines*size.Rows:
			row = bottom
		case j%p.lines == 0:
			row = between
		}
		chars := strings.Split(row, "") // at the left edge, in a cell, between cells, at the right edge
		cell := strings.Repeat(chars[1], p.cols-1)
		c.text(x, y+j, t.dim(), chars[0]+strings.Repeat(cell+chars[2], size.Cols-1)+cell+chars[3])
	}
	for _, tile := range pic.tiles {
		text := tileText(tile.exponent, p.cols-1)
		left := x + 1 + round(tile.x*float64(p.cols)) + (p.cols-1-len(text))/2
		top := y + round(tile.y*float64(p.lines)) + p.lines/2
		c.text(left, top, t.bold(), text)
	}
}

func round(x float64) int { return int(math.Round(x)) }

// tileText returns a tile's number, or its power of two if the number is too long.
func tileText(exponent uint8, room int) string {
	text := strconv.FormatInt(board.Tile(exponent), 10)
	if len(text) > room {
		text = "2^" + strconv.Itoa(int(exponent))
	}
	return text
}
