package formats

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/afterstate2048/afterstate/rules/board"
)

// cellColumns returns the places of columns that are the cells of a board, row by row: numbered from 0 or 1 as in c0 to
// c15, for square boards, or with row and column as in r0c0 to r3c4. It returns no size if there are none.
func cellColumns(names []string) (size board.Size, at []int) {
	groups := map[string][]numbered{}
	for i, name := range names {
		n := numbered{at: i}
		rest := ""
		if rest, n.col = trailing(name); n.col < 0 {
			continue
		}
		between := strings.TrimRightFunc(rest, func(r rune) bool { return !unicode.IsDigit(r) })
		prefix := rest
		if before, row := trailing(between); row >= 0 {
			n.row, prefix = row, before+"#"+rest[len(between):]
		}
		groups[prefix] = append(groups[prefix], n)
	}
	for _, cells := range groups {
		if size, at := grid(cells); at != nil {
			return size, at
		}
	}
	return board.Size{}, nil
}

// numbered is a column with a number, or with that of a row and a column.
type numbered struct{ at, row, col int }

// trailing cuts the number off the end of a name; it is -1 without one.
func trailing(name string) (rest string, number int) {
	rest = strings.TrimRight(name, "0123456789")
	number, err := strconv.Atoi(name[len(rest):])
	if err != nil {
		return name, -1
	}
	return rest, number
}

// grid returns the places of columns that are all cells of a board, in its order.
func grid(cells []numbered) (size board.Size, at []int) {
	slices.SortStableFunc(cells, func(a, b numbered) int { return (a.row-b.row)*len(cells)*len(cells) + a.col - b.col })
	first, last := cells[0], cells[len(cells)-1]
	size = board.Size{Rows: last.row - first.row + 1, Cols: last.col - first.col + 1}
	if size.Rows == 1 { // numbered through
		for size.Rows*size.Rows < len(cells) {
			size.Rows++
		}
		size.Cols = size.Rows
	}
	if !size.Valid() || size.Cells() != len(cells) || size.Cells() < 9 && first.row == last.row || first.row > 1 || first.col > 1 {
		return size, nil
	}
	for i, c := range cells {
		row, col := first.row, first.col+i
		if first.row < last.row {
			row, col = first.row+i/size.Cols, first.col+i%size.Cols
		}
		if c.row != row || c.col != col {
			return size, nil
		}
		at = append(at, c.at)
	}
	return size, at
}

// cellsText is the board in the cells of a row.
func (t *sheet) cellsText() string {
	rows := make([]string, 0, t.cellSize.Rows)
	for row := range slices.Chunk(t.cells, t.cellSize.Cols) {
		words := make([]string, len(row))
		for i, at := range row {
			words[i] = strings.TrimSpace(t.row[at])
			if words[i] == "" {
				words[i] = "0"
			}
		}
		rows = append(rows, strings.Join(words, ","))
	}
	return strings.Join(rows, "/")
}
