package tui

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/afterstate2048/afterstate/advice/explain"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// whyTime is the time limit of an explanation.
const whyTime = time.Second

// reasons returns a command that computes the explanation.
func (a *hintPlayer) reasons(number int, g *game.Game, p4 float64) tea.Cmd {
	q, o := search.NewQuery(g.Board(), g.Score()), explain.Options{Time: whyTime, P4: p4, Oracle: foresight(g)}
	return a.request(number, func(ctx context.Context) hintMsg {
		r, err := explain.Explain(ctx, a.maker, q, o)
		return hintMsg{decision: r.Decision, reasons: &r, err: err}
	})
}

// whyLines formats the explanation as a table with a line for each move, followed by the expected line
// of play and the evaluator's terms.
func (h *hint) whyLines(spec string, t *theme, width, height int) []string {
	r := h.reasons
	switch {
	case r != nil && h.err != nil:
		return append([]string{"Why?", ""}, wrap(h.err.Error(), width)...)
	case r == nil && h.loading:
		return []string{"Why?", "", "loading the network"}
	case r == nil:
		return append([]string{"Why?", ""}, wrap(spec+" is thinking", width)...)
	}
	wide := width >= whyWide
	intervals := ""
	if wide {
		intervals = ", with 95 % intervals"
	}
	lines := append(wrap(fmt.Sprintf("Why %v? %s", r.Decision.Move, spec), width), "")
	lines = append(lines, tableLines(whyTable(r, t, wide))...)
	lines = append(lines, "")
	switch {
	case r.Decision.Unvalued():
		lines = append(lines, wrap("no games were played on: there is no other move", width)...)
	case r.Rollouts.Games == 0:
		lines = append(lines, wrap("no games were played on: the player is too slow", width)...)
	default:
		lines = append(lines, wrap(fmt.Sprintf("shares of %s games after each move%s", numfmt.Int(int64(r.Rollouts.Games)), intervals), width)...)
	}
	if len(r.Line) > 0 {
		moves := make([]string, len(r.Line))
		for i, step := range r.Line {
			moves[i] = step.Move.String()
		}
		lines = append(lines, wrap("expected line: "+strings.Join(moves, ", "), width)...)
	}
	if !wide {
		return lines
	}
	return append(lines, parts(r, height-len(lines)-2)...)
}

// whyWide is the width of the table with losses, intervals and terms; a narrower one has the values and shares alone.
const whyWide = 56

func whyTable(r *explain.Reasons, t *theme, wide bool) *table.Table {
	tab := table.New(table.Words(""), table.Number("value"), table.Number("loss"), table.Words("lost within"), table.Words(fmt.Sprintf("reaches %d", r.NextTile)))
	if wide {
		tab.Add("", "", "", moveCount(explain.Horizon), "in "+moveCount(explain.Horizon))
	} else {
		tab = table.New(table.Words(""), table.Number("value"), table.Number("lost"), table.Number(fmt.Sprint(r.NextTile)))
	}
	grades, _ := r.Decision.Grades()
	for _, d := range board.Directions {
		cells := []string{"  " + d.String(), valueText(&r.Decision, d)}
		if d == r.Decision.Move {
			cells[0] = t.mark() + d.String()
		}
		if wide {
			cells = append(cells, lossText(&r.Decision, d, grades[d]))
		}
		shares := []string{"", ""}
		if r.Decision.Moves[d].Legal && r.Rollouts.Games > 0 {
			dead, deadly := r.Rollouts.SoonOver(d)
			reach, reached := r.Reach(d)
			shares = []string{numfmt.Percent(dead), numfmt.Percent(reach)}
			if wide {
				shares = []string{shares[0] + " " + numfmt.Percents(deadly.Low, deadly.High), shares[1] + " " + numfmt.Percents(reached.Low, reached.High)}
			}
		}
		tab.Add(append(cells, shares...)...)
	}
	return tab
}

// tableLines returns a table as lines.
func tableLines(t *table.Table) []string {
	return strings.Split(strings.TrimSuffix(t.Text(math.MaxInt), "\n"), "\n")
}

// parts formats the evaluator's terms for the board after each move, as many as fit.
func parts(r *explain.Reasons, room int) []string {
	tab := table.New(table.Words("terms after"))
	var terms []eval.Part
	for d, parts := range r.Terms {
		tab.Columns = append(tab.Columns, table.Number(board.Direction(d).String()))
		if len(parts) > 0 {
			terms = parts
		}
	}
	if len(terms) == 0 || room < 3 {
		return nil
	}
	for i, term := range terms[:min(len(terms), room-2)] {
		cells := []string{cut(term.Name, 14)}
		for _, parts := range r.Terms {
			value := "-"
			if i < len(parts) {
				value = numfmt.Short(parts[i].Value)
			}
			cells = append(cells, value)
		}
		tab.Add(cells...)
	}
	return append([]string{""}, tableLines(tab)...)
}
