package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/explain"
	"afterstate/game"
	"afterstate/internal/numfmt"
	"afterstate/search"
)

// whyTime is the time limit of an explanation.
const whyTime = time.Second

// why is the state of the explanation on the screen.
type why struct {
	open    bool
	reasons *explain.Reasons // nil until they are computed
	err     error
}

// whyMsg is the explanation of the board with a number.
type whyMsg struct {
	number  int
	reasons explain.Reasons
	err     error
}

// reasons returns a command that computes the explanation.
func (a *hintPlayer) reasons(number int, g *game.Game, p4 float64) tea.Cmd {
	a.stop()
	ctx := a.begin()
	q := search.NewQuery(g.Board(), g.Score())
	var sees search.Future
	sees.Random, sees.OK = g.Foresee()
	return func() tea.Msg {
		a.mu.Lock() // so that close waits
		defer a.mu.Unlock()
		r, err := explain.Explain(ctx, a.maker, q, explain.Options{Time: whyTime, P4: p4, Oracle: sees})
		if ctx.Err() != nil {
			return nil
		}
		return whyMsg{number, r, err}
	}
}

func (w *why) take(m whyMsg) {
	w.reasons, w.err = &m.reasons, m.err
}

// lines formats the explanation as a table with a line for each move, followed by the expected line
// of play and the evaluator's terms.
func (w *why) lines(spec string, loading bool, t *theme, width, height int) []string {
	r := w.reasons
	switch {
	case w.err != nil:
		return append([]string{"Why?", ""}, wrap(w.err.Error(), width)...)
	case r == nil && loading:
		return []string{"Why?", "", "loading the network"}
	case r == nil:
		return append([]string{"Why?", ""}, wrap(spec+" is thinking", width)...)
	}
	wide := width >= whyWide
	share, intervals := 14, ", with 95 % intervals"
	if !wide {
		share, intervals = 8, ""
	}
	lines := append(wrap(fmt.Sprintf("Why %v? %s", r.Decision.Move, spec), width), "")
	if wide {
		lines = append(lines, fmt.Sprintf("  %-6s%9s%9s  %-*s%s", "", "", "", share, "lost within", fmt.Sprintf("reaches %d", r.NextTile)),
			fmt.Sprintf("  %-6s%9s%9s  %-*s%s", "", "value", "loss", share, moveCount(explain.Horizon), "in "+moveCount(explain.Horizon)))
	} else {
		lines = append(lines, fmt.Sprintf("  %-6s%9s  %-*s%d", "", "value", share, "lost", r.NextTile))
	}
	for _, d := range board.Directions {
		lines = append(lines, whyLine(r, d, t, wide, share))
	}
	lines = append(lines, "")
	switch {
	case r.Decision.Unvalued():
		lines = append(lines, wrap("no games were played on: there is no other move", width)...)
	case r.Rollouts == 0:
		lines = append(lines, wrap("no games were played on: the player is too slow", width)...)
	default:
		lines = append(lines, wrap(fmt.Sprintf("shares of %s games after each move%s", numfmt.Int(int64(r.Rollouts)), intervals), width)...)
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

func whyLine(r *explain.Reasons, d board.Direction, t *theme, wide bool, share int) string {
	mark := "  "
	if d == r.Decision.Move {
		mark = t.mark()
	}
	value, _ := valueText(&r.Decision, d)
	line := fmt.Sprintf("%s%-6v%9s", mark, d, value)
	if !r.Decision.Moves[d].Legal {
		return line
	}
	if wide {
		grades, _ := r.Decision.Grades()
		line += fmt.Sprintf("%9s", lossText(&r.Decision, d, grades[d]))
	}
	if r.Rollouts == 0 {
		return line
	}
	dead, deadly := r.GameOver(d)
	reach, reached := r.Reach(d)
	if !wide {
		return line + fmt.Sprintf("  %-*s%.0f%%", share, fmt.Sprintf("%.0f%%", 100*dead), 100*reach)
	}
	return line + fmt.Sprintf("  %-*s%s", share, percent(dead, deadly.Low, deadly.High), percent(reach, reached.Low, reached.High))
}

// percent formats a share and its interval.
func percent(share, low, high float64) string {
	return fmt.Sprintf("%.0f%% [%.0f, %.0f]", 100*share, 100*low, 100*high)
}

// parts formats the evaluator's terms for the board after each move, as many as fit.
func parts(r *explain.Reasons, room int) (lines []string) {
	var terms []eval.Part
	for _, m := range r.Moves {
		if len(m.Terms) > 0 {
			terms = m.Terms
		}
	}
	if len(terms) == 0 || room < 3 {
		return nil
	}
	head := fmt.Sprintf("%-14s", "terms after")
	for _, d := range board.Directions {
		head += fmt.Sprintf("%10v", d)
	}
	lines = append(lines, "", head)
	for i, term := range terms {
		if len(lines) == room {
			break
		}
		line := fmt.Sprintf("%-14s", cut(term.Name, 14))
		for _, m := range r.Moves {
			value := "-"
			if i < len(m.Terms) {
				value = number(m.Terms[i].Value)
			}
			line += fmt.Sprintf("%10s", value)
		}
		lines = append(lines, line)
	}
	return lines
}
