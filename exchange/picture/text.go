package picture

import (
	"fmt"
	"io"

	"github.com/afterstate2048/afterstate/rules/board"
)

// WriteText writes the board as a table, with a question mark at each doubtful cell, alone where
// nothing was read.
func (r *Reading) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, r.Board.Draw(func(cell int) string {
		text, mark := "", " "
		if e := r.Board.Cell(cell); e > 0 {
			text = fmt.Sprint(board.Tile(e))
		} else if !r.Cells[cell] {
			text = "."
		}
		if r.Cells[cell] {
			mark = "?"
		}
		return text + mark
	}))
	return err
}

// Doubt describes in a line what is doubtful, "" if nothing is.
func (r *Reading) Doubt() string {
	doubts := r.Doubts()
	cols := r.Board.Size().Cols
	switch {
	case r.Grid != "":
		return "the board is doubtful: " + r.Grid
	case len(doubts) == 0:
		return ""
	case len(doubts) == 1:
		return fmt.Sprintf("the cell in row %d, column %d is doubtful", doubts[0]/cols+1, doubts[0]%cols+1)
	}
	return fmt.Sprintf("%d cells are doubtful, marked with ?", len(doubts))
}
