package main

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// rung is a row of the table of strength against time in docs/strength.md.
type rung struct {
	program string
	ms      float64 // milliseconds of processor time per move
	mean    float64 // mean score; 0: not published
	share   float64 // share of games with a 32768, in percent; negative: not published
}

// readLadder returns the rows of the table between the marks <!-- ladder --> and <!-- ladder: end --> on the page
// docs/strength.md.
func readLadder(page []byte) (rungs []rung, err error) {
	_, rest, ok := strings.Cut(string(page), "<!-- ladder -->\n")
	table, _, closed := strings.Cut(rest, "<!-- ladder: end -->")
	if !ok || !closed {
		return nil, errors.New("docs/strength.md has no table of the ladder")
	}
	number := func(cell string, none float64) float64 {
		cell, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(cell), ",", ""), " ")
		if cell == "" {
			return none
		}
		v, wrong := strconv.ParseFloat(cell, 64)
		err = errors.Join(err, wrong)
		return v
	}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 8 {
			return nil, fmt.Errorf("%q: %d columns, must be 8", line, len(cells))
		}
		rungs = append(rungs, rung{strings.TrimSpace(cells[0]), number(cells[2], 0), number(cells[4], 0), number(cells[5], -1)})
	}
	return rungs, err
}

// ladderColours holds the colours of the programs in the picture, in the order of the table.
var ladderColours = []color.NRGBA{
	{0xc0, 0x4a, 0x2f, 0xff}, {0xe3, 0xa0, 0x8c, 0xff}, {0x3d, 0x73, 0xa8, 0xff}, {0x8f, 0xb4, 0xd6, 0xff}, {0x4a, 0x8f, 0x6b, 0xff}, {0x8b, 0x6b, 0xb0, 0xff}, {0x80, 0x80, 0x80, 0xff},
}

// ladderPlot draws a line for each program, with a point for each row that has a value.
func ladderPlot(rungs []rung, label string, value func(r rung) (v float64, ok bool)) (*plot.Plot, error) {
	p := plot.New()
	p.Legend.Padding = 3
	for _, style := range []*text.Style{&p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant = "Sans"
	}
	p.X.Label.Text, p.Y.Label.Text = "milliseconds a move", label
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	var programs []string
	points := map[string]plotter.XYs{}
	for _, r := range rungs {
		v, ok := value(r)
		if !ok {
			continue
		}
		if points[r.program] == nil {
			programs = append(programs, r.program)
		}
		points[r.program] = append(points[r.program], plotter.XY{X: r.ms, Y: v})
	}
	p.Add(plotter.NewGrid())
	for i, name := range programs {
		line, dots, err := plotter.NewLinePoints(points[name])
		if err != nil {
			return nil, err
		}
		line.Color, dots.Color, dots.Shape = ladderColours[i], ladderColours[i], draw.CircleGlyph{}
		if i == 0 {
			line.Width, dots.Radius = 2, 4
		}
		p.Add(line, dots)
		p.Legend.Add(name, line, dots)
	}
	return p, nil
}

// ladderPicture draws the table on the page docs/strength.md: the mean score, and below it the share of games
// with a 32768, against the time per move. The result is SVG.
func ladderPicture(page []byte) ([]byte, error) {
	rungs, err := readLadder(page)
	if err != nil {
		return nil, err
	}
	mean, err := ladderPlot(rungs, "mean score, thousands", func(r rung) (float64, bool) { return r.mean / 1000, r.mean > 0 })
	if err != nil {
		return nil, err
	}
	share, err := ladderPlot(rungs, "games with a 32768, %", func(r rung) (float64, bool) { return r.share, r.share >= 0 })
	if err != nil {
		return nil, err
	}
	share.Legend = plot.NewLegend()
	const width, height = 800 * vg.Length(1), 640 * vg.Length(1)
	canvas := vgsvg.New(width, height)
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	tiles := draw.Tiles{Rows: 2, Cols: 1, PadX: 10, PadY: 16, PadTop: 10, PadBottom: 10, PadLeft: 10, PadRight: 16}
	for i, canvas := range plot.Align([][]*plot.Plot{{mean}, {share}}, tiles, all) {
		[]*plot.Plot{mean, share}[i].Draw(canvas[0])
	}
	var drawn bytes.Buffer
	_, err = canvas.WriteTo(&drawn)
	return drawn.Bytes(), err
}
