package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
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
	d := &Document{Results: r, Created: e.Created}
	for _, p := range e.Players {
		d.Versions = append(d.Versions, p.Versions)
	}
	return d
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
	return text.String()
}

// notes are caveats about the players.
func (d *Document) notes() (notes []string) {
	for i := range d.report.Players {
		for _, n := range playerNotes(&d.report.Players[i]) {
			notes = append(notes, console.Line(n))
		}
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
