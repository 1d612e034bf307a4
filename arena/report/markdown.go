package report

import (
	"fmt"
	"io"
	"strings"
)

// Parts are the names of the parts of a Markdown report, in order. Only speed depends on measured
// time; the others are reproducible.
var Parts = []string{"scores", "reach", "tiles", "spread", "pairs", "speed", "notes", "command"}

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
	"scores": "Players", "reach": "Share of games that reached a tile", "tiles": "Games by their highest tile", "spread": "How scores are spread",
	"pairs": "Game by game", "speed": "Speed", "notes": "Notes", "command": "The same games again",
}

// part writes one part of the report, "" if it is empty.
func (d *Document) part(name string) (string, error) {
	d.prepare()
	parts := map[string]func() string{
		"scores":  func() string { return playerTable(d.report).Without(movesTitle, timeTitle).Markdown() },
		"reach":   func() string { return reachTable(d.report).Markdown() },
		"tiles":   d.markTiles,
		"spread":  func() string { return spreadTable(d.Results).Markdown() },
		"pairs":   d.markPairs,
		"speed":   func() string { return speedTable(d.report).Markdown() },
		"notes":   d.markNotes,
		"command": func() string { return "```\n" + d.command() + "\n```\n" },
	}
	part, ok := parts[name]
	if !ok {
		return "", fmt.Errorf("no part of a report is called %q: want %s", name, strings.Join(Parts, ", "))
	}
	return part(), nil
}

// plain escapes text for Markdown and HTML.
func plain(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "\n", " ").Replace(text)
}

// markTiles draws text bars, as on a terminal.
func (d *Document) markTiles() string {
	if finished, _ := d.Results.Finished(); finished == 0 {
		return ""
	}
	t := &textReport{Report: d.report, width: 96}
	t.highest()
	_, bars, _ := strings.Cut(strings.TrimPrefix(t.out.String(), "\n"), "\n") // without the heading
	return "```\n" + bars + "```\n"
}

func (d *Document) markPairs() string {
	if len(d.pairs) == 0 {
		return ""
	}
	return pairTable(d.pairs).Markdown() + "\n" + d.verdicts() + "\n"
}

// verdicts says what the verdicts of the pairs are worth.
func (d *Document) verdicts() string {
	if len(d.pairs) == 1 {
		return "Intervals are 95 %; a difference whose interval does not include 0 is clear."
	}
	return fmt.Sprintf("Intervals are 95 %% for each pair alone; the verdicts are 95 %% for all %d pairs together (Holm's correction).", len(d.pairs))
}

func (d *Document) markNotes() string {
	var out strings.Builder
	for _, n := range d.notes() {
		out.WriteString("- " + plain(strings.TrimSpace(n)) + "\n")
	}
	return out.String()
}
