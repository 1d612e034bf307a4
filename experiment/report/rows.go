package report

import (
	"math"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// pair is a comparison of two of an experiment's players, the one with the higher scores first.
type pair struct {
	first int // its place among the players
	*arena.Comparison
}

// pairs are the comparisons to report: all of them if there are few, else each player with the
// first one.
func pairs(r *arena.Results) []pair {
	var all []pair
	var corrected []*arena.Comparison
	for a := range r.Players {
		for b := a + 1; b < len(r.Players) && (a == 0 || len(r.Players) <= 4); b++ {
			first, other := a, b
			c := r.Compare(r.Players[a].Games, r.Players[b].Games)
			if c.Difference < 0 {
				first, other = b, a
				c = r.Compare(r.Players[b].Games, r.Players[a].Games)
			}
			if c.Games > 0 {
				c.A, c.B = r.Players[first].Name, r.Players[other].Name
				all = append(all, pair{first, &c})
				corrected = append(corrected, &c)
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
			if i.ci.Known() {
				whisker := draw.LineStyle{Color: ink, Width: 1.5}
				s.StrokeLine2(whisker, s.x(i.ci.Low), at, s.x(i.ci.High), at)
				for _, end := range []float64{i.ci.Low, i.ci.High} {
					s.StrokeLine2(whisker, s.x(end), at-4, s.x(end), at+4)
				}
			}
			s.DrawGlyph(draw.GlyphStyle{Color: colour(p.first), Radius: 4.5, Shape: draw.CircleGlyph{}}, vg.Point{X: s.x(i.value), Y: at})
		}
	}}
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
