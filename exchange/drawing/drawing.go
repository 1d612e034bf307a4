// Package drawing draws a board as a picture in SVG or PNG.
//
//	err := drawing.PNG(file, b)
package drawing

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"strconv"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/afterstate2048/afterstate/internal/palette"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Dimensions in pixels.
const (
	tile   = 192
	gap    = 24 // between tiles and around them
	corner = 18 // radius of the corners of tiles and board
)

// rect is a filled rectangle with round corners and perhaps a number. If it has no number, text is empty.
type rect struct {
	x, y, width, height int
	fill, text, ink     string
}

// rects returns the rectangles that make up a board: its background first, then the cells.
func rects(b board.Board) []rect {
	side := func(cells int) int { return cells*(tile+gap) + gap }
	size := b.Size()
	all := []rect{{width: side(size.Cols), height: side(size.Rows), fill: palette.GridLight}}
	for i := range size.Cells() {
		r := rect{x: gap + i%size.Cols*(tile+gap), y: gap + i/size.Cols*(tile+gap), width: tile, height: tile, fill: palette.EmptyLight}
		if e := b.Cell(i); e > 0 {
			r.fill, r.ink = palette.Tile(e)
			r.text = strconv.FormatInt(board.Tile(e), 10)
		}
		all = append(all, r)
	}
	return all
}

// fontSize returns the font size in pixels at which the number fits its tile.
func (r *rect) fontSize() float64 { return tile * min(0.46, 1.45/float64(len(r.text))) }

// middle returns the middle of the number's baseline.
func (r *rect) middle() (x, y int) {
	const digit = 0.69 // height of digits as a share of the font size
	return r.x + r.width/2, r.y + r.height/2 + int(digit/2*r.fontSize()+0.5)
}

// SVG writes a board as SVG.
func SVG(w io.Writer, b board.Board) error {
	all, out := rects(b), bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="Liberation Sans,Arial,Helvetica,sans-serif" font-weight="700" text-anchor="middle">`+"\n<title>%v</title>\n",
		all[0].width, all[0].height, all[0].width, all[0].height, b)
	for _, r := range all {
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s"/>`, r.x, r.y, r.width, r.height, corner, r.fill)
		if r.text != "" {
			x, y := r.middle()
			fmt.Fprintf(out, `<text x="%d" y="%d" font-size="%.1f" fill="%s">%s</text>`, x, y, r.fontSize(), r.ink, r.text)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

// PNG writes a board as PNG.
func PNG(w io.Writer, b board.Board) error {
	digits, err := opentype.Parse(liberationsansbold.TTF)
	if err != nil {
		return err
	}
	all := rects(b)
	m := image.NewNRGBA(image.Rect(0, 0, all[0].width, all[0].height))
	for _, r := range all {
		r.paint(m)
		if r.text == "" {
			continue
		}
		face, err := opentype.NewFace(digits, &opentype.FaceOptions{Size: r.fontSize(), DPI: 72})
		if err != nil {
			return err
		}
		x, y := r.middle()
		d := font.Drawer{Dst: m, Src: image.NewUniform(colour(r.ink)), Face: face}
		d.Dot = fixed.P(x, y)
		d.Dot.X -= d.MeasureString(r.text) / 2
		d.DrawString(r.text)
	}
	return png.Encode(w, m)
}

// paint fills the rectangle, with round corners.
func (r *rect) paint(m *image.NRGBA) {
	const handle = corner * 0.448 // position of the control points, so that a Bézier curve is nearly a quarter circle
	w, h := float32(r.width), float32(r.height)
	v := vector.NewRasterizer(r.width, r.height)
	v.MoveTo(corner, 0)
	v.LineTo(w-corner, 0)
	v.CubeTo(w-handle, 0, w, handle, w, corner)
	v.LineTo(w, h-corner)
	v.CubeTo(w, h-handle, w-handle, h, w-corner, h)
	v.LineTo(corner, h)
	v.CubeTo(handle, h, 0, h-handle, 0, h-corner)
	v.LineTo(0, corner)
	v.CubeTo(0, handle, handle, 0, corner, 0)
	v.ClosePath()
	v.DrawOp = draw.Over
	v.Draw(m, image.Rect(r.x, r.y, r.x+r.width, r.y+r.height), image.NewUniform(colour(r.fill)), image.Point{})
}

// colour converts a colour of package palette, in the form #rrggbb.
func colour(hex string) color.Color {
	v, _ := strconv.ParseUint(hex[1:], 16, 32) // cannot fail for a palette colour
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}
