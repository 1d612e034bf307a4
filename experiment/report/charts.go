package report

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// palette is the number of player colours in the style sheet.
const palette = 8

// class returns a class name of the style sheet, followed by the class name for a player's colour.
func class(name string, player int) string { return fmt.Sprintf("%s c%d", name, player%palette) }

// tilesChart draws a group of bars for each tile: the share of each player's games that ended with this tile
// as the highest one.
func tilesChart(r *arena.Statistics) markup {
	tiles := r.Players[0].Highest
	var ticks []tick
	top, players := 0.05, 1 // upper limit of the y axis; number of bars in the largest group
	for k, tile := range tiles {
		ticks = append(ticks, tick{float64(k), tileName(tile)})
		n := 0
		for _, p := range r.Players {
			if s := p.Highest[k].Value; s.Games > 0 {
				n, top = n+1, max(top, s.CI.High)
			}
		}
		players = max(players, n)
	}
	c := newChart(260, -0.5, float64(len(tiles))-0.5, "highest tile of the game", ticks)
	c.y.low, c.y.high = top, 0
	for _, t := range evenTicks(0, top, func(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }) {
		c.line("grid", c.x.from, c.y.at(t.at), c.x.to, c.y.at(t.at))
		c.text("end", c.x.from-4, c.y.at(t.at)+11, t.label)
	}
	slot := min(0.35, 0.8/float64(players)) // a single bar stays narrow
	half := min(36, 0.45*slot*(c.x.at(1)-c.x.at(0)))
	for k := range tiles {
		var present []int
		for i := range r.Players {
			if r.Players[i].Highest[k].Value.Games > 0 {
				present = append(present, i)
			}
		}
		for n, i := range present {
			share := r.Players[i].Highest[k].Value
			middle := c.x.at(float64(k) + slot*(float64(n)-float64(len(present)-1)/2))
			c.bar(class("bar", i), middle-half, c.y.at(float64(share.Share)), middle+half, c.y.to)
			c.line("whisker", middle, c.y.at(share.CI.Low), middle, c.y.at(share.CI.High))
		}
	}
	return c.done("Share of games by their highest tile, by player")
}

// scoresChart draws a histogram for each player: the middle half of the games is darker, and the median is a line.
func scoresChart(r *arena.Results) markup {
	var all []float64
	scores := make([][]float64, len(r.Players))
	for i := range r.Players {
		scores[i] = arena.Scores(r.Players[i].Games)
		all = append(all, scores[i]...)
	}
	low, high := 0.0, max(1, slices.Max(all))
	at, ticks := func(score float64) float64 { return score }, evenTicks(low, high, shortNumber)
	// Scores that spread over more than a factor of 20 get a logarithmic axis.
	if stats.Quantile(all, 0.98) > 20*max(stats.Quantile(all, 0.02), 1) {
		at = func(score float64) float64 { return math.Log10(max(score, 1)) }
		low, high = at(stats.Quantile(all, 0.001)), at(high)
		ticks = powerTicks(low, high)
	}
	const height, base = 64, 0.95
	c := rows(len(scores), height, low, high, "score", ticks)
	for row := range scores {
		c.name(row, r.Players[row].Name)
		if len(scores[row]) == 0 {
			continue
		}
		bars := histogram(scores[row], func(score float64) float64 { return (at(score) - low) / (high - low) })
		width := (high - low) / float64(len(bars))
		area := func(colour string, from, to float64) { // area draws the part between two values on the axis
			points := []string{fmt.Sprintf("%.1f,%.1f", c.x.at(from), c.y.at(float64(row)+base))}
			for i, share := range bars {
				left, right := max(low+width*float64(i), from), min(low+width*float64(i+1), to)
				if y := c.y.at(float64(row) + base - 0.6*share); left < right {
					points = append(points, fmt.Sprintf("%.1f,%.1f %.1f,%.1f", c.x.at(left), y, c.x.at(right), y))
				}
			}
			c.put(`<polygon class="%s" points="%s %.1f,%.1f"/>`, colour, strings.Join(points, " "), c.x.at(to), c.y.at(float64(row)+base))
		}
		quantile := func(q float64) float64 { return max(low, at(stats.Quantile(scores[row], q))) }
		area(class("bar faded", row), low, high)
		area(class("bar", row), quantile(0.25), quantile(0.75))
		median := c.x.at(quantile(0.5))
		c.line("whisker", median, c.y.at(float64(row)+0.3), median, c.y.at(float64(row)+base))
	}
	return c.done("How each player's scores are spread")
}

// histogram returns the height of each bin: its number of scores, relative to the fullest bin. at maps a
// score to the range 0 to 1. The number of bins grows with the number of scores.
func histogram(scores []float64, at func(float64) float64) []float64 {
	counts := make([]float64, max(12, min(int(8*math.Cbrt(float64(len(scores)))), 100)))
	for _, x := range scores {
		counts[max(0, min(int(at(x)*float64(len(counts))), len(counts)-1))]++
	}
	maximum := slices.Max(counts)
	for i := range counts {
		counts[i] /= maximum
	}
	return counts
}

// versusChart draws the mean difference between each other player and the first one, and a line at 0.
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
	low, high = low-margin, high+margin
	c := rows(len(all), 40, low, high, "mean difference of scores", evenTicks(low, high, shortNumber))
	c.line("nothing", c.x.at(0), 0, c.x.at(0), c.y.to)
	for row, x := range all {
		c.name(row, x.A)
		if x.Games > 0 {
			y := c.y.at(float64(row) + 0.7)
			c.whisker(x.CI, y)
			c.put(`<circle class="%s" cx="%.1f" cy="%.1f" r="4.5"/>`, class("bar", row+1), c.x.at(float64(x.Difference)), y)
		}
	}
	return c.done("Differences of scores to the first player")
}

// The size of a chart in its own units; a page scales it to fit.
const (
	chartWidth = 800.0
	labels     = 44.0 // the height of tick labels and title below the plot
)

// chart is an SVG picture for a page. Its colours and fonts are in the style sheet.
type chart struct {
	page
	height float64
	x, y   axis
}

// axis maps values to coordinates.
type axis struct{ low, high, from, to float64 }

func (a axis) at(value float64) float64 {
	return a.from + (a.to-a.from)*(value-a.low)/(a.high-a.low)
}

// tick is a value on an axis with a label.
type tick struct {
	at    float64
	label string
}

// newChart returns a chart with an x axis, a title below it and ticks, and an empty plot of this height.
func newChart(height, low, high float64, title string, ticks []tick) *chart {
	c := &chart{height: height + labels, x: axis{low, high, 40, chartWidth - 15}, y: axis{0, 1, 0, height}}
	for _, t := range ticks {
		c.text("middle", c.x.at(t.at), height+17, t.label)
	}
	c.text("middle faint", chartWidth/2, height+38, title)
	c.line("axis", c.x.from, height, c.x.to, height)
	return c
}

// rows returns a chart with a row of this height for each of n players, and with vertical lines at the ticks.
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

// whisker draws a horizontal interval with marks at its ends.
func (c *chart) whisker(ci stats.Interval, y float64) {
	if !ci.Known() {
		return
	}
	c.line("whisker", c.x.at(ci.Low), y, c.x.at(ci.High), y)
	for _, end := range []float64{ci.Low, ci.High} {
		c.line("whisker", c.x.at(end), y-4, c.x.at(end), y+4)
	}
}

// done returns the chart as markup; about is its text alternative.
func (c *chart) done(about string) markup {
	return markup(fmt.Sprintf(`<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">%s</svg>`, chartWidth, c.height, html.EscapeString(about), c.String()))
}

// evenTicks returns about five round numbers from low to high.
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

// powerTicks returns the ticks of a logarithmic axis, where low and high are logarithms: at 1, 2 and 5 times
// the powers of ten or, if the range is wide, only at the powers.
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
