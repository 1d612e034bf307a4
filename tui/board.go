package tui

import (
	"image/color"
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// cellSize is the size of one tile with its share of the gaps, in columns and lines. A board is one column
// wider and one line higher than its tiles together. The extra line is the last line of the grid or, with
// colours, the lower edge of the background.
type cellSize struct{ cols, lines int }

// cellSizes are the possible sizes of tiles, the smallest first. The smallest still has room for 131072. A character
// is about twice as high as wide.
var cellSizes = []cellSize{{7, 2}, {8, 3}, {9, 4}, {10, 5}, {12, 6}, {14, 7}, {16, 8}}

func (p cellSize) width(s board.Size) int { return s.Cols*p.cols + 1 }

func (p cellSize) height(s board.Size) int { return s.Rows*p.lines + 1 }

// tile is a tile and its position in columns and rows of the board, which are fractional while it
// slides.
type tile struct {
	exponent uint8
	x, y     float64
	small    bool // a new tile, drawn smaller at first
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

// draw draws the picture with its upper left corner in column x and line y.
func (p cellSize) draw(c canvas, x, y int, t *theme, pic picture) {
	if t.tiles != nil {
		p.paint(c, x, y, t, pic)
	} else {
		p.rule(c, x, y, t, pic)
	}
}

// paint draws the picture with colours. The gaps between tiles are one column wide and half a line high,
// which is about the same size on most terminals.
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
		c.text(left+(p.cols-1-len(text))/2, (top+p.lines-1)/2, style{Fg: paint.ink, Attrs: uv.AttrBold}, text)
	}
}

// block fills the area of a tile, except for a margin of inset pixels. top is in half lines.
func (p cellSize) block(c canvas, left, top, inset int, paint color.Color) {
	c.fill(left+inset, top+inset, p.cols-1-2*inset, 2*p.lines-1-2*inset, paint)
}

// rule draws the picture without colours, as a grid of lines with numbers in it.
func (p cellSize) rule(c canvas, x, y int, t *theme, pic picture) {
	size := pic.size
	top, between, bottom, inside := "┌─┬┐", "├─┼┤", "└─┴┘", "│ ││"
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

// Durations of an animation. A slide takes as long as in the original game; then the new tile is drawn
// smaller for popTime.
const (
	slideTime = 100 * time.Millisecond
	popTime   = 50 * time.Millisecond
	frameTime = time.Second / 60
)

// slide is the animation of one move. The game has already made the move. If another animation starts, this
// one ends.
type slide struct {
	off     bool // disabled by the user
	number  int  // number of the animation; frames of earlier animations are ignored
	running bool
	begin   time.Time
	before  board.Board
	motions []board.Motion
	spawn   game.Spawn
}

// frameMsg requests the next frame of the animation with this number.
type frameMsg int

// start starts the animation of a move and returns the command for its next frame; nil if animations are off.
func (s *slide) start(now time.Time, before board.Board, d board.Direction, spawn game.Spawn) tea.Cmd {
	s.stop()
	if s.off {
		return nil
	}
	s.running, s.begin, s.before, s.spawn = true, now, before, spawn
	s.motions = before.Motions(d)
	return s.next()
}

// stop ends the animation.
func (s *slide) stop() {
	s.running = false
	s.number++
}

func (s *slide) next() tea.Cmd {
	number := s.number
	return tea.Tick(frameTime, func(time.Time) tea.Msg { return frameMsg(number) })
}

// frame continues the animation: it returns the command for the next frame, or nil at the end.
func (s *slide) frame(now time.Time, m frameMsg) tea.Cmd {
	if int(m) != s.number || !s.running {
		return nil
	}
	if now.Sub(s.begin) >= slideTime+popTime {
		s.stop()
		return nil
	}
	return s.next()
}

// picture returns what to draw at the time now. b is the board after the move.
func (s *slide) picture(now time.Time, b *board.Board) picture {
	t := now.Sub(s.begin)
	switch {
	case !s.running:
		return still(b)
	case t >= slideTime:
		p := still(b)
		at := resting(b, s.spawn.Cell, s.spawn.Exponent)
		for i := range p.tiles {
			p.tiles[i].small = p.tiles[i].x == at.x && p.tiles[i].y == at.y
		}
		return p
	}
	left := 1 - float64(t)/float64(slideTime)
	done := 1 - left*left // ease-out
	p := picture{size: b.Size()}
	var moving []tile
	for _, m := range s.motions {
		from := resting(b, m.From, s.before.Cell(m.From))
		if m.From == m.To {
			p.tiles = append(p.tiles, from)
			continue
		}
		to := resting(b, m.To, 0)
		from.x += (to.x - from.x) * done
		from.y += (to.y - from.y) * done
		moving = append(moving, from)
	}
	p.tiles = append(p.tiles, moving...)
	return p
}

// style is the appearance of text. The zero value is the terminal's default.
type style = uv.Style

// canvas is a grid of characters. A character shows text, or two pixels, one above the other. Drawing outside
// the grid has no effect.
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
