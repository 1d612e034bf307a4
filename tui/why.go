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
func (w *why) lines(spec string, loading bool, t *theme, height int) []string {
	r := w.reasons
	switch {
	case w.err != nil:
		return []string{"Why?", "", w.err.Error()}
	case r == nil && loading:
		return []string{"Why?", "", "loading the network"}
	case r == nil:
		return []string{"Why?", "", cut(spec, 40) + " is thinking"}
	}
	lines := []string{
		fmt.Sprintf("Why %v? %s", r.Decision.Move, cut(spec, 34)), "",
		fmt.Sprintf("  %-6s%10s%10s  %-14s%s", "", "", "", "lost within", fmt.Sprintf("reaches %d", r.NextTile)),
		fmt.Sprintf("  %-6s%10s%10s  %-14s%s", "", "value", "loss", moveCount(explain.Horizon), "in "+moveCount(explain.Horizon)),
	}
	for _, d := range board.Directions {
		lines = append(lines, whyLine(r, d, t))
	}
	lines = append(lines, "")
	if r.Decision.Unvalued() {
		lines = append(lines, "no games were played on: there is no other move")
	} else if r.Rollouts == 0 {
		lines = append(lines, "no games were played on: the player is too slow")
	} else {
		lines = append(lines, fmt.Sprintf("shares of %s games after each move, with 95 %% intervals", numfmt.Int(int64(r.Rollouts))))
	}
	if len(r.Line) > 0 {
		moves := make([]string, len(r.Line))
		for i, step := range r.Line {
			moves[i] = step.Move.String()
		}
		lines = append(lines, "expected line: "+strings.Join(moves, ", "))
	}
	return append(lines, parts(r, height-len(lines)-2)...)
}

func whyLine(r *explain.Reasons, d board.Direction, t *theme) string {
	mark := "  "
	if d == r.Decision.Move {
		mark = t.mark()
	}
	value, _ := valueText(&r.Decision, d)
	line := fmt.Sprintf("%s%-6v%10s", mark, d, value)
	if !r.Decision.Moves[d].Legal {
		return line
	}
	loss := ""
	if x, ok := r.Decision.Loss(d); ok && x > 0 {
		loss = number(-x)
	}
	line += fmt.Sprintf("%10s", loss)
	if r.Rollouts == 0 {
		return line
	}
	dead, deadly := r.GameOver(d)
	reach, reached := r.Reach(d)
	return line + fmt.Sprintf("  %-14s%s", percent(dead, deadly.Low, deadly.High), percent(reach, reached.Low, reached.High))
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
