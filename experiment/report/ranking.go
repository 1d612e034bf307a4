package report

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

// Ranking writes a ranking as text, md, tex or svg.
func Ranking(w io.Writer, t *protocol.RankTable, format string) error {
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
		text = all.Text(math.MaxInt) + fmt.Sprintf("\nall ranks are right with %.4g %% confidence; mean score ± its 95 %% interval\n", 100*t.Confidence)
		if t.Left != nil {
			text += "some ranks are open" + Outlook(*t.Left, fmt.Sprintf(" on %s and %s", console.Line(t.Open[0]), console.Line(t.Open[1]))) + "\n"
		}
		text += fmt.Sprintf("the games are stored as %s\n", t.Experiment)
	}
	_, err := io.WriteString(w, strings.TrimSuffix(text, "\n")+"\n")
	return err
}

// Outlook says in words what a verdict will probably take, after a comma; "" as long as nothing can be told. of has the players where there
// are more than two, as in " on A and B".
func Outlook(o stats.Outlook, of string) string {
	const never = 1e6 // pairs
	pairs := func(n float64) string { return numfmt.Count(int(n), "more pair", "more pairs") + " of games" }
	switch {
	case o.Pairs > 0:
		return fmt.Sprintf(", a verdict%s in about %s (%s)", of, numfmt.About(time.Duration(o.Seconds*1e9)), pairs(float64(o.Pairs)))
	case o.AtLeast >= never:
		return fmt.Sprintf(", no verdict%s is expected", of)
	case o.AtLeast > 0:
		return fmt.Sprintf(", no verdict%s is expected within %s", of, pairs(o.AtLeast))
	}
	return ""
}

// ranks are the ranks that a player may have.
func ranks(p *protocol.RankedPlayer) string {
	if p.Best == p.Worst {
		return fmt.Sprint(p.Best)
	}
	return fmt.Sprintf("%d to %d", p.Best, p.Worst)
}

// rankingSVG draws the means of a ranking with their intervals.
func rankingSVG(w io.Writer, t *protocol.RankTable) error {
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
