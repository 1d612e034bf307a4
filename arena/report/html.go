package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed report.html
var pageText string

var page = template.Must(template.New("report").Parse(pageText))

// HTML writes a report on experiments as one page that loads nothing, light or dark by the reader's
// setting.
func HTML(w io.Writer, title string, all []*Document) error {
	data := pageData{Title: title}
	for i := range palette {
		data.Colours = append(data.Colours, i)
	}
	for _, d := range all {
		section, err := d.section()
		if err != nil {
			return err
		}
		data.Sections = append(data.Sections, section)
	}
	return page.Execute(w, data)
}

type pageData struct {
	Title    string
	Colours  []int
	Sections []*section
}

// section is the page's part for one experiment.
type section struct {
	Name    string
	Facts   []string
	Tops    []string // the tiles of the summary's last columns
	Rows    []summaryRow
	Charts  []chart
	Pairs   []pairRow
	Reach   reachTable
	Notes   []string
	Command string
}

type summaryRow struct {
	Colour                           int
	Player                           string
	Games, Mean, Median, Best, Speed string
	BestGame                         string
	Reach                            []string
}

type chart struct {
	Title, About string
	Picture      template.HTML
	Legend       bool
}

type pairRow struct {
	Colour                               int
	A, B, Difference, Won, Lost, Verdict string
	Clear                                bool
}

type reachTable struct {
	Players []string
	Rows    []reachRow
}

type reachRow struct {
	Tile   string
	Shares []string
}

func (d *Document) section() (*section, error) {
	d.prepare()
	s := &section{Name: d.Results.Name, Facts: d.facts(), Notes: d.notes(), Command: d.command()}
	tops := d.tops()
	for _, k := range tops {
		s.Tops = append(s.Tops, tileName(d.report.Players[0].Reached[k]))
	}
	for i := range d.report.Players {
		p := &d.report.Players[i]
		row := summaryRow{
			Colour: i % len(palette), Player: p.Player, Games: Grouped(float64(p.Games)), Mean: meanWords(p.MeanScore, p.MeanCI),
			Median: Grouped(p.MedianScore), Best: "-", Speed: Grouped(p.MovesPerSecond), BestGame: d.best(i),
		}
		if p.Games > 0 {
			row.Best = Grouped(float64(p.BestScore))
		}
		for _, k := range tops {
			row.Reach = append(row.Reach, percent(p.Reached[k].Share))
		}
		s.Rows = append(s.Rows, row)
		s.Reach.Players = append(s.Reach.Players, p.Player)
	}
	d.reach(s)
	for i := range d.pairs {
		p := &d.pairs[i]
		higher, lower := outcomes(&p.Comparison)
		s.Pairs = append(s.Pairs, pairRow{p.first % len(palette), p.A, p.B, differenceWords(p.Difference, p.CI), higher, lower, p.Verdict(), p.Clear()})
	}
	return s, d.charts(s)
}

func (d *Document) reach(s *section) {
	if len(d.report.Players) == 0 {
		return
	}
	for k, t := range d.report.Players[0].Reached {
		row := reachRow{Tile: tileName(t)}
		for i := range d.report.Players {
			share := d.report.Players[i].Reached[k]
			row.Shares = append(row.Shares, shareWords(share.Share, share.CI))
		}
		s.Reach.Rows = append(s.Reach.Rows, row)
	}
}

// charts draws the charts. Without a finished game there are none.
func (d *Document) charts(s *section) error {
	if finished, _ := d.Results.Finished(); finished == 0 {
		return nil
	}
	for _, c := range []struct {
		title, about string
		legend       bool
		draw         func() (string, error)
		skip         bool
	}{
		{"Scores", "Games by their score. The half of the games in the middle has the full colour; the line is the median.", false,
			func() (string, error) { return scoresChart(d.Results) }, false},
		{"Highest tile", "The tile that games ended with. Lines show 95 % intervals.", true,
			func() (string, error) { return tilesChart(d.report) }, false},
		{"Reach", "How often a tile is reached, or a larger one. Bands show 95 % intervals.", true,
			func() (string, error) { return reachChart(d.report) }, false},
		{"Game by game", "Players on the same seeds: by how much the first one scores more, and how many of the games it wins. Lines show 95 % intervals; where one does not touch the dashed line, the difference is clear at 95 %.", false,
			func() (string, error) { return pairsChart(d.pairs) }, len(d.pairs) == 0},
		{"Speed", "Moves a second on one thread, the game's own work included.", false,
			func() (string, error) { return speedChart(d.report) }, false},
	} {
		if c.skip {
			continue
		}
		picture, err := c.draw()
		if err != nil {
			return fmt.Errorf("%s: %w", c.title, err)
		}
		// The picture is made here, and its texts are escaped.
		s.Charts = append(s.Charts, chart{c.title, c.about, template.HTML(picture), c.legend})
	}
	return nil
}
