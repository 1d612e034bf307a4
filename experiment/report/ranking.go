package report

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/table"
)

// Ranking writes a ranking as text, md, tex or svg.
func Ranking(w io.Writer, t *arena.RankTable, format string) error {
	if format == "svg" {
		return rankingSVG(w, t)
	}
	all := table.New(table.Number("rank"), table.Number("games"), table.Number("mean score"), table.Name("player"))
	for i := range t.Players {
		p := &t.Players[i]
		all.Add(ranks(p), number(float64(p.Games)), mean(p.Mean, p.CI), console.Line(p.Player))
	}
	text := ""
	switch format {
	case "md":
		text = all.Markdown()
	case "tex":
		text = all.LaTeX()
	default:
		text = all.Text(math.MaxInt) + fmt.Sprintf("\nall ranks are right with %.4g %% confidence; mean score ± its 95 %% interval\nthe games are stored as %s\n", 100*t.Confidence, t.Experiment)
	}
	_, err := io.WriteString(w, strings.TrimSuffix(text, "\n")+"\n")
	return err
}

// ranks are the ranks that a player may have.
func ranks(p *arena.RankedPlayer) string {
	if p.Best == p.Worst {
		return fmt.Sprint(p.Best)
	}
	return fmt.Sprintf("%d to %d", p.Best, p.Worst)
}

// rankingSVG draws the means of a ranking with their intervals.
func rankingSVG(w io.Writer, t *arena.RankTable) error {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range t.Players {
		p := &t.Players[i]
		for _, v := range []float64{float64(p.Mean), p.CI.Low, p.CI.High} {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if low > high { // no games
		low, high = 0, 1
	}
	margin := max(high-low, 1) / 25
	low, high = low-margin, high+margin
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	if (high-low)/step < 3 {
		step /= 2
	}
	c := &chart{x: axis{"mean score", low, high, ticksFrom(math.Ceil(low/step)*step, step, high, shortNumber)}, y: rows(len(t.Players))}
	c.paint = func(s *sheet) {
		for _, tick := range c.x.ticks {
			s.down(tick.Value, gridLine)
		}
		for i := range t.Players {
			p := &t.Players[i]
			s.name(i, ranks(p)+"  "+console.Line(p.Player), 74)
			if !math.IsNaN(float64(p.Mean)) {
				s.estimate(interval{float64(p.Mean), p.CI}, s.y(-float64(i)-0.68), colour(i))
			}
		}
	}
	height := 55 + rowHeight*vg.Length(len(t.Players))
	return svg(w, chartWidth, height, func(canvas draw.Canvas) {
		canvas.SetColor(color.White)
		canvas.Fill(canvas.Rectangle.Path())
		c.Draw(draw.Crop(canvas, 10, -10, 2, -2))
	})
}
