package report

import (
	"math"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"afterstate/arena"
	"afterstate/stats"
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
		return interval{50, stats.Interval{Low: math.NaN(), High: math.NaN()}, p.first}
	}
	ci := stats.Wilson(p.Higher, n)
	return interval{100 * float64(p.Higher) / float64(n), stats.Interval{Low: 100 * ci.Low, High: 100 * ci.High}, p.first}
}

const rowHeight = 40 * vg.Length(1)

// forest is a forest plot: for each pair a point and its interval, and a line at no difference.
type forest struct {
	rows    []interval
	nothing float64
	low     float64
	high    float64
	labels  []string // above the rows; nil: none
}

type interval struct {
	value  float64
	ci     stats.Interval
	player int // determines the colour; -1: none
}

func (f *forest) DataRange() (xmin, xmax, ymin, ymax float64) {
	return f.low, f.high, -float64(len(f.rows)), 0
}

func (f *forest) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range p.X.Tick.Marker.Ticks(f.low, f.high) {
		if t.Label != "" {
			c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.75}, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
		}
	}
	c.StrokeLine2(draw.LineStyle{Color: faint, Width: 1, Dashes: []vg.Length{3, 3}}, x(f.nothing), c.Min.Y, x(f.nothing), c.Max.Y)
	for row, i := range f.rows {
		at := y(-float64(row) - 0.68)
		if row > 0 {
			c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.75}, c.Min.X, y(-float64(row)), c.Max.X, y(-float64(row)))
		}
		if f.labels != nil {
			c.FillText(style(11, font.WeightNormal, ink), vg.Point{X: c.Min.X + 2, Y: y(-float64(row)) - 3}, short(f.labels[row], 74))
		}
		if i.ci.Known() {
			whisker := draw.LineStyle{Color: ink, Width: 1.5}
			c.StrokeLine2(whisker, x(i.ci.Low), at, x(i.ci.High), at)
			for _, end := range []float64{i.ci.Low, i.ci.High} {
				c.StrokeLine2(whisker, x(end), at-4, x(end), at+4)
			}
		}
		c.DrawGlyph(draw.GlyphStyle{Color: colour(i.player), Radius: 4.5, Shape: draw.CircleGlyph{}}, vg.Point{X: x(i.value), Y: at})
	}
}

// pairsChart draws paired differences: of scores to the left, of games won to the right.
func pairsChart(all []pair) (markup, error) {
	left := &forest{}
	right := &forest{nothing: 50, low: 0, high: 100}
	for _, p := range all {
		left.rows = append(left.rows, interval{float64(p.Difference), p.CI, p.first})
		left.labels = append(left.labels, p.A+" against "+p.B)
		right.rows = append(right.rows, p.decided())
		for _, v := range []float64{float64(p.Difference), p.CI.Low, p.CI.High} {
			if !math.IsNaN(v) {
				left.low, left.high = min(left.low, v), max(left.high, v)
			}
		}
	}
	margin := max(left.high-left.low, 1) / 25
	left.low, left.high = left.low-margin, left.high+margin
	height := 55 + rowHeight*vg.Length(len(all))
	return inline("Differences of scores and shares of games won, by pair of players", chartWidth, height, func(c draw.Canvas) {
		p := axes("mean difference of scores", "")
		p.X.Tick.Marker = roundTicks{}
		p.Y.Tick.Marker = plot.ConstantTicks(nil)
		p.Add(left)
		p.Draw(draw.Crop(c, 0, -0.38*chartWidth, 0, 0))
		q := axes("share of games won (%)", "")
		q.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 25, Label: "25"}, {Value: 50, Label: "50"}, {Value: 75, Label: "75"}, {Value: 100, Label: "100"}}
		q.Y.Tick.Marker = plot.ConstantTicks(nil)
		q.Add(right)
		q.Draw(draw.Crop(c, 0.68*chartWidth, -14, 0, 0))
	})
}

// roundTicks are about five round numbers, in short form.
type roundTicks struct{}

func (roundTicks) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, part := range []float64{2, 2.5, 2} {
		if (high-low)/step >= 4 {
			break
		}
		step /= part
	}
	var ticks []plot.Tick
	for k := math.Ceil(low / step); k*step <= high; k++ {
		label := shortNumber(math.Abs(k * step))
		switch {
		case k < 0:
			label = "−" + label
		case k > 0:
			label = "+" + label
		}
		ticks = append(ticks, plot.Tick{Value: k * step, Label: label})
	}
	return ticks
}

// speeds plots a bar for each player on a logarithmic axis.
type speeds struct {
	players   []arena.Summary
	low, high float64 // powers of ten
}

func (s *speeds) DataRange() (xmin, xmax, ymin, ymax float64) {
	return s.low, s.high, -float64(len(s.players)), 0
}

func (s *speeds) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for power := s.low; power <= s.high; power++ {
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.75}, x(power), c.Min.Y, x(power), c.Max.Y)
	}
	for row := range s.players {
		speed := float64(s.players[row].MovesPerSecond)
		c.FillText(style(11, font.WeightNormal, ink), vg.Point{X: c.Min.X + 2, Y: y(-float64(row)) - 3}, short(s.players[row].Player, 100))
		if !(speed > 0) {
			continue
		}
		end := x(math.Log10(speed))
		bar := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: y(-float64(row) - 0.9)}, Max: vg.Point{X: end, Y: y(-float64(row) - 0.45)}}
		c.SetColor(colour(row))
		c.Fill(bar.Path())
		number := style(11, font.WeightNormal, ink)
		number.YAlign = draw.YCenter
		c.FillText(number, vg.Point{X: end + 6, Y: y(-float64(row) - 0.675)}, significant(speed))
	}
}

// speedChart draws the speeds.
func speedChart(r *arena.Report) (markup, error) {
	s := &speeds{players: r.Players, low: math.Inf(1), high: math.Inf(-1)}
	for _, p := range r.Players {
		if p.MovesPerSecond > 0 {
			power := math.Log10(float64(p.MovesPerSecond))
			s.low, s.high = min(s.low, math.Floor(power)), max(s.high, power)
		}
	}
	if s.low > s.high {
		s.low, s.high = 0, 1
	}
	s.low--                        // the slowest one has a bar too
	s.high += (s.high - s.low) / 8 // and the fastest one a number behind it
	p := axes("moves a second on one thread", "")
	p.Add(s)
	var ticks []plot.Tick
	for power := s.low; power <= s.high; power++ {
		ticks = append(ticks, plot.Tick{Value: power, Label: shortNumber(math.Pow(10, power))})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	p.Y.Tick.Marker = plot.ConstantTicks(nil)
	return inline("Moves a second, by player", chartWidth, 55+0.85*rowHeight*vg.Length(len(r.Players)), p.Draw)
}
