package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/each"
)

// Document is a report on one experiment.
type Document struct {
	Results *arena.Results
	Created time.Time
	// Versions are the versions of the programs that played, by player; nil if unknown.
	Versions [][]string

	report *arena.Statistics
	pairs  []pair
}

// Of returns the report on an experiment with these results.
func Of(e *arena.Plan, r *arena.Results) *Document {
	return &Document{Results: r, Created: e.Created, Versions: each.Of(e.Players, func(p arena.Player) []string { return p.Versions })}
}

// prepare computes what all formats need.
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
	d.pairs = pairs(d.Results)
}

// facts describe the experiment's setup.
func (d *Document) facts() []string {
	r := d.Results
	facts := []string{r.Size.String(), strings.TrimSuffix(asked(d.report), ",")}
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
		how := "started "
		if r.Spawn == arena.Imported {
			how = "imported "
		}
		facts = append(facts, how+d.Created.UTC().Format("2006-01-02"))
	}
	return facts
}

// command is the command that repeats the experiment.
func (d *Document) command() string {
	r := d.Results
	if r.Spawn == arena.Imported {
		return "afterstate arena import FILE... " + r.Name
	}
	var text strings.Builder
	fmt.Fprintf(&text, "afterstate arena run %s", r.Name)
	named := map[string]bool{} // versions of a program have one spec
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
	if r.Luck != nil {
		text.WriteString(" --luck")
	}
	return text.String()
}

// notes are caveats about the players.
func (d *Document) notes() (notes []string) {
	for i := range d.report.Players {
		for _, n := range playerNotes(&d.report.Players[i]) {
			notes = append(notes, console.Line(n))
		}
	}
	if t := luckOf(d.report); t != nil {
		notes = append(notes, luckNote(t))
	}
	if finished, of := d.Results.Finished(); finished < of {
		notes = append(notes, "Not all games are finished. Long games are more often among the others, so that means lean a little low.")
	}
	if d.Results.Until() > 0 {
		notes = append(notes, fmt.Sprintf("Games stopped at %d, so that scores mean little.", d.Results.Until()))
	}
	return notes
}

// best is the id of a player's game with the best score, for watch --game.
func (d *Document) best(player int) string {
	games := d.Results.Players[player].Games
	if len(games) == 0 || d.Results.Name == "" {
		return ""
	}
	best := slices.MaxFunc(games, func(a, b arena.Outcome) int { return cmp.Compare(a.Score, b.Score) })
	return fmt.Sprintf("%s/%d/%d", d.Results.Name, player+1, best.Index)
}

// Parts are the names of the parts of a Markdown report, in order. Only speed depends on measured
// time; the others are reproducible.
var Parts = []string{"scores", "goal", "reach", "tiles", "spread", "pairs", "speed", "notes", "command"}

// Markdown writes a report on experiments as tables.
func Markdown(w io.Writer, all []*Document) error {
	var out strings.Builder
	for i, d := range all {
		d.prepare()
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "# %s\n\n%s\n", plain(d.Results.Name), plain(strings.Join(d.facts(), ", ")))
		for _, part := range Parts {
			text, err := d.part(part)
			if err != nil {
				return err
			}
			if text != "" {
				fmt.Fprintf(&out, "\n## %s\n\n%s", partTitles[part], text)
			}
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

var partTitles = map[string]string{
	"scores": "Players", "goal": "Share of games that reached the goal", "reach": "Share of games that reached a tile", "tiles": "Games by their highest tile", "spread": "How scores are spread",
	"pairs": "Game by game", "speed": "Speed", "notes": "Notes", "command": "The same games again",
}

// part writes one part of the report, "" if it is empty.
func (d *Document) part(name string) (string, error) {
	d.prepare()
	switch name {
	case "tiles":
		if finished, _ := d.Results.Finished(); finished == 0 {
			return "", nil
		}
		t := &textReport{Statistics: d.report, width: 96} // text bars, as on a terminal
		t.highest()
		_, bars, _ := strings.Cut(strings.TrimPrefix(t.out.String(), "\n"), "\n") // without the heading
		return "```\n" + bars + "```\n", nil
	case "notes":
		text := ""
		for _, n := range d.notes() {
			text += "- " + plain(strings.TrimSpace(n)) + "\n"
		}
		return text, nil
	case "command":
		return "```\n" + d.command() + "\n```\n", nil
	}
	if !slices.Contains(Parts, name) {
		return "", fmt.Errorf("no part of a report is called %q: must be %s", name, strings.Join(Parts, ", "))
	}
	t := d.table(name)
	if t == nil {
		return "", nil
	}
	text := t.Markdown()
	if name == "pairs" {
		text += "\n" + d.verdicts() + "\n"
	}
	return text, nil
}

// plain escapes text for Markdown and HTML.
func plain(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "\n", " ").Replace(text)
}

// verdicts says what the verdicts of the pairs are worth.
func (d *Document) verdicts() string {
	if len(d.pairs) == 1 {
		return "Intervals are 95 %; a difference whose interval does not include 0 is clear."
	}
	return fmt.Sprintf("Intervals are 95 %% for each pair alone; the verdicts are 95 %% for all %d pairs together (Holm's correction).", len(d.pairs))
}

// A document that keeps its own words says where tables go:
//
//	<!-- arena: first scores -->
//	| player | ...
//	<!-- arena: end -->
var (
	marker    = regexp.MustCompile(`^<!-- arena: (.*) -->\s*$`)
	endMarker = "<!-- arena: end -->"
)

// UpdateTables returns the document with the text between each marker and its end replaced by the
// named part (see Parts) of the named experiment. find returns the experiment, or nil to keep the
// table as it is.
func UpdateTables(document string, find func(experiment string) (*Document, error)) (string, error) {
	into := &tableUpdate{find: find, found: map[string]*Document{}}
	number := 0
	for line := range strings.Lines(document) {
		number++
		if err := into.line(number, line); err != nil {
			return "", fmt.Errorf("line %d: %w", number, err)
		}
	}
	if into.open > 0 {
		return "", fmt.Errorf("line %d: %s is missing behind it", into.open, endMarker)
	}
	return into.out.String(), nil
}

// tableUpdate is a document being updated.
type tableUpdate struct {
	find  func(string) (*Document, error)
	found map[string]*Document
	out   strings.Builder
	open  int  // the line of the marker whose end is to come; 0: none
	keep  bool // what is behind it stays
}

func (f *tableUpdate) line(number int, line string) error {
	m := marker.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
	switch {
	case m == nil:
		if f.open == 0 || f.keep {
			f.out.WriteString(line)
		}
		return nil
	case m[1] == "end" && f.open == 0:
		return errors.New("an end without a beginning")
	case m[1] == "end":
		f.open = 0
		f.out.WriteString(line)
		return nil
	case f.open > 0:
		return fmt.Errorf("%s is missing before it, for the marker of line %d", endMarker, f.open)
	}
	name, part, ok := strings.Cut(m[1], " ")
	if !ok || !slices.Contains(Parts, part) {
		return fmt.Errorf("%q: must be an experiment and one of %s", m[1], strings.Join(Parts, ", "))
	}
	d, asked := f.found[name]
	if !asked {
		var err error
		if d, err = f.find(name); err != nil {
			return err
		}
		f.found[name] = d
	}
	f.open, f.keep = number, d == nil
	f.out.WriteString(line)
	if d == nil {
		return nil
	}
	text, err := d.part(part)
	f.out.WriteString(text)
	return err
}
