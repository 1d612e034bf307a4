package report

import (
	"afterstate/stats"
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
		"scores": d.markScores, "reach": d.markReach, "tiles": d.markTiles, "spread": d.markSpread,
		"pairs": d.markPairs, "speed": d.markSpeed, "notes": d.markNotes,
		"command": func() string { return "```\n" + d.command() + "\n```\n" },
	}
	part, ok := parts[name]
	if !ok {
		return "", fmt.Errorf("no part of a report is called %q: want %s", name, strings.Join(Parts, ", "))
	}
	return part(), nil
}

// rows writes a table in Markdown; the first row is its header.
func rows(table [][]string) string {
	var out strings.Builder
	for i, row := range table {
		out.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			out.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return out.String()
}

// plain escapes text for Markdown and HTML.
func plain(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "\n", " ").Replace(text)
}

// spec writes a player's spec as code.
func spec(text string) string {
	fence := "`"
	if strings.Contains(text, fence) {
		fence = "``"
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}

func (d *Document) markScores() string {
	tops := d.tops()
	head := []string{"player", "games", "mean score", "median", "best"}
	for _, k := range tops {
		head = append(head, "reach "+tileName(d.report.Players[0].Reached[k]))
	}
	table := [][]string{head}
	for i := range d.report.Players {
		p := &d.report.Players[i]
		best := "-"
		if p.Games > 0 {
			best = Grouped(float64(p.BestScore))
		}
		row := []string{spec(p.Player), Grouped(float64(p.Games)), meanWords(p.MeanScore, p.MeanCI), Grouped(p.MedianScore), best}
		for _, k := range tops {
			row = append(row, shareWords(p.Reached[k].Share, p.Reached[k].CI))
		}
		table = append(table, row)
	}
	return rows(table)
}

func (d *Document) markReach() string {
	head := []string{"tile"}
	for i := range d.report.Players {
		head = append(head, spec(d.report.Players[i].Player))
	}
	table := [][]string{head}
	for k, t := range d.report.Players[0].Reached {
		row := []string{tileName(t)}
		for i := range d.report.Players {
			share := d.report.Players[i].Reached[k]
			row = append(row, shareWords(share.Share, share.CI))
		}
		table = append(table, row)
	}
	return rows(table)
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

func (d *Document) markSpread() string {
	shares := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
	head := []string{"share of games below"}
	for _, q := range shares {
		head = append(head, fmt.Sprintf("%.0f %%", 100*q))
	}
	table := [][]string{head}
	for _, p := range d.Results.Players {
		var scores []float64
		for i := range p.Games {
			scores = append(scores, float64(p.Games[i].Score))
		}
		row := []string{spec(p.Name)}
		for _, q := range shares {
			row = append(row, Grouped(stats.Quantile(scores, q)))
		}
		table = append(table, row)
	}
	return rows(table)
}

func (d *Document) markPairs() string {
	if len(d.pairs) == 0 {
		return ""
	}
	table := [][]string{{"player", "against", "games", "difference", "won", "lost", "score is"}}
	for i := range d.pairs {
		p := &d.pairs[i]
		won, lost := "-", "-"
		if !p.Unpaired {
			won, lost = shareWords(float64(p.Higher)/float64(p.Games), p.WonCI), percent(float64(p.Lower)/float64(p.Games))
		}
		table = append(table, []string{spec(p.A), spec(p.B), Grouped(float64(p.Games)), differenceWords(p.Difference, p.CI), won, lost, p.Verdict()})
	}
	return rows(table)
}

func (d *Document) markSpeed() string {
	table := [][]string{{"player", "moves/s", "ms/move"}}
	for i := range d.report.Players {
		p := &d.report.Players[i]
		table = append(table, []string{spec(p.Player), Grouped(p.MovesPerSecond), significant(p.MSPerMove)})
	}
	return rows(table)
}

func (d *Document) markNotes() string {
	var out strings.Builder
	for _, n := range d.notes() {
		out.WriteString("- " + plain(strings.TrimSpace(n)) + "\n")
	}
	return out.String()
}
