package report

import (
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/protocol"
)

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
