package main

import (
	"bytes"
	"image/color"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

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
	ms      float64 // of processor time a move
	mean    float64 // score; 0: not published
	share   float64 // of games with a 32768, percent; below 0: not published
}

var ladderTable = regexp.MustCompile(`(?s)<!-- ladder -->\n(.*?)<!-- ladder: end -->`)

// ladder reads the rows of the table.
func ladder(t *testing.T) (rungs []rung) {
	t.Helper()
	table := ladderTable.FindStringSubmatch(page(t, "docs/strength.md"))
	if table == nil {
		t.Fatal("docs/strength.md has no table of strength against time")
	}
	number := func(cell string, none float64) float64 {
		cell, _, _ = strings.Cut(strings.ReplaceAll(cell, ",", ""), " ")
		if cell == "" {
			return none
		}
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, line := range strings.Split(strings.TrimSpace(table[1]), "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != 7 {
			t.Fatalf("%q: %d columns, want 7", line, len(cells))
		}
		rungs = append(rungs, rung{cells[0], number(cells[2], 0), number(cells[4], 0), number(cells[5], -1)})
	}
	return rungs
}

// ladderColours belong to the programs, in the order of the table.
var ladderColours = []color.NRGBA{
	{0xc0, 0x4a, 0x2f, 0xff}, {0x3d, 0x73, 0xa8, 0xff}, {0x8f, 0xb4, 0xd6, 0xff}, {0x4a, 0x8f, 0x6b, 0xff}, {0x8b, 0x6b, 0xb0, 0xff}, {0x80, 0x80, 0x80, 0xff},
}

// ladderPlot draws a line a program, with a point for each row that has a value.
func ladderPlot(t *testing.T, rungs []rung, label string, value func(r rung) (v float64, ok bool)) *plot.Plot {
	t.Helper()
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
			t.Fatal(err)
		}
		line.Color, dots.Color, dots.Shape = ladderColours[i], ladderColours[i], draw.CircleGlyph{}
		if i == 0 {
			line.Width, dots.Radius = 2, 4
		}
		p.Add(line, dots)
		p.Legend.Add(name, line, dots)
	}
	return p
}

// TestLadderPicture holds docs/ladder.svg to the table beside it. UPDATE=1 draws it again.
func TestLadderPicture(t *testing.T) {
	rungs := ladder(t)
	mean := ladderPlot(t, rungs, "mean score, thousands", func(r rung) (float64, bool) { return r.mean / 1000, r.mean > 0 })
	share := ladderPlot(t, rungs, "games with a 32768, %", func(r rung) (float64, bool) { return r.share, r.share >= 0 })
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
	if _, err := canvas.WriteTo(&drawn); err != nil {
		t.Fatal(err)
	}
	const file = "docs/ladder.svg"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, drawn.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page(t, file) != drawn.String() {
		t.Errorf("%s is not the table of docs/strength.md: run UPDATE=1 go test -run LadderPicture .", file)
	}
}
