package report

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"afterstate/arena"
	"afterstate/internal/console"
)

const (
	svgWidth  = 760 * vg.Length(1)
	svgPlot   = 400 * vg.Length(1) // height of the plot; title and legend come on top
	svgMargin = 20 * vg.Length(1)
	svgEntry  = 18 * vg.Length(1) // height of a legend entry
)

// TilesSVG draws the share of games that ended with each tile as their highest, as bars with Wilson
// 95 % intervals.
func TilesSVG(w io.Writer, r *arena.Results) error {
	report := r.Report()
	return svg(w, svgWidth, svgHeight(report), func(c draw.Canvas) { drawReport(c, report) })
}

func svgHeight(r *arena.Report) vg.Length {
	return svgPlot + 2*svgMargin + 60 + svgEntry*vg.Length(len(r.Players))
}

// drawReport draws title, legend and plot, from top to bottom.
func drawReport(c draw.Canvas, r *arena.Report) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, svgMargin, -svgMargin, svgMargin, -svgMargin)

	top := c.Max
	top.X = c.Min.X
	c.FillText(style(17, font.WeightBold, ink), top, "Highest tile on "+r.Size.String())
	top.Y -= 24
	c.FillText(style(11, font.WeightNormal, faint), top, subtitle(r))
	top.Y -= 24
	for i := range r.Players {
		box := vg.Rectangle{Min: vg.Point{X: top.X, Y: top.Y - 12}, Max: vg.Point{X: top.X + 11, Y: top.Y - 1}}
		c.SetColor(colour(i))
		c.Fill(box.Path())
		name, numbers := legend(&r.Players[i])
		at := vg.Point{X: top.X + 18, Y: top.Y}
		c.FillText(style(11, font.WeightNormal, ink), at, name)
		at.X += style(11, font.WeightNormal, ink).Width(name) + 10
		c.FillText(style(11, font.WeightNormal, faint), at, numbers)
		top.Y -= svgEntry
	}
	tilePlot(r).Draw(draw.Crop(c, 0, 0, 0, top.Y-12-c.Max.Y))
}

func subtitle(r *arena.Report) string {
	out := asked(r)
	if r.Finished != nil {
		out += fmt.Sprintf(", stopped early: %d of %d finished", *r.Finished, r.Games*len(r.Players))
	}
	return out + ". Lines show 95 % intervals."
}

// legend is a player's name, shortened to fit, and its mean score and caveats.
func legend(p *arena.Summary) (name, numbers string) {
	numbers = "mean score " + mean(p.MeanScore, p.MeanCI)
	if p.Foresees {
		numbers += ", knows the coming spawns"
	}
	if p.TimeLimited {
		numbers += ", limited by time"
	}
	return short(console.Line(p.Player), 64), numbers
}

func tilePlot(r *arena.Report) *plot.Plot {
	bars := &tileBars{players: r.Players}
	p := axes("highest tile of the game", "share of games (%)")
	p.Add(bars)
	p.X.Tick.Marker = plot.ConstantTicks(bars.tileTicks())
	p.Y.Tick.Marker = plot.ConstantTicks(bars.shareTicks())
	return p
}

// tileBars plots a group of bars for each tile and a bar for each player, in data units: groups are
// 1 apart, shares are in percent.
type tileBars struct{ players []arena.Summary }

func (b *tileBars) tiles() []arena.TileShare { return b.players[0].Highest }

// DataRange ends at the first tick above the longest interval.
func (b *tileBars) DataRange() (xmin, xmax, ymin, ymax float64) {
	step, top := b.scale()
	return -0.5, float64(max(1, len(b.tiles()))) - 0.5, 0, step * math.Ceil(top/step)
}

// scale is the distance of the ticks and the end of the longest interval.
func (b *tileBars) scale() (step, top float64) {
	top = 5
	for _, p := range b.players {
		for _, s := range p.Highest {
			if s.Value.Games > 0 {
				top = max(top, 100*s.Value.CI.High)
			}
		}
	}
	switch {
	case top <= 20:
		return 5, top
	case top <= 50:
		return 10, top
	}
	return 20, top
}

func (b *tileBars) tileTicks() []plot.Tick {
	var ticks []plot.Tick
	for i, s := range b.tiles() {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: tileName(s)})
	}
	return ticks
}

func (b *tileBars) shareTicks() []plot.Tick {
	step, _ := b.scale()
	_, _, _, most := b.DataRange()
	var ticks []plot.Tick
	for v := 0.0; v <= most; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v)})
	}
	return ticks
}

// bars are the players with a bar at tile number k. The others take no space, so that each group is
// centred at its tile.
func (b *tileBars) bars(k int) (players []int) {
	for i, p := range b.players {
		if p.Highest[k].Value.Games > 0 {
			players = append(players, i)
		}
	}
	return players
}

// Plot draws the grid, the bars, and their intervals.
func (b *tileBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for k := 1; k < len(b.tiles()); k += 2 { // a ground to every second group
		band := vg.Rectangle{Min: vg.Point{X: x(float64(k) - 0.5), Y: c.Min.Y + 0.5}, Max: vg.Point{X: x(float64(k) + 0.5), Y: c.Max.Y}}
		c.SetColor(ground)
		c.Fill(band.Path())
	}
	for _, t := range b.shareTicks()[1:] {
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.75}, c.Min.X, y(t.Value), c.Max.X, y(t.Value))
	}
	most := 1
	for k := range b.tiles() {
		most = max(most, len(b.bars(k)))
	}
	slot := min(0.35, 0.8/float64(most)) // a lone bar stays slim
	whisker := draw.LineStyle{Color: ink, Width: 0.9}
	for k := range b.tiles() {
		players := b.bars(k)
		for n, i := range players {
			s := b.players[i].Highest[k]
			middle := float64(k) + slot*(float64(n)-float64(len(players)-1)/2)
			half := min(36, x(0.45*slot)-x(0))
			left, right := x(middle)-half, x(middle)+half
			bar := vg.Rectangle{Min: vg.Point{X: left, Y: y(0)}, Max: vg.Point{X: right, Y: y(100 * float64(s.Value.Share))}}
			c.SetColor(colour(i))
			c.Fill(bar.Path())
			low, high := y(100*s.Value.CI.Low), y(100*s.Value.CI.High)
			end := min(3, half/2)
			c.StrokeLine2(whisker, x(middle), low, x(middle), high)
			c.StrokeLine2(whisker, x(middle)-end, low, x(middle)+end, low)
			c.StrokeLine2(whisker, x(middle)-end, high, x(middle)+end, high)
		}
	}
}
