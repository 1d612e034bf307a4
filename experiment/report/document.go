package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/table"
)

// Document is a report on one experiment.
type Document struct {
	Results *arena.Results
	Created time.Time
	// Versions holds the versions of the programs that played, for each player; nil if unknown.
	Versions [][]string

	report *arena.Statistics
	versus []*arena.Comparison
}

// Of returns the report on experiment e with the results r.
func Of(e *arena.Plan, r *arena.Results) *Document {
	return &Document{Results: r, Created: e.Created, Versions: each.Of(e.Players, func(p arena.Player) []string { return p.Versions })}
}

// prepare computes the data that all formats need.
func (d *Document) prepare() {
	if d.report != nil {
		return
	}
	shown := *d.Results
	shown.Players = slices.Clone(shown.Players)
	for i := range shown.Players {
		shown.Players[i].Name = console.Line(shown.Players[i].Name)
		shown.Players[i].Spec = console.Line(shown.Players[i].Spec)
	}
	d.Results = &shown
	d.report = d.Results.Statistics()
	d.versus = versus(d.Results)
}

// facts returns short texts about the experiment: board size, requested games, progress, versions
// and start date.
func (d *Document) facts() []string {
	r := d.Results
	facts := []string{r.Size.String(), strings.TrimSuffix(requestedGames(d.report), ",")}
	if finished, of := r.Finished(); finished < of {
		facts = append(facts, fmt.Sprintf("%d of %d games finished", finished, of))
	}
	var versions []string
	for _, v := range slices.Concat(d.Versions...) {
		if !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
	}
	if len(versions) > 0 {
		facts = append(facts, "afterstate "+strings.Join(versions, ", "))
	}
	if !d.Created.IsZero() {
		facts = append(facts, "started "+d.Created.UTC().Format("2006-01-02"))
	}
	return facts
}

// command returns the command that repeats the experiment.
func (d *Document) command() string {
	r := d.Results
	var text strings.Builder
	fmt.Fprintf(&text, "afterstate arena run %s", r.Name)
	named := map[string]bool{} // specs already written: players of different program versions may share one
	for _, p := range r.Players {
		if spec := cmp.Or(p.Spec, p.Name); !named[spec] {
			named[spec] = true
			text.WriteString(" " + console.Quote(spec))
		}
	}
	if r.Starts == nil {
		fmt.Fprintf(&text, " --games %d --size %v", r.Games, r.Size)
	} else {
		fmt.Fprintf(&text, " --start FILE --tries %d", max(r.Games/r.Starts.Len(), 1))
	}
	fmt.Fprintf(&text, " --seed %d", r.Seed)
	if r.Until() > 0 {
		fmt.Fprintf(&text, " --until %d", r.Until())
	}
	if r.Goal {
		fmt.Fprintf(&text, " --goal %v", r.Stop)
	}
	if r.Spawn != "" && r.Spawn != "random" {
		text.WriteString(" --spawn " + console.Quote(r.Spawn))
	}
	return text.String()
}

// notes returns caveats about the players and the results.
func (d *Document) notes() []string {
	notes := each.Of(notes(d.report), console.Line)
	if finished, of := d.Results.Finished(); finished < of {
		notes = append(notes, "Not all games are finished. Long games finish last, so means are a little too low.")
	}
	if d.Results.Until() > 0 {
		notes = append(notes, fmt.Sprintf("Games stopped at tile %d, so scores mean little.", d.Results.Until()))
	}
	return notes
}

// titledTable is a table in a report, with its title.
type titledTable struct {
	title string
	*table.Table
}

// tables returns the tables that a report in Markdown or LaTeX contains.
func (d *Document) tables() []titledTable {
	all := []titledTable{{"Players", playerTable(d.report, inTables)}}
	if d.report.Goal != "" {
		all = append(all, titledTable{"Share of games that reached the goal", goalTable(d.report)})
	}
	all = append(all, titledTable{"Share of games that reached a tile", reachTable(d.report)})
	if len(d.versus) > 0 {
		all = append(all, titledTable{"Game by game", versusTable(d.report, d.versus)})
	}
	return all
}

// Markdown writes a report on experiments in Markdown, with tables and without charts.
func Markdown(w io.Writer, all []*Document) error {
	var out strings.Builder
	for _, d := range all {
		d.prepare()
		fmt.Fprintf(&out, "# %s\n\n%s\n\n", plain(d.Results.Name), plain(strings.Join(d.facts(), ", ")))
		for _, t := range d.tables() {
			fmt.Fprintf(&out, "## %s\n\n%s\n", plain(t.title), t.Markdown())
		}
		if len(d.versus) > 0 {
			out.WriteString(plain(d.verdicts()) + "\n\n")
		}
		for _, n := range d.notes() {
			out.WriteString("- " + plain(strings.TrimSpace(n)) + "\n")
		}
		fmt.Fprintf(&out, "\n```\n%s\n```\n", d.command())
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// LaTeX writes the tables of a report on experiments in LaTeX.
func LaTeX(w io.Writer, all []*Document) error {
	var out strings.Builder
	for _, d := range all {
		d.prepare()
		for _, t := range d.tables() {
			fmt.Fprintf(&out, "%% %s: %s\n%s\n", d.Results.Name, t.title, t.LaTeX())
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// plain escapes text for Markdown and HTML.
func plain(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "\n", " ").Replace(text)
}

//go:embed report.css
var styleSheet string

// HTML writes a report on experiments as one HTML page, which loads no other files. The page is light or dark
// according to the reader's setting.
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

// section writes the part of the page for one experiment.
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
	p.put("<article>\n<h2>Repeat</h2>\n<p>This command plays the same games.</p>\n<pre>%s\n</pre>\n</article>\n</section>\n", d.command())
}

// summary writes the table of players.
func (d *Document) summary(p *page) {
	p.put("<article>\n<h2>Players</h2>\n<p>Mean scores with 95 %% intervals; every player had the same seeds.</p>\n")
	p.put("%s\n</article>\n", wide(playerTable(d.report, inPage)))
	if d.report.Goal != "" {
		p.put("<article>\n<h2>Goal</h2>\n<p>Games that reached %s.</p>\n%s\n</article>\n", goalText(d.report.Stop), wide(goalTable(d.report)))
	}
}

// wide returns a table as markup that scrolls horizontally on a narrow screen.
func wide(t *table.Table) markup { return markup("<div class=\"wide\">" + t.HTML() + "</div>") }

// charts writes the charts with their tables. It writes nothing if no game is finished.
func (d *Document) charts(p *page) {
	if finished, _ := d.Results.Finished(); finished == 0 {
		return
	}
	d.chart(p, "Scores", "The box spans the middle half of the scores, with a line at the median. The long line spans 90 % of the scores.", scoresChart(d.Results), nil)
	d.chart(p, "Tiles", "How often a game reached each tile, with 95 % intervals.", "", reachTable(d.report))
	if len(d.versus) > 0 {
		picture := versusChart(d.versus)
		if d.report.Goal != "" {
			picture = ""
		}
		d.chart(p, "Game by game", d.verdicts(), picture, versusTable(d.report, d.versus))
	}
}

// chart writes an article with a title, a text, the picture unless it is empty, and the table unless it is nil.
func (d *Document) chart(p *page, title, about string, picture markup, numbers *table.Table) {
	p.put("<article>\n<h2>%s</h2>\n<p>%s</p>\n", title, about)
	if picture != "" {
		p.put("<div class=\"wide\">%s</div>\n", picture)
	}
	if numbers != nil {
		p.put("%s\n", wide(numbers))
	}
	p.put("</article>\n")
}

// markup is HTML, which page.put does not escape.
type markup string

// page builds an HTML page. It does not use html/template, which finds methods by name at run time: the
// linker would then keep every exported method of every package, 5 MB in this program.
type page struct{ strings.Builder }

// put writes HTML, with values inserted as package fmt does. It escapes all values except markup and numbers.
func (p *page) put(format string, values ...any) {
	for i, v := range values {
		switch v.(type) {
		case markup, int, float64:
		default: // any other type may print as text that contains HTML
			values[i] = html.EscapeString(fmt.Sprint(v))
		}
	}
	fmt.Fprintf(p, format, values...)
}
