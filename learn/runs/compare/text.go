package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
)

// WriteText writes the table for people.
func (t *Table) WriteText(out io.Writer) error {
	var b strings.Builder
	for _, g := range t.Groups {
		names := make([]string, len(g.Runs))
		for i, r := range g.Runs {
			names[i] = r.Name + " (" + r.State + ")"
		}
		if len(names) == 1 {
			fmt.Fprintf(&b, "%s\n", names[0])
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n", g.Name, strings.Join(names, ", "))
	}
	if options, values := Differences(t.Groups); len(options) > 0 {
		w := table.New(table.Words("options"))
		for _, g := range t.Groups {
			w.Columns = append(w.Columns, table.Words(g.Name))
		}
		for i, option := range options {
			w.Add(append([]string{option}, values[i]...)...)
		}
		b.WriteString("\n" + w.Text(math.MaxInt))
	}
	b.WriteString("\n" + t.scores().Text(math.MaxInt))
	if t.lacking() {
		b.WriteString("-: no interval of --report-every ended by then\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// lacking reports whether a cell has no mean.
func (t *Table) lacking() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool {
		return slices.ContainsFunc(r.Cells, func(c Cell) bool { return math.IsNaN(float64(c.Mean)) })
	})
}

// scores are the rows, and that of the networks' games.
func (t *Table) scores() *table.Table {
	w := table.New(table.Words("mean score up to"))
	for i, g := range t.Groups {
		w.Columns = append(w.Columns, table.Words(g.Name))
		if i > 0 {
			w.Columns = append(w.Columns, table.Words(g.Name+" - "+t.Groups[0].Name))
		}
	}
	for _, r := range t.Rows {
		at := numfmt.Rounded(r.Games) + " games"
		if t.ByTime {
			at = seconds(r.ElapsedS)
		}
		w.Add(append([]string{at}, cellsText(r.Cells)...)...)
	}
	if t.Played != nil {
		w.Add(append([]string{numfmt.Int(int64(t.PlayedGames)) + " games of 1 ply"}, cellsText(t.Played)...)...)
	}
	return w
}

func seconds(s float64) string {
	switch {
	case s < 1:
		return fmt.Sprintf("%.3f s", s)
	case s < 10:
		return fmt.Sprintf("%.2f s", s)
	case s < 120:
		return fmt.Sprintf("%.1f s", s)
	}
	return fmt.Sprintf("%.1f min", s/60)
}

func cellsText(cells []Cell) (all []string) {
	for _, c := range cells {
		all = append(all, withInterval(c.Mean, c.CI, false))
		if d := c.Difference; d != nil {
			text := withInterval(d.Mean, d.CI, true)
			if cells[0].Mean > 0 && !math.IsNaN(float64(d.Mean)) {
				text += fmt.Sprintf(" (%+.1f %%)", 100*d.Mean/cells[0].Mean)
			}
			all = append(all, text)
		}
	}
	return all
}

func withInterval(mean stats.Figure, ci stats.Interval, signed bool) string {
	if math.IsNaN(float64(mean)) {
		return "-"
	}
	text := number(float64(mean), signed)
	if ci.Known() {
		text += fmt.Sprintf(" [%s, %s]", number(ci.Low, signed), number(ci.High, signed))
	}
	return text
}

func number(x float64, signed bool) string {
	text := numfmt.Rounded(x)
	if signed && x >= 0 {
		text = "+" + text
	}
	return text
}

// MarshalJSON writes the names and seeds of the group's runs, and the options of the first one.
func (g *Group) MarshalJSON() ([]byte, error) {
	out := struct {
		Name    string            `json:"name"`
		Runs    []string          `json:"runs"`
		Seeds   []uint64          `json:"seeds"`
		Options map[string]string `json:"options"`
	}{Name: g.Name, Options: g.options()}
	for _, r := range g.Runs {
		out.Runs, out.Seeds = append(out.Runs, r.Name), append(out.Seeds, r.Options.Seed)
	}
	return json.Marshal(out)
}
