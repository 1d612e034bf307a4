package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// drawing is a board as some page could show it.
type drawing struct {
	board  board.Board
	margin int  // around the grid
	side   int  // of a cell
	gap    int  // between cells
	hidden bool // empty cells are not drawn
}

var (
	pageColour, gridColour, emptyColour = color.RGBA{250, 245, 255, 255}, color.RGBA{150, 140, 170, 255}, color.RGBA{175, 168, 190, 255}
	lightText, darkText                 = color.RGBA{255, 255, 255, 255}, color.RGBA{60, 50, 70, 255}
)

// colours returns the fill and the ink of a tile.
func colours(e uint8) (fill, ink color.RGBA) {
	fill = color.RGBA{240 - 9*e, 225 - 12*e, 180 + 4*(e%5)*e/2, 255}
	if e > 5 {
		return fill, lightText
	}
	return fill, darkText
}

func fillRect(m draw.Image, x, y, w, h int, c color.Color) {
	draw.Draw(m, image.Rect(x, y, x+w, y+h), image.NewUniform(c), image.Point{}, draw.Src)
}

// at returns the place of a cell.
func (d *drawing) at(i int) image.Point {
	cols := d.board.Size().Cols
	return image.Pt(d.margin+d.gap+i%cols*(d.side+d.gap), d.margin+d.gap+i/cols*(d.side+d.gap))
}

func (d *drawing) draw(t testing.TB) *image.RGBA {
	t.Helper()
	size := d.board.Size()
	w, h := d.gap+size.Cols*(d.side+d.gap), d.gap+size.Rows*(d.side+d.gap)
	m := image.NewRGBA(image.Rect(0, 0, w+2*d.margin, h+2*d.margin))
	fillRect(m, 0, 0, m.Rect.Dx(), m.Rect.Dy(), pageColour)
	fillRect(m, d.margin, d.margin, w, h, gridColour)
	for i := range size.Cells() {
		d.tile(t, m, i, d.board.Cell(i))
	}
	return m
}

// tile draws a tile or an empty cell.
func (d *drawing) tile(t testing.TB, m draw.Image, i int, e uint8) {
	t.Helper()
	at := d.at(i)
	if e == 0 {
		if !d.hidden {
			fillRect(m, at.X, at.Y, d.side, d.side, emptyColour)
		}
		return
	}
	fill, ink := colours(e)
	fillRect(m, at.X, at.Y, d.side, d.side, fill)
	d.text(t, m, i, fmt.Sprint(board.Tile(e)), ink)
}

// text writes on a cell.
func (d *drawing) text(t testing.TB, m draw.Image, i int, text string, ink color.Color) {
	t.Helper()
	parsed := must.Get(opentype.Parse(gobold.TTF))(t)
	size := float64(d.side) * min(0.5, 1.4/float64(len(text)))
	face := must.Get(opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72}))(t)
	at := d.at(i)
	w := font.Drawer{Dst: m, Src: image.NewUniform(ink), Face: face}
	w.Dot = fixed.Point26_6{X: fixed.I(at.X) + (fixed.I(d.side)-w.MeasureString(text))/2, Y: fixed.I(at.Y + d.side/2 + int(0.36*size))}
	w.DrawString(text)
}

func encodePNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, png.Encode(&out, m))
	return out.Bytes()
}

func encodeJPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, jpeg.Encode(&out, m, &jpeg.Options{Quality: 60}))
	return out.Bytes()
}

func boardOf(t testing.TB, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

const someBoard = "2,4,8,16/32,64,128,256/512,1024,2048,4096/0,16384,65536,8"

// Boards of every size are read, small and large, with and without a page around, as PNG and JPEG,
// with hidden empty cells too. The quick suite reads every fifth picture: each board, drawing and format.
func TestRead(t *testing.T) {
	n := 0
	for _, text := range []string{
		someBoard, "2,0,2,0/0,4,0,0/0,0,8,0/131072,2,4,32768", "2,4,8/0,0,512/8,16,2", "0,2,4,8,16/64,0,0,2,4/2,2048,4,8,8/0,0,0,0,0/1024,2,128,64,2",
		"2,4,8,16,32,64/0,0,2,0,0,4/8192,2,4,2,4,2/0,128,256,512,0,0/2,0,0,0,0,262144/4,8,0,0,2,2",
	} {
		for _, d := range []drawing{{margin: 150, side: 90, gap: 12}, {margin: 90, side: 150, gap: 7}, {margin: 60, side: 56, gap: 8}, {margin: 200, side: 100, gap: 14, hidden: true}} {
			d.board = boardOf(t, text)
			for format, encode := range []func(testing.TB, image.Image) []byte{encodePNG, encodeJPEG} {
				if n++; n%5 != 0 && !soak.Wanted() {
					continue
				}
				r, err := Parse(t.Context(), encode(t, d.draw(t)))
				if err != nil || r.Board != d.board || len(r.Doubts()) > 0 {
					t.Errorf("%+v as %s: %v, %v, doubts %v %s", d, [...]string{"png", "jpeg"}[format], err, r.Board, r.Doubts(), r.Grid)
				}
			}
		}
	}
}

// A screenshot of a browser is read in every format.
func TestFormats(t *testing.T) {
	want := boardOf(t, "16,4,64,32/0,0,32,4/2,64,4,65536/4,32,4,16")
	for _, name := range []string{"board.png", "lossy.webp"} {
		data := must.Get(os.ReadFile("testdata/" + name))(t)
		if r, err := Parse(t.Context(), data); err != nil || r.Board != want || len(r.Doubts()) > 0 {
			t.Errorf("%s: %v, %v, doubts %v %s", name, err, r.Board, r.Doubts(), r.Grid)
		}
	}
}

// What cannot be read for certain is marked.
func TestDoubts(t *testing.T) {
	d := drawing{board: boardOf(t, someBoard), margin: 40, side: 90, gap: 12}
	fill, ink := colours(3)
	for what, c := range map[string]struct {
		spoil  func(m draw.Image)
		doubts []int
	}{
		"a covered number":    {func(m draw.Image) { fillRect(m, d.at(9).X+30, d.at(9).Y+20, 30, 50, color.Black) }, []int{9}},
		"half a number":       {func(m draw.Image) { f, _ := colours(7); fillRect(m, d.at(6).X, d.at(6).Y+10, 50, 70, f) }, []int{6}},
		"no tile of the game": {func(m draw.Image) { fillRect(m, d.at(2).X, d.at(2).Y, 90, 90, fill); d.text(t, m, 2, "3", ink) }, []int{2}},
		"a word":              {func(m draw.Image) { fillRect(m, d.at(2).X, d.at(2).Y, 90, 90, fill); d.text(t, m, 2, "WIN", ink) }, []int{2}},
		"a tile whose ink is faint": {func(m draw.Image) {
			fillRect(m, d.at(2).X, d.at(2).Y, 90, 90, fill)
			d.text(t, m, 2, "8", color.RGBA{fill.R - 20, fill.G - 18, fill.B - 15, 255})
		}, []int{2}},
		"one value in two colours": {func(m draw.Image) {
			fillRect(m, d.at(2).X, d.at(2).Y, 90, 90, color.RGBA{40, 160, 90, 255})
			d.text(t, m, 2, "64", color.White)
		}, []int{2, 5}},
		"a tile without its number": {func(m draw.Image) { fillRect(m, d.at(2).X, d.at(2).Y, 90, 90, color.RGBA{40, 160, 90, 255}) }, []int{2, 12}},
	} {
		m := d.draw(t)
		c.spoil(m)
		r, err := Parse(t.Context(), encodePNG(t, m))
		if err != nil || !slices.Equal(r.Doubts(), c.doubts) {
			t.Errorf("%s: %v, %v, doubts %v %s: want %v", what, err, r.Board, r.Doubts(), r.Grid, c.doubts)
		}
	}
}

// A picture that does not show the whole board is refused, or its grid is doubtful.
func TestCut(t *testing.T) {
	d := drawing{board: boardOf(t, someBoard), margin: 40, side: 90, gap: 12}
	whole := d.draw(t)
	for what, to := range map[string]image.Rectangle{
		"a column and a half":    image.Rect(0, 0, 290, 500),
		"three columns":          image.Rect(0, 0, d.at(3).X-6, 500),
		"half of a row":          image.Rect(0, 90, 500, 500),
		"three rows and columns": image.Rect(0, 0, d.at(3).X-6, d.at(12).Y-6),
		"a part of both":         image.Rect(0, 0, d.at(3).X+40, d.at(12).Y+40),
	} {
		r, err := Parse(t.Context(), encodePNG(t, whole.SubImage(to)))
		if err == nil && (r.Grid == "" || len(r.Doubts()) != len(r.Cells)) {
			t.Errorf("%s: %v without a mark", what, r.Board)
		}
	}
	// A grid of 5x5 of which 4x4 and some more can be seen.
	d.board = boardOf(t, "2,4,8,16,2/2,4,8,16,2/2,4,8,16,2/2,4,8,16,2/2,4,8,16,2")
	if r, err := Parse(t.Context(), encodePNG(t, d.draw(t).SubImage(image.Rect(0, 0, d.at(4).X+50, d.at(20).Y+50)))); err == nil && r.Grid == "" {
		t.Errorf("a part of 5x5: %v without a mark", r.Board)
	}
	// Cut to the board by purpose.
	d = drawing{board: boardOf(t, "2,4,8/0,0,512/8,16,2"), margin: 0, side: 90, gap: 12}
	if r, err := Parse(t.Context(), encodePNG(t, d.draw(t))); err != nil || r.Board != d.board || len(r.Doubts()) > 0 {
		t.Errorf("a tight 3x3: %v, %v %s", err, r.Board, r.Grid)
	}
}

// Rows and columns that are not as many are read, but doubtful.
func TestOblong(t *testing.T) {
	d := drawing{board: boardOf(t, "2,4,8,16/0,2,0,2/64,0,0,2"), margin: 100, side: 90, gap: 12}
	if r, err := Parse(t.Context(), encodePNG(t, d.draw(t))); err != nil || r.Board != d.board || !strings.Contains(r.Grid, "3 rows and 4 columns") {
		t.Errorf("%v, %v, %q", err, r.Board, r.Grid)
	}
}

// Pictures without a board are refused.
func TestNoBoard(t *testing.T) {
	noise := image.NewRGBA(image.Rect(0, 0, 300, 300))
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * i >> 3 * 7)
	}
	one := image.NewRGBA(image.Rect(0, 0, 300, 300))
	fillRect(one, 100, 100, 80, 80, color.White)
	for what, m := range map[string]image.Image{"blank": image.NewGray(image.Rect(0, 0, 400, 300)), "a pixel": image.NewGray(image.Rect(0, 0, 1, 1)), "a line": image.NewGray(image.Rect(0, 0, 5000, 1)), "noise": noise, "a square": one} {
		if r, err := Parse(t.Context(), encodePNG(t, m)); !errors.Is(err, ErrNoBoard) {
			t.Errorf("%s: %v, %v", what, err, r.Board)
		}
	}
}

// BenchmarkParse12MP reads a screenshot of 12 megapixels.
func BenchmarkParse12MP(b *testing.B) {
	d := drawing{board: boardOf(b, someBoard), margin: 700, side: 420, gap: 50}
	m := d.draw(b)
	b.Logf("%v", m.Rect)
	for format, data := range map[string][]byte{"png": encodePNG(b, m), "jpeg": encodeJPEG(b, m)} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				if r, err := Parse(b.Context(), data); err != nil || r.Board != d.board {
					b.Fatal(err, r.Board)
				}
			}
		})
	}
}

// A board whose size and frame are given is read where the frame is near, also of 2x2, which is not looked for.
func TestParseIn(t *testing.T) {
	texts := []string{"2,4/16,0", "2,4,8/0,0,64", someBoard}
	if soak.Wanted() {
		texts = append(texts, "2,4,8,16,32,64/0,0,2,0,0,4/8192,2,4,2,4,2/0,128,256,512,0,0/2,0,0,0,0,262144/4,8,0,0,2,2")
	}
	for _, text := range texts {
		d := drawing{board: boardOf(t, text), margin: 90, side: 100, gap: 12}
		m := d.draw(t)
		data, size := encodePNG(t, m), d.board.Size()
		w, h := float64(m.Bounds().Dx()), float64(m.Bounds().Dy())
		first := d.at(0)
		for _, off := range []float64{0, -6, 6} { // pixels
			f := Frame{
				(float64(first.X) - float64(d.gap)/2 + off) / w, (float64(first.Y) - float64(d.gap)/2 + off) / h,
				float64(size.Cols*(d.side+d.gap)) / w, float64(size.Rows*(d.side+d.gap)) / h,
			}
			r, err := ParseIn(t.Context(), data, size, f)
			if err != nil || r.Board != d.board || len(r.Doubts()) > 0 {
				t.Errorf("%s, %v pixels off: %v, %v, doubts %v %s", text, off, err, r.Board, r.Doubts(), r.Grid)
			}
			if r.Frame.Left-f.Left > 1e-9 || f.Width-r.Frame.Width > 1e-9 {
				t.Errorf("the frame is %+v, want %+v", r.Frame, f)
			}
		}
		found, err := Parse(t.Context(), data)
		if min(size.Rows, size.Cols) < 3 {
			continue
		}
		again, err2 := ParseIn(t.Context(), data, size, found.Frame)
		if err != nil || err2 != nil || again.Board != d.board || len(again.Doubts()) > 0 {
			t.Errorf("%s in %+v: %v, %v, %v", text, found.Frame, err, err2, again)
		}
	}
	blank := encodePNG(t, image.NewRGBA(image.Rect(0, 0, 300, 300)))
	for _, f := range []Frame{{0, 0, 1, 1}, {1, 1, 1, 1}, {0.5, 0.5, 0, 0}} {
		if _, err := ParseIn(t.Context(), blank, board.Size{Rows: 6, Cols: 6}, f); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
}
