package drive

import (
	"cmp"
	"slices"
	"strings"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
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
	grades, graded := d.Grades()
	for _, dir := range ordered(d) {
		text := dir.String()
		if d.Moves[dir].Lost() {
			text += " loses"
		} else if graded { // numbers without a scale say nothing to a person
			text += strings.TrimRight(" "+strings.ReplaceAll(grades[dir].String(), "-", "−"), " ")
		}
		others = append(others, text)
	}
	switch {
	case len(others) == 0:
		a.Note = "the only legal move"
	case graded:
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

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
