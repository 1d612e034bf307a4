package explain

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/player"
)

// WriteDecision writes a decision and the values of all moves as text.
func WriteDecision(w io.Writer, d *player.Decision) error {
	DrawBoard(w, &d.Board)
	if !d.OK {
		_, err := fmt.Fprintln(w, "\nno legal move: the game is over")
		return err
	}
	fmt.Fprintf(w, "\nbest: %v\n\n", d.Move)
	grades, _ := d.Grades()
	for _, dir := range board.Directions {
		mark := " "
		if dir == d.Move {
			mark = ">"
		}
		fmt.Fprintf(w, "%s %-6v %s\n", mark, dir, moveText(d, dir, grades[dir]))
	}
	fmt.Fprintf(w, "\n%s: %s", d.Player, d.Source)
	if d.Plies > 0 {
		fmt.Fprintf(w, ", %d plies", d.Plies)
	}
	if d.Nodes > 0 {
		fmt.Fprintf(w, ", %d nodes", d.Nodes)
	}
	values := "; values are " + unitText(d)
	if d.Unvalued() {
		values = ": there is no other move"
	}
	if belowZero(d) {
		values += ", 0 where the estimate is below 0"
	}
	if d.Source == "bot" || d.Source == "random" {
		values = "" // they have no values
	}
	_, err := fmt.Fprintf(w, ", %.2f ms%s\n", float64(d.Elapsed.Microseconds())/1000, values)
	return err
}

// belowZero reports whether a negative value is shown as 0.
func belowZero(d *player.Decision) bool {
	for _, m := range d.Moves {
		if m.Legal && d.Unit.Shown(m.Value) > m.Value && !m.Lost() {
			return true
		}
	}
	return false
}

func unitText(d *player.Decision) string {
	switch {
	case d.Unit == eval.Points:
		return "points of score still to come"
	case d.Unit == eval.Chance:
		return "chances to make the goal"
	}
	return "on the scale of the heuristic"
}

func moveText(d *player.Decision, dir board.Direction, g player.Grade) string {
	m := d.Moves[dir]
	switch {
	case !m.Legal:
		return "changes nothing"
	case d.Source == "random":
		return "as likely as the others"
	case m.Lost():
		return "lost"
	}
	if d.Unvalued() {
		return "the only move"
	}
	text := fmt.Sprintf("%14s", "not known")
	if m.Value == m.Value { // not NaN
		text = fmt.Sprintf("%14s", number(d.Unit.Shown(m.Value)))
	}
	if g.Class != "" {
		return text + "  " + g.String()
	}
	// Smaller differences come from the order of summation.
	if loss, ok := d.Loss(dir); ok && loss > 1e-9*math.Abs(d.Best()) {
		text += "  loses " + number(loss)
	}
	return text
}

// number formats a value: integers without decimals, small values with two significant digits,
// others with two decimals.
func number(x float64) string {
	if x == float64(int64(x)) && x < 1e15 && x > -1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	if math.Abs(x) < 0.1 {
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
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

// DrawBoard draws a board in plain characters.
func DrawBoard(w io.Writer, b *board.Board) {
	size := b.Size()
	width := max(4, len(strconv.FormatInt(board.Tile(b.Largest()), 10)))
	for r := range size.Rows {
		for c := range size.Cols {
			tile := "."
			if e := b.At(r, c); e != 0 {
				tile = strconv.FormatInt(board.Tile(e), 10)
			}
			fmt.Fprintf(w, " %*s", width, tile)
		}
		fmt.Fprintln(w)
	}
}

// WriteReasons writes the reasons as text, to follow the output of WriteDecision.
func WriteReasons(w io.Writer, r *Reasons) error {
	fmt.Fprintln(w)
	writeRollouts(w, r)
	writeLine(w, r)
	return writeParts(w, r)
}

func writeRollouts(w io.Writer, r *Reasons) {
	if r.Decision.Unvalued() {
		fmt.Fprintf(w, "no rollouts: there is no other move\n")
		return
	}
	if r.Rollouts == 0 {
		fmt.Fprintf(w, "no rollouts: the player is too slow for the time given; see --time\n")
		return
	}
	fmt.Fprintf(w, "from %d games played on after each move", r.Rollouts)
	if r.RolloutLimits != "" {
		fmt.Fprintf(w, " (by the player with %s)", r.RolloutLimits)
	}
	fmt.Fprint(w, ", with 95 % intervals\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	reaches := fmt.Sprintf("reaches %d", r.NextTile)
	if r.ReachHorizon > 0 {
		reaches += fmt.Sprintf(" within %d", r.ReachHorizon)
	}
	fmt.Fprintf(t, "\tdead within %d moves\t\t%s\t\n", Horizon, reaches)
	for _, d := range legalMoves(r) {
		dead, deadCI := r.GameOver(d)
		reach, reachCI := r.Reach(d)
		fmt.Fprintf(t, "%s %v\t%5.1f %%\t[%.1f, %.1f]\t%5.1f %%\t[%.1f, %.1f]\n", mark(r, d), d,
			100*dead, 100*deadCI.Low, 100*deadCI.High, 100*reach, 100*reachCI.Low, 100*reachCI.High)
	}
	t.Flush()
}

func writeLine(w io.Writer, r *Reasons) {
	if len(r.Line) == 0 {
		return
	}
	moves := make([]string, len(r.Line))
	for i, s := range r.Line {
		moves[i] = s.Move.String()
	}
	fmt.Fprintf(w, "\nexpected: %s, to\n\n", strings.Join(moves, ", "))
	DrawBoard(w, &r.Line[len(r.Line)-1].Board)
}

func writeParts(w io.Writer, r *Reasons) error {
	legal := legalMoves(r)
	if len(r.Moves[legal[0]].Terms) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nthe evaluator's terms for the board after each move\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t")
	for _, part := range r.Moves[legal[0]].Terms {
		fmt.Fprintf(t, "%s\t", part.Name)
	}
	fmt.Fprintln(t)
	for _, d := range legal {
		fmt.Fprintf(t, "%s %-5v\t", mark(r, d), d)
		for _, part := range r.Moves[d].Terms {
			fmt.Fprintf(t, "%s\t", number(part.Value))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

func legalMoves(r *Reasons) (legal []board.Direction) {
	for _, d := range board.Directions {
		if r.Decision.Moves[d].Legal {
			legal = append(legal, d)
		}
	}
	return legal
}

func mark(r *Reasons, d board.Direction) string {
	if d == r.Decision.Move {
		return ">"
	}
	return " "
}
