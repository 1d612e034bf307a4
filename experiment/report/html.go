package report

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/afterstate2048/afterstate/internal/table"
)

//go:embed report.css
var styleSheet string

// HTML writes a report on experiments as one page that loads nothing, light or dark by the reader's
// setting.
func HTML(w io.Writer, title string, all []*Document) error {
	var p page
	p.put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<main>
`, title, markup(styleSheet))
	for _, d := range all {
		d.prepare()
		d.section(&p)
	}
	p.put("</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, p.String())
	return err
}

// section writes the page's part for one experiment.
func (d *Document) section(p *page) {
	p.put("<section>\n<header>\n<p class=\"from\">Afterstate experiment</p>\n<h1>%s</h1>\n<p class=\"facts\">", d.Results.Name)
	for _, fact := range d.facts() {
		p.put("<span>%s</span>", fact)
	}
	p.put("</p>\n</header>\n")
	d.summary(p)
	d.charts(p)
	if notes := d.notes(); len(notes) > 0 {
		p.put("<article>\n<h2>Notes</h2>\n<ul class=\"notes\">")
		for _, note := range notes {
			p.put("<li>%s</li>", note)
		}
		p.put("</ul>\n</article>\n")
	}
	p.put("<article>\n<h2>Again</h2>\n<p>The same games.</p>\n<pre>%s\n</pre>\n</article>\n</section>\n", d.command())
}

// summary writes the table of players.
func (d *Document) summary(p *page) {
	p.put("<article>\n<h2>Players</h2>\n<p>Mean scores with 95 %% intervals; every player had the same seeds.</p>\n")
	p.put("%s\n</article>\n", wide(playerTable(d.report, inPage)))
	if d.report.Goal != "" {
		p.put("<article>\n<h2>Goal</h2>\n<p>Games that reached %s.</p>\n%s\n</article>\n", goalText(d.report.Stop), wide(goalTable(d.report)))
	}
}

// wide is a table that scrolls on a narrow screen.
func wide(t *table.Table) markup { return markup("<div class=\"wide\">" + t.HTML() + "</div>") }

// charts writes the charts, and nothing before a game is finished.
func (d *Document) charts(p *page) {
	if finished, _ := d.Results.Finished(); finished == 0 {
		return
	}
	d.chart(p, "Scores", "Games by their score. The half of the games in the middle has the full colour; the line is the median.", scoresChart(d.Results), nil)
	d.chart(p, "Highest tile", "The tile that games ended with, and in the table how often it or a larger one is reached. Lines and brackets show 95 % intervals.",
		tilesChart(d.report), reachTable(d.report))
	if len(d.versus) > 0 {
		picture := versusChart(d.versus)
		if d.report.Goal != "" {
			picture = ""
		}
		d.chart(p, "Game by game", d.verdicts(), picture, versusTable(d.report, d.versus))
	}
}

// chart writes a chart, and a table unless it is nil.
func (d *Document) chart(p *page, title, about string, picture markup, numbers *table.Table) {
	p.put("<article>\n<h2>%s</h2>\n<p>%s</p>\n<div class=\"wide\">%s</div>\n", title, about, picture)
	if numbers != nil {
		p.put("%s\n", wide(numbers))
	}
	p.put("</article>\n")
}

// markup is HTML. Other texts are escaped on a page.
type markup string

// page builds a page of HTML. It does without html/template, which finds methods by name at run time:
// a program that links it keeps every exported method of every package, 5 MB of this one.
type page struct{ strings.Builder }

// put writes HTML, with values in place of the verbs of package fmt. It escapes all but markup and numbers.
func (p *page) put(format string, values ...any) {
	for i, v := range values {
		switch v.(type) {
		case markup, int, float64:
		default: // also types whose values are strings, or that have a method String
			values[i] = html.EscapeString(fmt.Sprint(v))
		}
	}
	fmt.Fprintf(p, format, values...)
}
