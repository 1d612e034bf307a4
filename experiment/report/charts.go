package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/stats"
)

// palette is the number of the players' colours, which the style sheet has.
const palette = 8

// class adds the colour of a player to a class of the style sheet.
func class(name string, player int) string { return fmt.Sprintf("%s c%d", name, player%palette) }

// tilesChart has a group of bars for each tile: the share of each player's games that ended with it as their highest.
func tilesChart(r *arena.Statistics) markup {
	tiles := r.Players[0].Highest
	var ticks []tick
	top, players := 0.05, 1 // the end of the longest interval, bars of the largest group
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
	slot := min(0.35, 0.8/float64(players)) // a lone bar stays slim
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

// scoresChart has a histogram for each player: the middle half of the games is darker, and the median is a line.
func scoresChart(r *arena.Results) markup {
	var all []float64
	scores := make([][]float64, len(r.Players))
	for i := range r.Players {
		scores[i] = arena.Scores(r.Players[i].Games)
		all = append(all, scores[i]...)
	}
	low, high := 0.0, max(1, slices.Max(all))
	at, ticks := func(score float64) float64 { return score }, evenTicks(low, high, shortNumber)
	// Players that differ by a factor of ten and more get an axis by factors.
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
		area := func(colour string, from, to float64) { // between two places on the axis
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

// histogram is the number of scores in each bin, relative to the fullest one. at maps scores to 0 to 1. More scores
// have more bins.
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

// versusChart has the mean difference of each player to the first one, and a line at no difference.
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
