package drive

import (
	"slices"
	"strconv"
	"strings"

	"afterstate/board"
	"afterstate/internal/numfmt"
	"afterstate/player"
)

// Advice is what is shown on the page.
type Advice struct {
	Move  string `json:"move"` // "" while there is none
	Title string `json:"title"`
	Note  string `json:"note"`
	Old   bool   `json:"old"` // about the board before
	Board string `json:"board"`
}

// adviceOf returns the advice of a decision: its move, and how much worse the others are.
func adviceOf(d *player.Decision) *Advice {
	a := &Advice{Move: d.Move.String(), Title: capital(d.Move.String())}
	type other struct {
		move board.Direction
		text string
		loss float64
	}
	var others []other
	for _, dir := range board.Directions {
		m := d.Moves[dir]
		if !m.Legal || dir == d.Move {
			continue
		}
		o := other{move: dir, text: dir.String(), loss: 1e300}
		if m.Lost() {
			o.text += " loses"
		} else if loss, ok := d.Loss(dir); ok {
			o.text, o.loss = o.text+" −"+amount(loss), loss
		}
		others = append(others, o)
	}
	slices.SortStableFunc(others, func(x, y other) int {
		switch {
		case x.loss < y.loss:
			return -1
		case x.loss > y.loss:
			return 1
		}
		return 0
	})
	words := make([]string, 0, len(others))
	for _, o := range others {
		words = append(words, o.text)
	}
	a.Note = strings.Join(words, " · ")
	if len(others) == 0 {
		a.Note = "the only legal move"
	}
	return a
}

// amount writes a loss with few digits.
func amount(x float64) string {
	if x >= 10 {
		return numfmt.Rounded(x)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
