package formats

import (
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
)

// cellColumns returns the indices of the columns that hold the cells of a board, row by row, and the board's size. It
// recognizes numbered names such as c0 to c15, for square boards, and names with row and column such as r0c0 to r3c4.
// Numbers start at 0 or 1. at is nil if there are no such columns.
func cellColumns(names []string) (size board.Size, at []int) {
	for _, name := range names {
		first := cellOf(name)
		if first.col < 0 || first.col > 1 || first.row > 1 {
			continue
		}
		count, last := 0, first
		for _, name := range names {
			if c := cellOf(name); c.prefix == first.prefix && c.col >= 0 {
				count, last.row, last.col = count+1, max(last.row, c.row), max(last.col, c.col)
			}
		}
		size = board.Size{Rows: last.row - first.row + 1, Cols: last.col - first.col + 1}
		if first.row < 0 { // one number per cell
			for size.Rows*size.Rows < count {
				size.Rows++
			}
			size.Cols = size.Rows
		}
		// Four numbered columns are rarely the cells of a 2x2 board.
		if !size.Valid() || size.Cells() != count || first.row < 0 && count < 9 {
			continue
		}
		if at = places(names, first, size); at != nil {
			return size, at
		}
	}
	return size, nil
}

// places returns the column indices of a board's cells, where first is the name of the top left cell. It returns nil if
// a cell is missing.
func places(names []string, first cell, size board.Size) []int {
	at := make([]int, 0, size.Cells())
	for i := range size.Cells() {
		row, col := first.row, first.col+i
		if first.row >= 0 {
			row, col = first.row+i/size.Cols, first.col+i%size.Cols
		}
		for place, name := range names {
			if c := cellOf(name); c.prefix == first.prefix && c.row == row && c.col == col {
				at = append(at, place)
				break
			}
		}
	}
	if len(at) < size.Cells() {
		return nil
	}
	return at
}

// cell is the parsed name of a column. prefix holds its letters. If the name has two numbers they are row and
// column; if it has one, col is the number of the cell. A missing number is -1.
type cell struct {
	prefix   string
	row, col int
}

func cellOf(name string) (c cell) {
	const digits = "0123456789"
	number := func() int {
		rest := strings.TrimRight(name, digits)
		n, err := strconv.Atoi(name[len(rest):])
		if name = rest; err != nil {
			return -1
		}
		return n
	}
	c.col = number()
	between := name[strings.LastIndexAny(name, digits)+1:]
	name = name[:len(name)-len(between)]
	c.row = number()
	c.prefix = name + "#" + between
	return c
}

// cellsText returns the board in the cell columns of the current row, as text for board.Parse.
func (t *sheet) cellsText() string {
	var out strings.Builder
	for i, at := range t.cells {
		switch {
		case i > 0 && i%t.cellSize.Cols == 0:
			out.WriteByte('/')
		case i > 0:
			out.WriteByte(',')
		}
		if cell := strings.TrimSpace(t.row[at]); cell != "" {
			out.WriteString(cell)
		} else {
			out.WriteByte('0')
		}
	}
	return out.String()
}
