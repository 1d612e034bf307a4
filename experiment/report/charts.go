package report

import (
	"image/color"
	"math"
	"slices"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// reachChart draws the share of games that reach each tile, with Wilson intervals as bands.
func reachChart(r *arena.Statistics) markup {
	tiles := r.Players[0].Reached
	c := &chart{
		// There is room for the circles at both ends.
		x: axis{"tile", -0.3, float64(max(1, len(tiles))) - 0.7, tileTicks(tiles)},
		y: axis{"share of games that reach it (%)", 0, 100, ticksFrom(0, 20, 100, plainNumber)},
	}
	c.paint = func(s *sheet) {
		for _, t := range c.y.ticks[1:] {
			s.across(t.Value)
		}
		curve := func(p *arena.PlayerStatistics, of func(arena.TileShare) float64) (points []vg.Point) {
			for k, share := range p.Reached {
				points = append(points, vg.Point{X: s.x(float64(k)), Y: s.y(100 * of(share))})
			}
			return points
		}
		for i, p := range r.Players {
			if p.Games > 0 {
				lower := curve(&p, func(t arena.TileShare) float64 { return t.Value.CI.Low })
				slices.Reverse(lower)
				s.FillPolygon(faded(colour(i), 0.18), append(curve(&p, func(t arena.TileShare) float64 { return t.Value.CI.High }), lower...))
			}
		}
		for i, p := range r.Players {
			if p.Games > 0 {
				line := curve(&p, func(t arena.TileShare) float64 { return float64(t.Value.Share) })
				s.StrokeLines(draw.LineStyle{Color: colour(i), Width: 2}, line)
				for _, at := range line {
					s.DrawGlyph(draw.GlyphStyle{Color: colour(i), Radius: 3, Shape: draw.CircleGlyph{}}, at)
				}
			}
		}
	}
	return c.inline("Share of games that reach each tile, by player", 320)
}

// histograms are score distributions: a histogram for each player, the middle half of the games
// darker and the median as a line.
type histograms struct {
	names     []string
	scores    [][]float64 // by player
	low, high float64     // of all
	log       bool        // the axis
}

const histogramHeight = 64 * vg.Length(1)

// at is the position of a score on the axis.
func (h *histograms) at(score float64) float64 {
	if h.log {
		return math.Log10(max(score, 1))
	}
	return score
}

func newHistograms(r *arena.Results) *histograms {
	h := &histograms{low: math.Inf(1), high: math.Inf(-1)}
	var all []float64
	for i := range r.Players {
		scores := scoresOf(&r.Players[i])
		h.names, h.scores = append(h.names, r.Players[i].Name), append(h.scores, scores)
		all = append(all, scores...)
	}
	// Players that differ by a factor of ten and more want an axis by factors.
	h.log = stats.Quantile(all, 0.98) > 20*max(stats.Quantile(all, 0.02), 1)
	for _, x := range all {
		h.low, h.high = min(h.low, h.at(x)), max(h.high, h.at(x))
	}
	if h.log {
		h.low = max(h.low, h.at(max(stats.Quantile(all, 0.001), 1)))
	} else {
		h.low = 0
	}
	if !(h.high > h.low) {
		h.high = h.low + 1
	}
	return h
}

// scoresOf are the scores of a player's games.
func scoresOf(p *arena.PlayerResults) (scores []float64) {
	for i := range p.Games {
		scores = append(scores, float64(p.Games[i].Score))
	}
	return scores
}

// histogram is the number of scores in each bin, relative to the fullest one. More scores have more bins.
func (h *histograms) histogram(scores []float64) []float64 {
	counts := make([]float64, max(12, min(int(8*math.Cbrt(float64(len(scores)))), 100)))
	for _, x := range scores {
		i := int((h.at(x) - h.low) / (h.high - h.low) * float64(len(counts)))
		counts[max(0, min(i, len(counts)-1))]++
	}
	maximum := slices.Max(counts)
	for i := range counts {
		counts[i] /= maximum
	}
	return counts
}

// scoresChart draws the histograms.
func scoresChart(r *arena.Results) markup {
	h := newHistograms(r)
	margin := (h.high - h.low) / 50
	c := &chart{x: axis{"score", h.low - margin, h.high + margin, h.ticks()}, y: rows(len(h.scores))}
	c.paint = func(s *sheet) {
		for _, t := range c.x.ticks {
			s.down(t.Value, gridLine)
		}
		for row := range h.scores {
			h.paint(s, row)
		}
	}
	return c.inline("How each player's scores are spread", 50+histogramHeight*vg.Length(len(h.scores)))
}

// paint draws the histogram of a row.
func (h *histograms) paint(s *sheet, row int) {
	base, top := s.y(-float64(row)-0.95), s.y(-float64(row)-0.35)
	scores := h.scores[row]
	s.name(row, h.names[row], 90)
	if len(scores) == 0 {
		return
	}
	bars := h.histogram(scores)
	width := (h.high - h.low) / float64(len(bars))
	steps := func(from, to float64) []vg.Point { // between two places on the axis
		outline := []vg.Point{{X: s.x(from), Y: base}}
		for i, height := range bars {
			left, right := max(h.low+width*float64(i), from), min(h.low+width*float64(i+1), to)
			if left < right {
				level := base + vg.Length(height)*(top-base)
				outline = append(outline, vg.Point{X: s.x(left), Y: level}, vg.Point{X: s.x(right), Y: level})
			}
		}
		return append(outline, vg.Point{X: s.x(to), Y: base})
	}
	s.FillPolygon(faded(colour(row), 0.4), steps(h.low, h.high))
	s.FillPolygon(colour(row), steps(h.at(stats.Quantile(scores, 0.25)), h.at(stats.Quantile(scores, 0.75))))
	median := s.x(h.at(stats.Quantile(scores, 0.5)))
	s.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.5}, median, base, median, top+4)
	s.StrokeLine2(gridLine, s.Min.X, base, s.Max.X, base)
}

// ticks are at 1, 2 and 5 times powers of ten, or at round numbers.
func (h *histograms) ticks() (ticks []plot.Tick) {
	if !h.log {
		step := math.Pow(10, math.Floor(math.Log10(h.high)))
		for h.high/step < 4 {
			step /= 2
		}
		return ticksFrom(0, step, h.high, shortNumber)
	}
	steps := []float64{1, 2, 5}
	if h.high-h.low > 3.2 {
		steps = []float64{1}
	}
	for power := math.Floor(h.low); power <= h.high; power++ {
		for _, k := range steps {
			if v := k * math.Pow(10, power); h.at(v) >= h.low && h.at(v) <= h.high {
				ticks = append(ticks, plot.Tick{Value: h.at(v), Label: shortNumber(v)})
			}
		}
	}
	return ticks
}

// pair is a comparison of two of an experiment's players, the one with the higher scores first.
type pair struct {
	first int // its place among the players
	*arena.Comparison
}

// pairs are the comparisons to report: all of them if there are few, else each player with the
// first one.
func pairs(r *arena.Results) (all []pair) {
	var corrected []*arena.Comparison
	for a := range r.Players {
		for b := a + 1; b < len(r.Players) && (a == 0 || len(r.Players) <= 4); b++ {
			first, other := a, b
			c := experiment.Compared(r, a, b)
			if c.Difference < 0 {
				first, other = b, a
				c = experiment.Compared(r, b, a)
			}
			if c.Games > 0 {
				c.A, c.B = r.Players[first].Name, r.Players[other].Name
				all = append(all, pair{first, c})
				corrected = append(corrected, c)
			}
		}
	}
	arena.Holm(corrected...)
	return all
}

// decided is the share of games won, ties excluded, in percent.
func (p *pair) decided() interval {
	n := p.Higher + p.Lower
	if n == 0 {
		return interval{50, stats.Interval{Low: math.NaN(), High: math.NaN()}}
	}
	ci := stats.Wilson(p.Higher, n)
	return interval{100 * float64(p.Higher) / float64(n), stats.Interval{Low: 100 * ci.Low, High: 100 * ci.High}}
}

type interval struct {
	value float64
	ci    stats.Interval
}

const rowHeight = 40 * vg.Length(1)

// forest is a forest plot: for each pair a point and its interval, and a line at no difference.
func forest(x axis, nothing float64, pairs []pair, of func(*pair) interval, names bool) *chart {
	return &chart{x: x, y: rows(len(pairs)), paint: func(s *sheet) {
		for _, t := range x.ticks {
			s.down(t.Value, gridLine)
		}
		s.down(nothing, draw.LineStyle{Color: faint, Width: 1, Dashes: []vg.Length{3, 3}})
		for row := range pairs {
			p := &pairs[row]
			i, at := of(p), s.y(-float64(row)-0.68)
			if row > 0 {
				s.across(-float64(row))
			}
			if names {
				s.name(row, p.A+" against "+p.B, 74)
			}
			s.estimate(i, at, colour(p.first))
		}
	}}
}

// estimate paints a point with its interval at a height.
func (s *sheet) estimate(i interval, at vg.Length, of color.Color) {
	if i.ci.Known() {
		whisker := draw.LineStyle{Color: ink, Width: 1.5}
		s.StrokeLine2(whisker, s.x(i.ci.Low), at, s.x(i.ci.High), at)
		for _, end := range []float64{i.ci.Low, i.ci.High} {
			s.StrokeLine2(whisker, s.x(end), at-4, s.x(end), at+4)
		}
	}
	s.DrawGlyph(draw.GlyphStyle{Color: of, Radius: 4.5, Shape: draw.CircleGlyph{}}, vg.Point{X: s.x(i.value), Y: at})
}

// pairsChart draws paired differences: of scores to the left, of games won to the right.
func pairsChart(all []pair) markup {
	low, high := 0.0, 0.0
	for _, p := range all {
		for _, v := range []float64{float64(p.Difference), p.CI.Low, p.CI.High} {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	margin := max(high-low, 1) / 25
	low, high = low-margin, high+margin
	left := forest(axis{"mean difference of scores", low, high, differenceTicks(low, high)}, 0, all, func(p *pair) interval { return interval{float64(p.Difference), p.CI} }, true)
	right := forest(axis{"share of games won (%)", 0, 100, ticksFrom(0, 25, 100, plainNumber)}, 50, all, (*pair).decided, false)
	height := 55 + rowHeight*vg.Length(len(all))
	return inline("Differences of scores and shares of games won, by pair of players", chartWidth, height, func(c draw.Canvas) {
		left.Draw(draw.Crop(c, 0, -0.38*chartWidth, 0, 0))
		right.Draw(draw.Crop(c, 0.68*chartWidth, -14, 0, 0))
	})
}

// differenceTicks are about five round numbers, in short form and with a sign.
func differenceTicks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, part := range []float64{2, 2.5, 2} {
		if (high-low)/step >= 4 {
			break
		}
		step /= part
	}
	return ticksFrom(low, step, high, func(v float64) string {
		label := shortNumber(math.Abs(v))
		switch {
		case v < 0:
			label = "−" + label
		case v > 0:
			label = "+" + label
		}
		return label
	})
}

// speedChart draws a bar for each player on a logarithmic axis.
func speedChart(r *arena.Statistics) markup {
	low, high := math.Inf(1), math.Inf(-1) // powers of ten
	for _, p := range r.Players {
		if p.MovesPerSecond > 0 {
			power := math.Log10(float64(p.MovesPerSecond))
			low, high = min(low, math.Floor(power)), max(high, power)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	low--                    // the slowest one has a bar too
	high += (high - low) / 8 // and the fastest one a number behind it
	ticks := ticksFrom(low, 1, high, func(power float64) string { return shortNumber(math.Pow(10, power)) })
	c := &chart{x: axis{"moves a second on one thread", low, high, ticks}, y: rows(len(r.Players))}
	c.paint = func(s *sheet) {
		for _, t := range ticks {
			s.down(t.Value, gridLine)
		}
		for row, p := range r.Players {
			s.name(row, p.Player, 100)
			if !(p.MovesPerSecond > 0) {
				continue
			}
			end := s.x(math.Log10(float64(p.MovesPerSecond)))
			s.bar(colour(row), s.Min.X, s.y(-float64(row)-0.9), end, s.y(-float64(row)-0.45))
			number := style(11, font.WeightNormal, ink)
			number.YAlign = draw.YCenter
			s.FillText(number, vg.Point{X: end + 6, Y: s.y(-float64(row) - 0.675)}, significant(p.MovesPerSecond))
		}
	}
	return c.inline("Moves a second, by player", 55+0.85*rowHeight*vg.Length(len(r.Players)))
}
