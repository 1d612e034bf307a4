package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
)

// chartWidth is the width of every chart of a report; a page scales it to fit.
const chartWidth = 800 * vg.Length(1)

// chart is a plot: two axes, and what is painted over their ranges.
type chart struct {
	x, y  axis
	paint func(*sheet)
}

// axis is an axis with a label ("": none), a range in data units, and ticks.
type axis struct {
	label     string
	low, high float64
	ticks     []plot.Tick
}

// rows is the y axis of a chart with a row for each name, from the top down.
func rows(n int) axis { return axis{low: -float64(n)} }

// sheet is what a chart is painted on: a canvas, and the places of data on it.
type sheet struct {
	draw.Canvas
	x, y func(float64) vg.Length
}

// DataRange implements plot.DataRanger.
func (c *chart) DataRange() (xmin, xmax, ymin, ymax float64) {
	return c.x.low, c.x.high, c.y.low, c.y.high
}

// Plot implements plot.Plotter.
func (c *chart) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	c.paint(&sheet{canvas, x, y})
}

// Draw draws the chart in the reports' style: faint labels, no box, and a grid in place of the y axis.
func (c *chart) Draw(canvas draw.Canvas) {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Tick.Length = 5 // unseen: it keeps the labels off the line
	p.X.Tick.LineStyle = draw.LineStyle{Color: color.Transparent, Width: 0.5}
	p.X.LineStyle = draw.LineStyle{Color: faint, Width: 0.75}
	p.Y.Tick.Length = 0
	p.Y.LineStyle.Width = 0
	for to, from := range map[*plot.Axis]*axis{&p.X: &c.x, &p.Y: &c.y} {
		to.Padding = 0
		to.Label.Text, to.Label.Padding = from.label, 8
		was := to.Label.TextStyle
		to.Label.TextStyle = style(11, font.WeightNormal, faint)
		to.Label.TextStyle.Rotation, to.Label.TextStyle.XAlign, to.Label.TextStyle.YAlign = was.Rotation, was.XAlign, was.YAlign
		was = to.Tick.Label
		to.Tick.Label = style(11, font.WeightNormal, ink)
		to.Tick.Label.XAlign, to.Tick.Label.YAlign = was.XAlign, was.YAlign
		to.Tick.Marker = plot.ConstantTicks(from.ticks)
	}
	p.Add(c)
	p.Draw(canvas)
}

// inline is the chart as markup of a page, with a text alternative.
func (c *chart) inline(about string, height vg.Length) markup {
	return inline(about, chartWidth, height, c.Draw)
}

// down draws a line from top to bottom.
func (s *sheet) down(at float64, style draw.LineStyle) {
	s.StrokeLine2(style, s.x(at), s.Min.Y, s.x(at), s.Max.Y)
}

// across draws a line of the grid from left to right.
func (s *sheet) across(at float64) {
	s.StrokeLine2(gridLine, s.Min.X, s.y(at), s.Max.X, s.y(at))
}

var gridLine = draw.LineStyle{Color: grid, Width: 0.75}

// bar fills a rectangle.
func (s *sheet) bar(c color.Color, left, bottom, right, top vg.Length) {
	s.SetColor(c)
	r := vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: right, Y: top}}
	s.Fill(r.Path())
}

// name writes the name of a row above it, at most this many characters.
func (s *sheet) name(row int, text string, maximum int) {
	s.FillText(style(11, font.WeightNormal, ink), vg.Point{X: s.Min.X + 2, Y: s.y(-float64(row)) - 3}, short(text, maximum))
}

// ticksFrom are ticks in equal steps from low to high.
func ticksFrom(low, step, high float64, label func(float64) string) (ticks []plot.Tick) {
	for k := math.Ceil(low / step); k*step <= high; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: label(k * step)})
	}
	return ticks
}

// plainNumber writes a number without an exponent or commas.
func plainNumber(v float64) string { return fmt.Sprint(v) }

// shortNumber writes 20000 as 20k.
func shortNumber(v float64) string {
	switch {
	case v >= 1e6:
		return strconv.FormatFloat(v/1e6, 'g', 4, 64) + "M"
	case v >= 1000:
		return strconv.FormatFloat(v/1000, 'g', 4, 64) + "k"
	}
	return fmt.Sprintf("%g", v)
}

// short cuts a name to at most this many characters.
func short(name string, maximum int) string {
	if r := []rune(name); len(r) > maximum {
		return string(r[:maximum-1]) + "…"
	}
	return name
}

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

const (
	svgWidth  = 760 * vg.Length(1)
	svgPlot   = 400 * vg.Length(1) // height of the plot; title and legend come on top
	svgMargin = 20 * vg.Length(1)
	svgEntry  = 18 * vg.Length(1) // height of a legend entry
)

// TilesSVG draws the share of games that ended with each tile as their highest, as bars with Wilson
// 95 % intervals.
func TilesSVG(w io.Writer, r *arena.Results) error {
	report := r.Statistics()
	height := svgPlot + 2*svgMargin + 60 + svgEntry*vg.Length(len(r.Players))
	return svg(w, svgWidth, height, func(c draw.Canvas) { drawReport(c, report) })
}

// drawReport draws title, legend and plot, from top to bottom.
func drawReport(c draw.Canvas, r *arena.Statistics) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, svgMargin, -svgMargin, svgMargin, -svgMargin)

	top := c.Max
	top.X = c.Min.X
	c.FillText(style(17, font.WeightBold, ink), top, "Highest tile on "+r.Size.String())
	top.Y -= 24
	subtitle := asked(r)
	if r.Finished != nil {
		subtitle += fmt.Sprintf(", stopped early: %d of %d finished", *r.Finished, r.Games*len(r.Players))
	}
	c.FillText(style(11, font.WeightNormal, faint), top, subtitle+". Lines show 95 % intervals.")
	top.Y -= 24
	for i := range r.Players {
		(&sheet{Canvas: c}).bar(colour(i), top.X, top.Y-12, top.X+11, top.Y-1)
		name, numbers := legend(&r.Players[i])
		at := vg.Point{X: top.X + 18, Y: top.Y}
		c.FillText(style(11, font.WeightNormal, ink), at, name)
		at.X += style(11, font.WeightNormal, ink).Width(name) + 10
		c.FillText(style(11, font.WeightNormal, faint), at, numbers)
		top.Y -= svgEntry
	}
	tilePlot(r).Draw(draw.Crop(c, 0, 0, 0, top.Y-12-c.Max.Y))
}

// legend is a player's name, shortened to fit, and its mean score and caveats.
func legend(p *arena.PlayerStatistics) (name, numbers string) {
	numbers = "mean score " + mean(p.MeanScore, p.MeanCI)
	if p.Foresees {
		numbers += ", knows the coming spawns"
	}
	if p.TimeLimited {
		numbers += ", limited by time"
	}
	return short(console.Line(p.Player), 64), numbers
}

// tilePlot has a group of bars for each tile, and in it a bar for each player with games that ended with the tile, so
// that each group is centred at its tile.
func tilePlot(r *arena.Statistics) *chart {
	tiles := r.Players[0].Highest
	bars := make([][]int, len(tiles)) // players
	top, maximum := 5.0, 1            // end of the longest interval, bars of the largest group
	for k := range tiles {
		for i, p := range r.Players {
			if s := p.Highest[k].Value; s.Games > 0 {
				bars[k], top = append(bars[k], i), max(top, 100*s.CI.High)
			}
		}
		maximum = max(maximum, len(bars[k]))
	}
	step := 20.0
	if top <= 20 {
		step = 5
	} else if top <= 50 {
		step = 10
	}
	top = step * math.Ceil(top/step)
	c := &chart{
		x: axis{"highest tile of the game", -0.5, float64(max(1, len(tiles))) - 0.5, tileTicks(tiles)},
		y: axis{"share of games (%)", 0, top, ticksFrom(0, step, top, plainNumber)},
	}
	c.paint = func(s *sheet) {
		for k := 1; k < len(tiles); k += 2 { // a ground to every second group
			s.bar(ground, s.x(float64(k)-0.5), s.Min.Y+0.5, s.x(float64(k)+0.5), s.Max.Y)
		}
		for _, t := range c.y.ticks[1:] {
			s.across(t.Value)
		}
		slot := min(0.35, 0.8/float64(maximum)) // a lone bar stays slim
		half := min(36, s.x(0.45*slot)-s.x(0))
		whisker := draw.LineStyle{Color: ink, Width: 0.9}
		for k, players := range bars {
			for n, i := range players {
				share := r.Players[i].Highest[k].Value
				middle := s.x(float64(k) + slot*(float64(n)-float64(len(players)-1)/2))
				s.bar(colour(i), middle-half, s.y(0), middle+half, s.y(100*float64(share.Share)))
				low, high := s.y(100*share.CI.Low), s.y(100*share.CI.High)
				end := min(3, half/2)
				s.StrokeLine2(whisker, middle, low, middle, high)
				s.StrokeLine2(whisker, middle-end, low, middle+end, low)
				s.StrokeLine2(whisker, middle-end, high, middle+end, high)
			}
		}
	}
	return c
}

// tileTicks are a tick for each tile.
func tileTicks(tiles []arena.TileShare) (ticks []plot.Tick) {
	for i, s := range tiles {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: tileName(s)})
	}
	return ticks
}
