package report

import (
	"fmt"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"afterstate/arena"
	"afterstate/stats"
)

// chartWidth is the width of every chart of a report; a page scales it to fit.
const chartWidth = 800 * vg.Length(1)

// reachCurves plots the share of games that reach each tile, with Wilson intervals as bands.
type reachCurves struct{ players []arena.Summary }

func (r *reachCurves) tiles() []arena.TileShare { return r.players[0].Reached }

// DataRange leaves room for the circles at both ends.
func (r *reachCurves) DataRange() (xmin, xmax, ymin, ymax float64) {
	return -0.3, float64(max(1, len(r.tiles()))) - 0.7, 0, 100
}

func (r *reachCurves) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for v := 20.0; v <= 100; v += 20 {
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.75}, c.Min.X, y(v), c.Max.X, y(v))
	}
	for i := range r.players {
		shares := r.players[i].Reached
		if r.players[i].Games == 0 {
			continue
		}
		var upper, lower []vg.Point
		for k, s := range shares {
			upper = append(upper, vg.Point{X: x(float64(k)), Y: y(100 * s.Value.CI.High)})
			lower = append(lower, vg.Point{X: x(float64(k)), Y: y(100 * s.Value.CI.Low)})
		}
		band := upper
		for k := range lower {
			band = append(band, lower[len(lower)-1-k])
		}
		c.SetColor(faded(colour(i), 0.18))
		c.Fill(path(band))
	}
	for i := range r.players {
		if r.players[i].Games == 0 {
			continue
		}
		var line []vg.Point
		for k, s := range r.players[i].Reached {
			line = append(line, vg.Point{X: x(float64(k)), Y: y(100 * float64(s.Value.Share))})
		}
		c.StrokeLines(draw.LineStyle{Color: colour(i), Width: 2}, line)
		for _, at := range line {
			c.DrawGlyph(draw.GlyphStyle{Color: colour(i), Radius: 3, Shape: draw.CircleGlyph{}}, at)
		}
	}
}

// path returns a polygon.
func path(points []vg.Point) (p vg.Path) {
	for i, at := range points {
		if i == 0 {
			p.Move(at)
			continue
		}
		p.Line(at)
	}
	p.Close()
	return p
}

// reachChart draws the reach curves.
func reachChart(r *arena.Report) (markup, error) {
	curves := &reachCurves{players: r.Players}
	p := axes("tile", "share of games that reach it (%)")
	p.Add(curves)
	var ticks []plot.Tick
	for i, s := range curves.tiles() {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: tileName(s)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.Y.Tick.Marker = hundred
	return inline("Share of games that reach each tile, by player", chartWidth, 320, p.Draw)
}

// hundred are ticks for shares in percent.
var hundred = plot.ConstantTicks{
	{Value: 0, Label: "0"}, {Value: 20, Label: "20"}, {Value: 40, Label: "40"}, {Value: 60, Label: "60"}, {Value: 80, Label: "80"}, {Value: 100, Label: "100"},
}

// tilesChart draws the highest tiles.
func tilesChart(r *arena.Report) (markup, error) {
	return inline("Share of games by their highest tile, by player", chartWidth, 320, tilePlot(r).Draw)
}

// histograms plots score distributions: a histogram for each player, the middle half of the games
// darker and the median as a line.
type histograms struct {
	names     []string
	scores    [][]float64 // by player
	low, high float64     // of all
	log       bool        // the axis
}

const histogramHeight = 64 * vg.Length(1)

// at is the position of a score on the axis.
func (s *histograms) at(score float64) float64 {
	if s.log {
		return math.Log10(max(score, 1))
	}
	return score
}

func newHistograms(r *arena.Results) *histograms {
	s := &histograms{low: math.Inf(1), high: math.Inf(-1)}
	var all []float64
	for _, p := range r.Players {
		var scores []float64
		for i := range p.Games {
			scores = append(scores, float64(p.Games[i].Score))
		}
		s.names, s.scores = append(s.names, p.Name), append(s.scores, scores)
		all = append(all, scores...)
	}
	// Players that differ by a factor of ten and more want an axis by factors.
	s.log = stats.Quantile(all, 0.98) > 20*max(stats.Quantile(all, 0.02), 1)
	for _, x := range all {
		s.low, s.high = min(s.low, s.at(x)), max(s.high, s.at(x))
	}
	if s.log {
		s.low = max(s.low, s.at(max(stats.Quantile(all, 0.001), 1)))
	} else {
		s.low = 0
	}
	if !(s.high > s.low) {
		s.high = s.low + 1
	}
	return s
}

// DataRange counts rows from the top, as negative numbers.
func (s *histograms) DataRange() (xmin, xmax, ymin, ymax float64) {
	margin := (s.high - s.low) / 50
	return s.low - margin, s.high + margin, -float64(len(s.scores)), 0
}

// bins is the number of bins for this number of scores.
func bins(games int) int {
	return max(12, min(int(8*math.Cbrt(float64(games))), 100))
}

// histogram is the number of scores in each bin, relative to the fullest one.
func (s *histograms) histogram(scores []float64) []float64 {
	counts := make([]float64, bins(len(scores)))
	for _, x := range scores {
		i := int((s.at(x) - s.low) / (s.high - s.low) * float64(len(counts)))
		counts[max(0, min(i, len(counts)-1))]++
	}
	most := 0.0
	for _, n := range counts {
		most = max(most, n)
	}
	for i := range counts {
		counts[i] /= max(most, 1)
	}
	return counts
}

func (s *histograms) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range s.ticks() {
		if t.Label != "" {
			c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.75}, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
		}
	}
	for row, scores := range s.scores {
		base, top := y(-float64(row)-0.95), y(-float64(row)-0.35)
		c.FillText(style(11, font.WeightNormal, ink), vg.Point{X: c.Min.X + 2, Y: y(-float64(row)-0.02) - 2}, short(s.names[row], 90))
		if len(scores) == 0 {
			continue
		}
		bars := s.histogram(scores)
		width := (s.high - s.low) / float64(len(bars))
		steps := func(from, to float64) []vg.Point { // between two places on the axis
			outline := []vg.Point{{X: x(from), Y: base}}
			for i, h := range bars {
				left, right := max(s.low+width*float64(i), from), min(s.low+width*float64(i+1), to)
				if left < right {
					level := base + vg.Length(h)*(top-base)
					outline = append(outline, vg.Point{X: x(left), Y: level}, vg.Point{X: x(right), Y: level})
				}
			}
			return append(outline, vg.Point{X: x(to), Y: base})
		}
		c.SetColor(faded(colour(row), 0.4))
		c.Fill(path(steps(s.low, s.high)))
		c.SetColor(colour(row))
		c.Fill(path(steps(s.at(stats.Quantile(scores, 0.25)), s.at(stats.Quantile(scores, 0.75)))))
		median := x(s.at(stats.Quantile(scores, 0.5)))
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.5}, median, base, median, top+4)
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.75}, c.Min.X, base, c.Max.X, base)
	}
}

// ticks are at 1, 2 and 5 times powers of ten, or at round numbers.
func (s *histograms) ticks() []plot.Tick {
	var ticks []plot.Tick
	if !s.log {
		step := math.Pow(10, math.Floor(math.Log10(s.high)))
		for s.high/step < 4 {
			step /= 2
		}
		for v := 0.0; v <= s.high; v += step {
			ticks = append(ticks, plot.Tick{Value: v, Label: shortNumber(v)})
		}
		return ticks
	}
	steps := []float64{1, 2, 5}
	if s.high-s.low > 3.2 {
		steps = []float64{1}
	}
	for power := math.Floor(s.low); power <= s.high; power++ {
		for _, k := range steps {
			if v := k * math.Pow(10, power); s.at(v) >= s.low && s.at(v) <= s.high {
				ticks = append(ticks, plot.Tick{Value: s.at(v), Label: shortNumber(v)})
			}
		}
	}
	return ticks
}

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

// scoresChart draws the histograms.
func scoresChart(r *arena.Results) (markup, error) {
	s := newHistograms(r)
	p := axes("score", "")
	p.Add(s)
	p.X.Tick.Marker = plot.ConstantTicks(s.ticks())
	p.Y.Tick.Marker = plot.ConstantTicks(nil)
	return inline("How each player's scores are spread", chartWidth, 50+histogramHeight*vg.Length(len(s.scores)), p.Draw)
}

// short cuts a name to at most this many characters.
func short(name string, most int) string {
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}
