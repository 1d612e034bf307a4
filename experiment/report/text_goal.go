package report

import (
	"fmt"
	"strconv"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/rules/game"
)

func goalText(g game.Stop) string {
	if g.Sum != 0 {
		return fmt.Sprintf("a sum of tiles of %d", g.Sum)
	}
	return "tile " + g.String()
}

// goalTable has the share of games that reached the experiment's goal.
func goalTable(r *arena.Statistics) *table.Table {
	all := table.New(table.Name("player"), table.Number("reached"), table.Number("games"), table.Number("95 % interval"))
	luck := luckColumns(r, 0)
	all.Columns = append(all.Columns, each.Of(luck, func(c column) table.Column { return c.Column })...)
	for i, p := range r.Players {
		ci := "?"
		if p.Goal.CI.Known() {
			ci = numfmt.Shares(p.Goal.CI.Low, p.Goal.CI.High)
		}
		cells := []string{p.Player, numfmt.Share(p.Goal.Share), fmt.Sprintf("%d of %d", p.Goal.Games, p.Games), ci}
		all.Add(append(cells, each.Of(luck, func(c column) string { return c.cell(&r.Players[i]) })...)...)
	}
	return all
}

// goal shows how often the experiment's goal was reached.
func (t *textReport) goal() {
	t.printf("\nshare of games that reached %s\n", goalText(t.Stop))
	t.out.WriteString(goalTable(t.Statistics).Text(t.width))
	if t.Starts > 0 {
		t.printf("intervals account for games from boards of one parent being alike\n")
	}
}

// versusGoal compares how often each player and the first one reached the goal.
func (t *textReport) versusGoal(r *arena.Results) {
	title := fmt.Sprintf("%s reached, against %s, game by game on the same seeds", goalText(t.Stop), r.Players[0].Name)
	t.againstFirst(r, title, table.Numbers("difference", "only it", "only the other"), func(c *arena.Comparison) []string {
		g := &c.Goal
		return []string{shareDifference(g.Difference, g.CI), strconv.Itoa(g.First), strconv.Itoa(g.Other), g.Verdict}
	})
}
