package ntuple

import (
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// defaultCells is the number of cells of the patterns of DefaultLayout, and defaultPatterns the most patterns: each takes
// 64 MiB of weights, and three times that in training.
const (
	defaultCells    = 6
	defaultPatterns = 9
)

// DefaultLayout returns the layout that a size is trained with if no network is named: 4x6 on 4x4, 2x6 on
// 3x3, and on other sizes, each up to the symmetries of the board,
//
//   - every block of 2x3 cells, and
//   - every row and column of four or more cells, filled up to six with the cells beside its first
//     ones, on the side of the middle of the board.
//
// Of more than nine, those nearest to the edge are taken. On boards without a block the one pattern
// is the whole board.
func DefaultLayout(size board.Size) (Layout, error) {
	for _, n := range named {
		if n.size == size && n.isDefault {
			l, err := ParseLayout(size, n.patterns)
			l.Name = n.name
			return l, err
		}
	}
	l := Layout{Size: size}
	if size.Valid() {
		l.Patterns = defaultPatternsOf(size)
		l.Name = fmt.Sprintf("%dx%d", len(l.Patterns), len(l.Patterns[0]))
	}
	if err := l.Validate(); err != nil {
		return Layout{}, err
	}
	return l, nil
}

// defaultPatternsOf returns the patterns of DefaultLayout.
func defaultPatternsOf(size board.Size) (patterns []Pattern) {
	var seen [][]uint8 // least images
	add := func(p Pattern) {
		if least := minImage(size, p); !slices.ContainsFunc(seen, func(s []uint8) bool { return slices.Equal(s, least) }) {
			seen, patterns = append(seen, least), append(patterns, p)
		}
	}
	for distance := range max(size.Rows, size.Cols) {
		if size.Cols >= 4 && distance < (size.Rows+1)/2 {
			add(linePattern(size, distance, false))
		}
		if size.Rows >= 4 && distance < (size.Cols+1)/2 {
			add(linePattern(size, distance, true))
		}
		for r := range size.Rows {
			for c := range size.Cols {
				if min(r, c) != distance {
					continue
				}
				if r+2 <= size.Rows && c+3 <= size.Cols {
					add(blockPattern(size, r, c, 2, 3))
				}
				if r+3 <= size.Rows && c+2 <= size.Cols {
					add(blockPattern(size, r, c, 3, 2))
				}
			}
		}
	}
	if len(patterns) == 0 {
		return []Pattern{blockPattern(size, 0, 0, size.Rows, size.Cols)}
	}
	return patterns[:min(len(patterns), defaultPatterns)]
}

// linePattern is a row, or a column, and cells of the next one.
func linePattern(size board.Size, line int, column bool) (p Pattern) {
	length, cell := size.Cols, func(line, k int) int { return line*size.Cols + k }
	if column {
		length, cell = size.Rows, func(line, k int) int { return k*size.Cols + line }
	}
	for k := range length {
		p = append(p, uint8(cell(line, k)))
	}
	for k := 0; len(p) < defaultCells; k++ {
		p = append(p, uint8(cell(line+1, k)))
	}
	return p
}

func blockPattern(size board.Size, row, col, rows, cols int) (p Pattern) {
	for r := range rows {
		for c := range cols {
			p = append(p, uint8((row+r)*size.Cols+col+c))
		}
	}
	return p
}

// minImage returns the least of the sorted cells of all images of a pattern.
func minImage(size board.Size, p Pattern) (least []uint8) {
	for s := range 8 {
		var image []uint8
		for _, c := range p {
			image = append(image, uint8(sourceCell(size, s, int(c))))
		}
		slices.Sort(image)
		if least == nil || slices.Compare(image, least) < 0 {
			least = image
		}
	}
	return least
}
