package explain

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/numfmt"
	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// WriteDecision writes a decision and the values of all moves as text.
func WriteDecision(w io.Writer, d *player.Decision) error {
	fmt.Fprint(w, d.Board.Drawing())
	if !d.OK {
		_, err := fmt.Fprintln(w, "\nno legal move: the game is over")
		return err
	}
	fmt.Fprintf(w, "\nbest: %v", d.Move)
	if l := d.Level; l != nil && l.Move != d.Move {
		fmt.Fprintf(w, "; for %s: %v", l.Player, l.Move)
	}
	fmt.Fprint(w, "\n\n")
	grades, _ := d.Grades()
	for _, dir := range board.Directions {
		fmt.Fprintf(w, "%-8s %s\n", d.Marked(dir), moveText(d, dir, grades[dir]))
	}
	fmt.Fprintf(w, "\n%s: %s", d.Player, d.Source)
	if d.Plies > 0 {
		fmt.Fprintf(w, ", %d plies", d.Plies)
	}
	if d.Nodes > 0 {
		fmt.Fprintf(w, ", %d nodes", d.Nodes)
	}
	values := "; values are on the scale of the heuristic"
	switch {
	case d.Unvalued():
		values = ": there is no other move"
	case d.Source == "random" || math.IsNaN(d.Best()):
		values = ""
	case d.Unit == eval.Points:
		values = "; values are points of score still to come"
	case d.Unit == eval.Chance:
		values = "; values are chances to make the goal"
	}
	if slices.ContainsFunc(d.Moves[:], func(m search.MoveValue) bool { return m.Legal && d.Unit.Shown(m.Value) > m.Value && !m.Lost() }) {
		values += ", 0 where the estimate is below 0"
	}
	_, err := fmt.Fprintf(w, ", %.2f ms%s\n", float64(d.Elapsed.Microseconds())/1000, values)
	if err != nil || d.Level == nil {
		return err
	}
	return writeLevel(w, d.Level)
}

// writeLevel writes how many points a player of a level is expected to gain after each move.
func writeLevel(w io.Writer, d *player.Decision) error {
	fmt.Fprintf(w, "\n%s still makes, on average:\n", d.Player)
	t := table.New(table.Words(""))
	t.Columns = append(t.Columns, table.Numbers("points", "±")...)
	for dir, m := range d.Moves {
		if m.Legal {
			t.Add(board.Direction(dir).String(), numfmt.Rounded(m.Value), numfmt.Rounded(d.Playouts.CIs[dir].Half()))
		}
	}
	return t.Write(w)
}

func moveText(d *player.Decision, dir board.Direction, g player.Grade) string {
	m := d.Moves[dir]
	switch {
	case !m.Legal:
		return "changes nothing"
	case d.Source == "random":
		return "as likely as the others"
	case m.Lost():
		return "may end"
	case d.Unvalued():
		return "the only move"
	}
	text := fmt.Sprintf("%14s", "not known")
	if !math.IsNaN(m.Value) {
		text = fmt.Sprintf("%14s", numfmt.Value(d.Unit.Shown(m.Value)))
	}
	if g.Class != "" {
		return text + "  " + g.String()
	}
	// Smaller differences are rounding errors from the order of summation.
	if loss, ok := d.Loss(dir); ok && loss > 1e-9*math.Abs(d.Best()) {
		text += "  loses " + numfmt.Value(loss)
	}
	return text
}

// WriteMove writes the move and the board on one line, separated by a tab.
func WriteMove(w io.Writer, d *player.Decision) error {
	move := "none"
	if d.OK {
		move = d.Move.String()
	}
	_, err := fmt.Fprintf(w, "%s\t%v\n", move, d.Board)
	return err
}
