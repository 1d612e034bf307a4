package report

import (
	"fmt"
	"html"
	"math"
	"strconv"

	"github.com/afterstate2048/afterstate/internal/stats"
)

// The size of a chart in its own units; a page scales it to fit.
const (
	chartWidth = 800.0
	labels     = 44.0 // the height of tick labels and title below the plot
)

// chart is a picture for a page. The style sheet has its colours and fonts.
type chart struct {
	page
	height float64
	x, y   axis
}

// axis maps values to places.
type axis struct{ low, high, from, to float64 }

func (a axis) at(value float64) float64 {
	return a.from + (a.to-a.from)*(value-a.low)/(a.high-a.low)
}

// tick is a place on an axis with a label.
type tick struct {
	at    float64
	label string
}

// newChart returns a chart without contents: an x axis with a title and ticks, and a plot of this height.
func newChart(height, low, high float64, title string, ticks []tick) *chart {
	c := &chart{height: height + labels, x: axis{low, high, 40, chartWidth - 15}, y: axis{0, 1, 0, height}}
	for _, t := range ticks {
		c.text("middle", c.x.at(t.at), height+17, t.label)
	}
	c.text("middle faint", chartWidth/2, height+38, title)
	c.line("axis", c.x.from, height, c.x.to, height)
	return c
}

// rows returns a chart with a row of this height for each of n players, and lines from top to bottom at the ticks.
func rows(n int, height, low, high float64, title string, ticks []tick) *chart {
	c := newChart(height*float64(n), low, high, title, ticks)
	c.y.high = float64(n)
	for _, t := range ticks {
		c.line("grid", c.x.at(t.at), 0, c.x.at(t.at), c.y.to)
	}
	return c
}

func (c *chart) line(class string, x1, y1, x2, y2 float64) {
	c.put(`<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

func (c *chart) bar(class string, left, top, right, bottom float64) {
	c.put(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, class, left, top, right-left, bottom-top)
}

func (c *chart) text(class string, x, y float64, text string) {
	c.put(`<text class="%s" x="%.1f" y="%.1f">%s</text>`, class, x, y, text)
}

// name writes the name of a row at its top.
func (c *chart) name(row int, text string) {
	const maximum = 90
	if r := []rune(text); len(r) > maximum {
		text = string(r[:maximum-1]) + "…"
	}
	c.text("", c.x.from, c.y.at(float64(row))+14, text)
}

// whisker draws an interval across, with its ends.
func (c *chart) whisker(ci stats.Interval, y float64) {
	if !ci.Known() {
		return
	}
	c.line("whisker", c.x.at(ci.Low), y, c.x.at(ci.High), y)
	for _, end := range []float64{ci.Low, ci.High} {
		c.line("whisker", c.x.at(end), y-4, c.x.at(end), y+4)
	}
}

// done returns the chart as markup, with a text alternative.
func (c *chart) done(about string) markup {
	return markup(fmt.Sprintf(`<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">%s</svg>`, chartWidth, c.height, html.EscapeString(about), c.String()))
}

// evenTicks are about five round numbers from low to high.
func evenTicks(low, high float64, label func(float64) string) (ticks []tick) {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, part := range []float64{2, 2.5, 2} {
		if (high-low)/step < 4 {
			step /= part
		}
	}
	for k := math.Ceil(low / step); k*step <= high; k++ {
		ticks = append(ticks, tick{k * step, label(k * step)})
	}
	return ticks
}

// powerTicks are 1, 2 and 5 times powers of ten between the logarithms low and high, or only the powers over a wide range.
func powerTicks(low, high float64) (ticks []tick) {
	steps := []float64{1, 2, 5}
	if high-low > 3.2 {
		steps = steps[:1]
	}
	for power := math.Floor(low); power <= high; power++ {
		for _, k := range steps {
			if at := power + math.Log10(k); at >= low && at <= high {
				ticks = append(ticks, tick{at, shortNumber(k * math.Pow(10, power))})
			}
		}
	}
	return ticks
}

// shortNumber writes 20000 as 20k.
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
