package picture

import (
	"fmt"
	"io"
	"strings"

	"afterstate/board"
)

// WriteText writes the board as a table, with a question mark at each doubtful cell, alone where
// nothing was read.
func (r *Reading) WriteText(w io.Writer) error {
	size := r.Board.Size()
	width := 1
	texts := make([]string, size.Cells())
	for i := range texts {
		switch e := r.Board.Cell(i); {
		case e > 0:
			texts[i] = fmt.Sprint(board.Tile(e))
		case !r.Cells[i]:
			texts[i] = "."
		}
		width = max(width, len(texts[i]))
	}
	var out strings.Builder
	for i, text := range texts {
		mark := " "
		if r.Cells[i] {
			mark = "?"
		}
		fmt.Fprintf(&out, "%*s%s ", width, text, mark)
		if (i+1)%size.Cols == 0 {
			line := strings.TrimRight(out.String(), " ")
			out.Reset()
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
	}
	return nil
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
