package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

// luckText has the means of players, plain and adjusted for luck, and with a goal their differences to the first one: those of
// scores have a table of their own.
func luckText(t *protocol.LuckTable) string {
	what, figure := "mean score", func(e protocol.Estimate) string { return mean(e.Value, e.CI) }
	if t.Goal != "" {
		what, figure = "reached "+t.Goal, func(e protocol.Estimate) string { return shareWords(e.Value, e.CI) }
	}
	all := table.New(table.Number("games"), table.Number(what), table.Number("adjusted"), table.Number("factor"), table.Words("player"))
	of := func(e protocol.Estimate) string { return shareDifference(e.Value, e.CI) }
	differences := table.New(table.Number("games"), table.Number("difference"), table.Number("adjusted"), table.Number("factor"), table.Words("player"))
	for i := range t.Players {
		p := &t.Players[i]
		all.Add(fmt.Sprint(p.Games), figure(p.Mean), figure(p.Adjusted), numfmt.Factor(p.Factor), console.Line(p.Player))
		if d := p.Difference; d != nil && t.Goal != "" {
			differences.Add(fmt.Sprint(d.Games), of(d.Mean), of(d.Adjusted), numfmt.Factor(d.Factor), console.Line(p.Player))
		}
	}
	text := fmt.Sprintf("%s: luck by the values %s\n\n%s", t.Experiment, valuesOf(t), all.Text(math.MaxInt))
	if len(differences.Rows) > 0 {
		text += "\nminus " + console.Line(t.Players[0].Player) + ", on the same seeds\n" + differences.Text(math.MaxInt)
	}
	return text + "\nintervals are 95 %; factor: how many times fewer games give the adjusted mean the same interval\n"
}

// luckOf returns the luck of an experiment's games, nil if it is not known.
func luckOf(r *arena.Statistics) *protocol.LuckTable {
	t, _ := r.Luck.(*protocol.LuckTable)
	return t
}

// valuesOf names the values that luck is in.
func valuesOf(t *protocol.LuckTable) string {
	if t.Values != "" {
		return "of " + t.Values
	}
	return t.ValuesHash
}

// luckColumns belong behind the column of the mean score, or of the share of a goal.
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

// luckNote explains adjusted figures.
func luckNote(t *protocol.LuckTable) string {
	return fmt.Sprintf("adjusted: without what the luck of new tiles explains, by the values %s; factor: how many times fewer games give the same interval", valuesOf(t))
}
