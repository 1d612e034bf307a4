package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/afterstate2048/afterstate/experiment"
	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

// place is a set of outputs in which a column of the table of players is shown.
type place uint

const (
	inText   place = 1 << iota // the report for a terminal, which has room for few columns
	inPage                     // the HTML report
	inTables                   // Markdown and LaTeX, without columns that depend on measured time
)

// column is a column of the table of players.
type column struct {
	table.Column
	in   place
	cell func(p *arena.PlayerStatistics) string
}

// playerColumns returns the columns of the table of players.
func playerColumns(r *arena.Statistics) []column {
	const files = inPage | inTables
	all := []column{
		{table.Name("player"), inText | files, func(p *arena.PlayerStatistics) string { return p.Player }},
		{table.Number("games"), files, func(p *arena.PlayerStatistics) string { return number(float64(p.Games)) }},
		{table.Number("mean score"), inText | files, func(p *arena.PlayerStatistics) string { return mean(p.MeanScore, p.MeanCI) }},
		{table.Number("median"), inText | files, func(p *arena.PlayerStatistics) string { return number(p.MedianScore) }},
		{table.Number("best"), inText | files, best},
	}
	if r.Goal == "" {
		const behindMean = 3
		all = slices.Insert(all, behindMean, luckColumns(r, inText|files)...)
	}
	timed := inText
	if slices.ContainsFunc(r.Players, func(s arena.PlayerStatistics) bool { return s.Forfeits != nil }) {
		all = append(all, column{table.Number("forfeits"), inText | files, forfeitsOf})
		timed = 0 // a narrow terminal has no room for both columns, and moves/s gives the same information
	}
	if r.Luck != nil {
		timed = 0
	}
	return append(all,
		column{table.Number("moves/s"), inText | inPage, func(p *arena.PlayerStatistics) string { return significant(p.MovesPerSecond) }},
		column{table.Number("ms/move"), timed, func(p *arena.PlayerStatistics) string { return significant(p.MSPerMove) }})
}

func best(p *arena.PlayerStatistics) string {
	if p.BestScore == nil {
		return "-"
	}
	return number(float64(*p.BestScore))
}

// playerTable returns a table with a row for each player, and the columns that are shown in one place.
func playerTable(r *arena.Statistics, in place) *table.Table {
	t, columns := table.New(), playerColumns(r)
	columns = slices.DeleteFunc(columns, func(c column) bool { return c.in&in == 0 })
	t.Columns = each.Of(columns, func(c column) table.Column { return c.Column })
	for i := range r.Players {
		t.Add(each.Of(columns, func(c column) string { return c.cell(&r.Players[i]) })...).Mark = dot(i)
	}
	return t
}

// forfeitsOf returns how many of its games a player forfeited, as in "9 of 10".
func forfeitsOf(s *arena.PlayerStatistics) string {
	if s.Forfeits == nil {
		return "-"
	}
	return fmt.Sprintf("%d of %d", s.Forfeits.Games, s.Games)
}

// reachTable returns a table with a row per tile: the share of each player's games that reached the tile.
func reachTable(r *arena.Statistics) *table.Table {
	t := table.New(table.Number("tile"))
	for i := range r.Players {
		t.Columns = append(t.Columns, table.Named(r.Players[i].Player))
	}
	for k, tile := range r.Players[0].Reached {
		cells := []string{strconv.FormatInt(tile.Tile, 10)}
		for i := range r.Players {
			share := r.Players[i].Reached[k].Value
			cells = append(cells, shareWords(share.Share, share.CI))
		}
		t.Add(cells...)
	}
	return t
}

// versus compares every player but the first with the first, adjusted for luck where luck is known.
func versus(r *arena.Results) (all []*arena.Comparison) {
	for i := 1; i < len(r.Players); i++ {
		c := experiment.Compared(r, i, 0)
		c.A, c.B = r.Players[i].Name, r.Players[0].Name
		all = append(all, c)
	}
	arena.Holm(all...)
	return all
}

// versusTitle returns the title of the comparison with the first player.
func versusTitle(r *arena.Statistics) string {
	title := "score"
	if r.Goal != "" {
		title = goalText(r.Stop) + " reached,"
	}
	return fmt.Sprintf("%s against %s, game by game on the same seeds", title, r.Players[0].Player)
}

// versusTable returns a table with a row for each comparison with the first player.
func versusTable(r *arena.Statistics, all []*arena.Comparison) *table.Table {
	titles := []string{"difference", "higher in", "lower in"}
	switch {
	case r.Goal != "":
		titles = []string{"difference", "only this player", "only the first"}
	case r.Luck != nil:
		titles = []string{"difference", "adjusted", "factor"}
	}
	t := table.New(slices.Concat([]table.Column{table.Name("player")}, table.Numbers(titles...), []table.Column{table.Words("verdict")})...)
	for i, c := range all {
		cells, verdict := []string{c.A, difference(c.Difference, c.CI)}, c.Verdict
		switch g := &c.Goal; {
		case r.Goal != "":
			cells, verdict = []string{c.A, shareDifference(g.Difference, g.CI), strconv.Itoa(g.First), strconv.Itoa(g.Other)}, g.Verdict
		case r.Luck != nil && c.Adjusted != nil:
			cells = append(cells, difference(c.Adjusted.Difference, c.Adjusted.CI), numfmt.Factor(c.Adjusted.Factor))
		case r.Luck != nil:
			cells = append(cells, "-", "-")
		default:
			cells = append(cells, strconv.Itoa(c.Higher), strconv.Itoa(c.Lower))
		}
		row := t.Add(append(cells, verdict)...)
		row.Mark = dot(i + 1)
		if verdict == arena.NotClear {
			row.Class = "unclear"
		}
	}
	return t
}

// verdicts returns sentences that say what is compared, and with which confidence the verdicts hold.
func (d *Document) verdicts() string {
	text := "Compared: " + versusTitle(d.report) + ". "
	if len(d.versus) == 1 {
		return text + "Intervals are 95 %; a difference whose interval does not include 0 is clear."
	}
	return text + fmt.Sprintf("Intervals are 95 %% for each player alone; the %d verdicts hold together at 95 %% (Holm's correction).", len(d.versus))
}

// dot returns the HTML for a dot in the colour of a player.
func dot(player int) string { return `<i class="` + class("dot", player) + `"></i>` }

// number formats a number with commas between thousands: 351,648. Numbers below 100 keep decimals.
func number[F ~float64](figure F) string {
	x := float64(figure)
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "-"
	case a >= 100 || a == math.Trunc(a):
		return numfmt.Rounded(x)
	case a >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// mean formats a mean and half the width of its interval: 36,935 ± 4,656. If both are below 1,000, both have
// one decimal.
func mean[F ~float64](figure F, ci stats.Interval) string {
	mean := float64(figure)
	if math.IsNaN(mean) {
		return "-"
	}
	decimals, half := 1, "?"
	if math.Abs(mean) >= 1000 {
		decimals = 0
	}
	if ci.Known() {
		if ci.Half() >= 1000 {
			decimals = 0
		}
		half = numfmt.Group(strconv.FormatFloat(ci.Half(), 'f', decimals, 64))
	}
	return numfmt.Group(strconv.FormatFloat(mean, 'f', decimals, 64)) + " ± " + half
}

// difference formats a mean difference as mean does, but with its sign.
func difference[F ~float64](x F, ci stats.Interval) string {
	text := mean(x, ci)
	if x > 0 {
		text = "+" + text
	}
	return text
}

// shareWords formats a share with its interval: 84.0 % [78.3, 88.4].
func shareWords[F ~float64](share F, ci stats.Interval) string {
	if !ci.Known() {
		return "-"
	}
	return numfmt.Share(share) + " " + numfmt.Shares(ci.Low, ci.High)
}

// shareDifference formats the difference of two shares: +3.1 ± 2.0 %.
func shareDifference[F ~float64](difference F, ci stats.Interval) string {
	if math.IsNaN(float64(difference)) {
		return "-"
	}
	half := "?"
	if ci.Known() {
		half = fmt.Sprintf("%.1f", 100*ci.Half())
	}
	return fmt.Sprintf("%+.1f ± %s %%", 100*difference, half)
}

// significant formats a positive number with three significant digits or more, but at most six decimals. NaN
// becomes "-".
func significant[F ~float64](figure F) string {
	x := float64(figure)
	if math.IsNaN(x) {
		return "-"
	}
	decimals := 0
	for step := 100.0; x < step && decimals < 6; step /= 10 {
		decimals++
	}
	return numfmt.Group(strconv.FormatFloat(x, 'f', decimals, 64))
}

// Comparison writes a comparison of two named players as text.
func Comparison(w io.Writer, c *arena.Comparison) error {
	t := &textReport{width: 80}
	t.printf("A  %s\nB  %s\n%s of the same seed\n\n", c.A, c.B, numfmt.Count(c.Games, "game", "games"))
	if c.Higher+c.Lower == 0 && c.Games > 0 {
		t.printf("score of A - B  0 in every game: they may be the same player\n")
	} else {
		t.printf("score of A - B  %s, %s\n", difference(c.Difference, c.CI), c.Verdict)
	}
	t.printf("A has more      in %s of the games; B in %s\n",
		shareWords(c.WonShare, c.WonCI), numfmt.Share(float64(c.Lower)/float64(c.Games)))
	t.printf("intervals are 95 %%\n")
	_, err := io.WriteString(w, t.out.String())
	return err
}

// MatchWealth returns one line that says how close a match is to its verdict.
func MatchWealth(m *stats.Match) string {
	a, b := m.Wealth()
	better, e := m.A, a
	if b > a {
		better, e = m.B, b
	}
	return fmt.Sprintf("e-value %.3g for %s being better, after %d pairs; a verdict needs %.3g", e, better, m.Pairs(), m.Threshold())
}

// Match writes the verdict of a match as text for a terminal.
func Match(w io.Writer, m *stats.Match) error {
	confidence := fmt.Sprintf("%.4g %%", 100*m.Confidence())
	winner := m.A
	if m.Winner() < 0 {
		winner = m.B
	}
	if m.Winner() == 0 {
		fmt.Fprintf(w, "not clear: %s%s\n", MatchWealth(m), Outlook(m.Left(), ""))
	} else {
		fmt.Fprintf(w, "%s is better: found after %d pairs of games, with %s confidence\n", winner, m.DecidedAfter(), confidence)
	}
	interval := "not known yet"
	if ci := m.Interval(); ci.Known() {
		interval = fmt.Sprintf("from %+.0f to %+.0f", ci.Low, ci.High)
	}
	_, err := fmt.Fprintf(w, "score of %s - %s: %+.0f a game, %s interval %s\nthe games are stored as %s\n", m.A, m.B, m.Mean(), confidence, interval, m.Name)
	return err
}

// luckOf returns the luck of an experiment's games; nil if it is not known.
func luckOf(r *arena.Statistics) *protocol.LuckTable {
	t, _ := r.Luck.(*protocol.LuckTable)
	return t
}

// luckColumns returns the columns with figures adjusted for luck; nil if luck is not known. In a table, these
// columns follow the mean score or, with a goal, the share of games that reached the goal.
func luckColumns(r *arena.Statistics, in place) []column {
	t := luckOf(r)
	if t == nil {
		return nil
	}
	line := func(p *arena.PlayerStatistics) *protocol.LuckLine {
		return &t.Players[slices.IndexFunc(t.Players, func(l protocol.LuckLine) bool { return console.Line(l.Player) == console.Line(p.Player) })]
	}
	return []column{
		{table.Number("adjusted"), in, func(p *arena.PlayerStatistics) string {
			e := line(p).Adjusted
			if r.Goal != "" {
				return shareWords(e.Value, e.CI)
			}
			return mean(e.Value, e.CI)
		}},
		{table.Number("factor"), in, func(p *arena.PlayerStatistics) string { return numfmt.Factor(line(p).Factor) }},
	}
}

// luckNote returns a text that explains the adjusted figures.
func luckNote(t *protocol.LuckTable) string {
	values := t.ValuesHash
	if t.Values != "" {
		values = "of " + t.Values
	}
	return fmt.Sprintf("adjusted: without the effect of lucky and unlucky new tiles, estimated from the values %s; "+
		"factor: how many times more games the plain mean needs for an interval of the same width", values)
}
