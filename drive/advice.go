package drive

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/internal/numfmt"
	"afterstate/player"
)

// Advice is what is shown on the page.
type Advice struct {
	Move  string `json:"move"` // "" before the player has answered
	Title string `json:"title"`
	Note  string `json:"note"`
	Old   bool   `json:"old"` // about the board before
	Board string `json:"board"`
}

// adviceOf returns the advice of a decision: its move, and how much worse the others are.
func adviceOf(d *player.Decision) *Advice {
	a := &Advice{Move: d.Move.String(), Title: capital(d.Move.String())}
	var others []string
	lost := 0
	for _, dir := range ordered(d) {
		switch m := d.Moves[dir]; {
		case m.Lost():
			others = append(others, dir.String()+" loses")
			lost++
		case d.Unit == eval.Points:
			text := dir.String()
			if loss, ok := d.Loss(dir); ok {
				text += " −" + amount(loss)
				if len(others) == 0 {
					text += " points"
				}
			}
			others = append(others, text)
		default: // numbers without a unit say nothing to a person
			others = append(others, dir.String())
		}
	}
	switch {
	case len(others) == 0:
		a.Note = "the only legal move"
	case d.Unit == eval.Points && lost < len(others):
		a.Note = strings.Join(others, " · ")
	default:
		a.Note = "then " + strings.Join(others, ", ")
	}
	return a
}

// ordered returns the other legal moves, the best one first.
func ordered(d *player.Decision) (others []board.Direction) {
	for _, dir := range board.Directions {
		if d.Moves[dir].Legal && dir != d.Move {
			others = append(others, dir)
		}
	}
	slices.SortStableFunc(others, func(x, y board.Direction) int { return cmp.Compare(d.Moves[y].Value, d.Moves[x].Value) })
	return others
}

// amount writes a loss with few digits.
func amount(x float64) string {
	if x >= 10 {
		return numfmt.Rounded(x)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
