package report

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// palette is the number of player colours in the style sheet.
const palette = 8

// class returns a class name of the style sheet, followed by the class name for a player's colour.
func class(name string, player int) string { return fmt.Sprintf("%s c%d", name, player%palette) }

// scoresChart draws a box for each player, from the lower to the upper quartile of its scores, with a line at the
// median. The line through the box spans 90 % of the scores.
func scoresChart(r *arena.Results) markup {
	all := each.Of(r.Players, func(p arena.PlayerResults) []float64 { return arena.Scores(p.Games) })
	c := newChart(len(all), 0, max(1, slices.Max(slices.Concat(all...))), "score")
	for row, scores := range all {
		y := c.name(row, r.Players[row].Name)
		if len(scores) == 0 {
			continue
		}
		at := func(q float64) float64 { return c.x(stats.Quantile(scores, q)) }
		c.line("whisker", at(0.05), y, at(0.95), y)
		c.put(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="14"/>`, class("bar", row), at(0.25), y-7, at(0.75)-at(0.25))
		c.line("whisker", at(0.5), y-7, at(0.5), y+7)
	}
	return c.done("The distribution of each player's scores")
}

// versusChart draws the mean difference between every other player and the first, and a line at 0.
func versusChart(all []*arena.Comparison) markup {
	low, high := 0.0, 0.0
	for _, c := range all {
		for _, v := range []float64{float64(c.Difference), c.CI.Low, c.CI.High} {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	margin := max(high-low, 1) / 25
	c := newChart(len(all), low-margin, high+margin, "mean difference of scores")
	c.line("nothing", c.x(0), 0, c.x(0), c.height)
	for row, x := range all {
		y := c.name(row, x.A)
		if x.Games == 0 {
			continue
		}
		if x.CI.Known() {
			c.line("whisker", c.x(x.CI.Low), y, c.x(x.CI.High), y)
		}
		c.put(`<circle class="%s" cx="%.1f" cy="%.1f" r="4.5"/>`, class("bar", row+1), c.x(float64(x.Difference)), y)
	}
	return c.done("Score differences from the first player")
}

// The size of a chart in SVG user units; a page scales the chart to fit.
const (
	chartWidth, rowHeight = 800.0, 44.0
	chartLeft, chartRight = 40.0, chartWidth - 15
)

// chart is an SVG picture for a page, with a row for each player. Its colours and fonts are in the style sheet.
type chart struct {
	page
	height    float64 // height of all rows together; the labels of the x axis are below the rows
	low, high float64 // values at the ends of the x axis
}

// newChart returns a chart with an empty row for each of n players, and an x axis with a title.
func newChart(n int, low, high float64, title string) *chart {
	c := &chart{height: rowHeight * float64(n), low: low, high: high}
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	// The step becomes 5, 2 or 1 times a power of ten, so that 4 to 10 steps fit on the axis.
	for _, part := range []float64{2, 2.5, 2} {
		if (high-low)/step < 4 {
			step /= part
		}
	}
	for k := math.Ceil(low / step); k*step <= high; k++ {
		x := c.x(k * step)
		c.line("grid", x, 0, x, c.height)
		c.text("middle", x, c.height+17, shortNumber(k*step))
	}
	c.text("middle faint", chartWidth/2, c.height+38, title)
	c.line("axis", chartLeft, c.height, chartRight, c.height)
	return c
}

// x returns the x coordinate of a value.
func (c *chart) x(value float64) float64 {
	return chartLeft + (chartRight-chartLeft)*(value-c.low)/(c.high-c.low)
}

func (c *chart) line(class string, x1, y1, x2, y2 float64) {
	c.put(`<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

func (c *chart) text(class string, x, y float64, text string) {
	c.put(`<text class="%s" x="%.1f" y="%.1f">%s</text>`, class, x, y, text)
}

// name writes a name at the top of a row, and returns the y coordinate at which to draw the content of the row.
func (c *chart) name(row int, text string) (y float64) {
	const maximum = 90
	if r := []rune(text); len(r) > maximum {
		text = string(r[:maximum-1]) + "…"
	}
	top := rowHeight * float64(row)
	c.text("", chartLeft, top+14, text)
	return top + 30
}

// done returns the chart as markup; about is its text alternative.
func (c *chart) done(about string) markup {
	return markup(fmt.Sprintf(`<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">%s</svg>`,
		chartWidth, c.height+44, html.EscapeString(about), c.String()))
}

// shortNumber formats a number as a short text: 20000 as 20k.
func shortNumber(v float64) string {
	switch {
	case v == 0:
		return "0" // not -0
	case math.Abs(v) >= 1e6:
		return strconv.FormatFloat(v/1e6, 'g', 4, 64) + "M"
	case math.Abs(v) >= 1000:
		return strconv.FormatFloat(v/1000, 'g', 4, 64) + "k"
	}
	return fmt.Sprintf("%.4g", v)
}
