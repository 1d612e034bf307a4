package report

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
func (s *sheet) name(row int, text string, most int) {
	s.FillText(style(11, font.WeightNormal, ink), vg.Point{X: s.Min.X + 2, Y: s.y(-float64(row)) - 3}, short(text, most))
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
func short(name string, most int) string {
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}
