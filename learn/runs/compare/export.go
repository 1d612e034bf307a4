package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

// WriteCSV writes a header and the metrics of all runs, one row per interval. The share of games that
// reached a tile has a column for each tile in the metrics of any run. Where an interval's metrics omit
// a tile, the share is 1 or 0; see Reached.
func WriteCSV(out io.Writer, groups []*Group) error {
	set := map[int64]bool{}
	eachRun(groups, func(r *Run) {
		for i := range r.Intervals {
			for _, t := range r.Intervals[i].Reached {
				set[t.Tile] = true
			}
		}
	})
	tiles := slices.Sorted(maps.Keys(set))
	all := table.New(table.Numbers("run", "seed", "games", "moves", "elapsed_s", "mean_score", "restarted_games", "restarted_mean_score", "games_per_s", "moves_per_s")...)
	for _, t := range tiles {
		all.Columns = append(all.Columns, table.Number("reached_"+strconv.FormatInt(t, 10)))
	}
	eachRun(groups, func(r *Run) {
		for i := range r.Intervals {
			all.Add(row(r, &r.Intervals[i], tiles)...)
		}
	})
	return all.CSV(out)
}

func eachRun(groups []*Group, do func(*Run)) {
	for _, g := range groups {
		for _, r := range g.Runs {
			do(r)
		}
	}
}

func row(r *Run, i *protocol.TrainingInterval, tiles []int64) []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	known := func(x *float64) string {
		if x == nil {
			return ""
		}
		return number(*x)
	}
	count := func(n uint64) string { return strconv.FormatUint(n, 10) }
	out := []string{
		r.Name, count(r.Options.Seed), count(i.Games), count(i.Moves), number(i.ElapsedS), known(i.MeanScore),
		count(i.RestartedGames), known(i.RestartedMeanScore), number(i.GamesPerS), number(i.MovesPerS),
	}
	for _, t := range tiles {
		share := ""
		if i.MeanScore != nil {
			share = Reached(i, t)
		}
		out = append(out, share)
	}
	return out
}

// Reached returns the share of an interval's games from an empty board that reached a tile. For a tile
// that the metrics omit, the share is "1" if the tile is smaller than all tiles in the metrics, else "0".
func Reached(i *protocol.TrainingInterval, tile int64) string {
	for _, t := range i.Reached {
		if t.Tile == tile {
			return t.Value.String()
		}
	}
	if len(i.Reached) > 0 && tile < i.Reached[0].Tile {
		return "1"
	}
	return "0"
}

// WriteText writes the table as plain text.
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
		b.WriteString("-: no interval of --report-every with games from an empty board ended since the row before\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// lacking reports whether the mean of any cell is unknown.
func (t *Table) lacking() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool {
		return slices.ContainsFunc(r.Cells, func(c Cell) bool { return math.IsNaN(float64(c.Mean)) })
	})
}

// scores returns the text table of all rows, including the results of Play.
func (t *Table) scores() *table.Table {
	w := table.New(table.Words("mean score at"))
	for i, g := range t.Groups {
		w.Columns = append(w.Columns, table.Words(g.Name))
		if i > 0 {
			w.Columns = append(w.Columns, table.Words(g.Name+" - "+t.Groups[0].Name))
		}
	}
	for _, r := range t.Rows {
		w.Add(append([]string{numfmt.Int(int64(r.Games)) + " games"}, cellsText(r.Cells)...)...)
	}
	if t.Played != nil {
		w.Add(append([]string{numfmt.Int(int64(t.PlayedGames)) + " games searching one ply"}, cellsText(t.Played)...)...)
	}
	return w
}

func cellsText(cells []Cell) (all []string) {
	for _, c := range cells {
		all = append(all, WithInterval(c.Mean, c.CI, false))
		if d := c.Difference; d != nil {
			text := WithInterval(d.Mean, d.CI, true)
			if cells[0].Mean > 0 && !math.IsNaN(float64(d.Mean)) {
				text += fmt.Sprintf(" (%+.1f %%)", 100*d.Mean/cells[0].Mean)
			}
			all = append(all, text)
		}
	}
	return all
}

// WithInterval formats a mean, followed by its interval if the interval is known. It returns "-" if
// mean is NaN.
func WithInterval(mean stats.Figure, ci stats.Interval, signed bool) string {
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

// MarshalJSON writes the names and seeds of the group's runs, and the options of the first run.
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
