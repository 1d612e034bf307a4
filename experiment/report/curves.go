package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

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

// tilesChart draws the highest tiles.
func tilesChart(r *arena.Statistics) markup {
	return tilePlot(r).inline("Share of games by their highest tile, by player", 320)
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

// bins is the number of bins for this number of scores.
func bins(games int) int {
	return max(12, min(int(8*math.Cbrt(float64(games))), 100))
}

// histogram is the number of scores in each bin, relative to the fullest one.
func (h *histograms) histogram(scores []float64) []float64 {
	counts := make([]float64, bins(len(scores)))
	for _, x := range scores {
		i := int((h.at(x) - h.low) / (h.high - h.low) * float64(len(counts)))
		counts[max(0, min(i, len(counts)-1))]++
	}
	most := slices.Max(counts)
	for i := range counts {
		counts[i] /= most
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
