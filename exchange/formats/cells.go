package formats

import (
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
)

// cellColumns returns the places of columns that are the cells of a board, row by row: numbered from 0 or 1 as in c0 to
// c15, for square boards, or with row and column as in r0c0 to r3c4. It returns nil if there are none.
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
		if first.row < 0 { // numbered through
			for size.Rows*size.Rows < count {
				size.Rows++
			}
			size.Cols = size.Rows
		}
		if !size.Valid() || size.Cells() != count || first.row < 0 && count < 9 { // four numbers are more often something else
			continue
		}
		if at = places(names, first, size); at != nil {
			return size, at
		}
	}
	return size, nil
}

// places returns the places of a board's cells, of which first is the first one; nil if one is missing.
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

// cell is the name of a column in parts: its letters, the row's number if it has two numbers, and the last number, which
// counts columns or cells. A missing number is -1.
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

// cellsText is the board in the cells of a row.
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
