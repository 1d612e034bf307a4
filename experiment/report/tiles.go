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

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
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
	report := r.Statistics()
	return svg(w, svgWidth, svgHeight(report), func(c draw.Canvas) { drawReport(c, report) })
}

func svgHeight(r *arena.Statistics) vg.Length {
	return svgPlot + 2*svgMargin + 60 + svgEntry*vg.Length(len(r.Players))
}

// drawReport draws title, legend and plot, from top to bottom.
func drawReport(c draw.Canvas, r *arena.Statistics) {
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
		(&sheet{Canvas: c}).bar(colour(i), top.X, top.Y-12, top.X+11, top.Y-1)
		name, numbers := legend(&r.Players[i])
		at := vg.Point{X: top.X + 18, Y: top.Y}
		c.FillText(style(11, font.WeightNormal, ink), at, name)
		at.X += style(11, font.WeightNormal, ink).Width(name) + 10
		c.FillText(style(11, font.WeightNormal, faint), at, numbers)
		top.Y -= svgEntry
	}
	tilePlot(r).Draw(draw.Crop(c, 0, 0, 0, top.Y-12-c.Max.Y))
}

func subtitle(r *arena.Statistics) string {
	out := asked(r)
	if r.Finished != nil {
		out += fmt.Sprintf(", stopped early: %d of %d finished", *r.Finished, r.Games*len(r.Players))
	}
	return out + ". Lines show 95 % intervals."
}

// legend is a player's name, shortened to fit, and its mean score and caveats.
func legend(p *arena.PlayerStatistics) (name, numbers string) {
	numbers = "mean score " + mean(p.MeanScore, p.MeanCI)
	if p.Foresees {
		numbers += ", knows the coming spawns"
	}
	if p.TimeLimited {
		numbers += ", limited by time"
	}
	return short(console.Line(p.Player), 64), numbers
}

// tilePlot has a group of bars for each tile, and in it a bar for each player with games that ended with the tile, so
// that each group is centred at its tile.
func tilePlot(r *arena.Statistics) *chart {
	tiles := r.Players[0].Highest
	bars := make([][]int, len(tiles)) // players
	top, most := 5.0, 1               // end of the longest interval, bars of the largest group
	for k := range tiles {
		for i, p := range r.Players {
			if s := p.Highest[k].Value; s.Games > 0 {
				bars[k], top = append(bars[k], i), max(top, 100*s.CI.High)
			}
		}
		most = max(most, len(bars[k]))
	}
	step := 20.0
	if top <= 20 {
		step = 5
	} else if top <= 50 {
		step = 10
	}
	top = step * math.Ceil(top/step)
	c := &chart{
		x: axis{"highest tile of the game", -0.5, float64(max(1, len(tiles))) - 0.5, tileTicks(tiles)},
		y: axis{"share of games (%)", 0, top, ticksFrom(0, step, top, plainNumber)},
	}
	c.paint = func(s *sheet) {
		for k := 1; k < len(tiles); k += 2 { // a ground to every second group
			s.bar(ground, s.x(float64(k)-0.5), s.Min.Y+0.5, s.x(float64(k)+0.5), s.Max.Y)
		}
		for _, t := range c.y.ticks[1:] {
			s.across(t.Value)
		}
		slot := min(0.35, 0.8/float64(most)) // a lone bar stays slim
		half := min(36, s.x(0.45*slot)-s.x(0))
		whisker := draw.LineStyle{Color: ink, Width: 0.9}
		for k, players := range bars {
			for n, i := range players {
				share := r.Players[i].Highest[k].Value
				middle := s.x(float64(k) + slot*(float64(n)-float64(len(players)-1)/2))
				s.bar(colour(i), middle-half, s.y(0), middle+half, s.y(100*float64(share.Share)))
				low, high := s.y(100*share.CI.Low), s.y(100*share.CI.High)
				end := min(3, half/2)
				s.StrokeLine2(whisker, middle, low, middle, high)
				s.StrokeLine2(whisker, middle-end, low, middle+end, low)
				s.StrokeLine2(whisker, middle-end, high, middle+end, high)
			}
		}
	}
	return c
}

// tileTicks are a tick for each tile.
func tileTicks(tiles []arena.TileShare) (ticks []plot.Tick) {
	for i, s := range tiles {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: tileName(s)})
	}
	return ticks
}
