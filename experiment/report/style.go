package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"regexp"
	"strings"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

var (
	ink    = color.NRGBA{0x2b, 0x2f, 0x36, 0xff}
	faint  = color.NRGBA{0x6a, 0x71, 0x7c, 0xff}
	grid   = color.NRGBA{0xe0, 0xe3, 0xe8, 0xff}
	ground = color.NRGBA{0xf7, 0xf8, 0xfa, 0xff}
	// palette holds the players' colours, light enough for an interval's line to show on them.
	palette = []color.NRGBA{
		{0x5d, 0x8c, 0xba, 0xff}, // blue
		{0xe0, 0xac, 0x58, 0xff}, // ochre
		{0x62, 0xa8, 0x95, 0xff}, // sea green
		{0xc7, 0x73, 0x6c, 0xff}, // brick
		{0xac, 0x9b, 0xc8, 0xff}, // lilac
		{0x8a, 0x91, 0x9b, 0xff}, // slate
		{0xb0, 0xd0, 0xe4, 0xff}, // sky
		{0x97, 0xa9, 0x5d, 0xff}, // olive
	}
)

func colour(player int) color.NRGBA { return palette[player%len(palette)] }

// faded returns a colour of this opacity.
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(255 * opacity)
	return c
}

func style(size vg.Length, weight font.Weight, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    plotfont.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight, Size: size},
		YAlign:  draw.YTop,
		Handler: plot.DefaultTextHandler,
	}
}

// svg draws a picture of this size, in points, and writes it.
func svg(w io.Writer, width, height vg.Length, paint func(draw.Canvas)) error {
	canvas := vgsvg.NewWith(vgsvg.UseWH(width, height))
	paint(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return err
	}
	// The viewer renders the text; if it lacks the font, one with the same widths
	// is used.
	const only, fallback = "font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"
	_, err := w.Write(bytes.ReplaceAll(out.Bytes(), []byte(only), []byte(fallback)))
	return err
}

// names are the style sheet's names of the colours.
var names = func() map[color.NRGBA]string {
	all := map[color.NRGBA]string{ink: "--ink", faint: "--faint", grid: "--grid", ground: "--ground"}
	for i, c := range palette {
		all[c] = fmt.Sprintf("--p%d", i)
	}
	return all
}()

var (
	svgTag    = regexp.MustCompile(`(?s)^.*?<svg [^>]*viewBox="([^"]*)"[^>]*>`)
	svgFont   = regexp.MustCompile(`font-family:[^;]*;font-variant:normal;(font-weight:normal;)?font-style:normal;`)
	svgColour = regexp.MustCompile(`#[0-9A-F]{6}`)
)

// inline draws a picture for a page: it scales to the page's width and uses its font and colours,
// light or dark. about is its text alternative.
func inline(about string, width, height vg.Length, paint func(draw.Canvas)) markup {
	var out strings.Builder
	margin := func(c draw.Canvas) { paint(draw.Crop(c, 10, -10, 2, -2)) } // for labels beyond the axes
	_ = svg(&out, width, height, margin)                                  // a builder has room
	text := svgTag.ReplaceAllString(out.String(), `<svg viewBox="$1" role="img" aria-label="`+html.EscapeString(about)+`">`)
	text = svgFont.ReplaceAllString(text, "")
	return markup(strings.TrimSpace(svgColour.ReplaceAllStringFunc(text, variable)))
}

// variable replaces colours by the style sheet's variables. Faded colours are matched
// approximately, since they are rounded after multiplication with the opacity.
func variable(text string) string {
	var c color.NRGBA
	if _, err := fmt.Sscanf(text, "#%02X%02X%02X", &c.R, &c.G, &c.B); err != nil {
		return text
	}
	const off = 3
	for named, name := range names {
		if near(c.R, named.R, off) && near(c.G, named.G, off) && near(c.B, named.B, off) {
			return "var(" + name + ")"
		}
	}
	return text
}

func near(a, b uint8, off int) bool { return max(a, b)-min(a, b) <= uint8(off) }
