package picture

import (
	"fmt"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Some pages draw nothing in an empty cell, so rows and columns at the edge of the board may show no
// box. The colour between the cells then shows how far the board extends.

// gapTolerance is the maximum difference from the colour between the cells, in each channel. The backgrounds
// of dark pages differ from their grids by only about ten.
const gapTolerance = 8

// point is a place in a picture: the x and the y coordinate, in pixels.
type point [2]float64

// moved returns p, moved by a number of pixels along an axis.
func (p point) moved(axis int, by float64) point {
	p[axis] += by
	return p
}

func (l *lattice) middle(key [2]int) point {
	return point{l.axes[0].middle(key[0]), l.axes[1].middle(key[1])}
}

// extend adds rows and columns of empty cells at the edges of the board where the picture has the
// colour of empty cells.
func (l *lattice) extend(m *raster) {
	missing := l.board().Cells() - len(l.found)
	if missing == 0 {
		return
	}
	ground, ok := l.ground(m, missing)
	if !ok {
		return
	}
	l.hidden = true
	before := *l
	for a := range l.axes {
		l.axes[a].first -= before.reach(m, ground, a, -1)
		l.axes[a].last += before.reach(m, ground, a, 1)
	}
	if l.tooLarge() {
		l.axes, l.open = before.axes, true
	}
}

// ground returns the median colour of the cells in which no box was found. ok means that nothing is
// drawn in these cells: at least 3/4 of them have this colour, and if there is only one, the space
// between cells has this colour too.
func (l *lattice) ground(m *raster, missing int) (colour [3]float64, ok bool) {
	var all samples
	var empty []point
	for row := l.axes[1].first; row <= l.axes[1].last; row++ {
		for col := l.axes[0].first; col <= l.axes[0].last; col++ {
			key := [2]int{col, row}
			if _, found := l.found[key]; !found {
				p := l.middle(key)
				empty = append(empty, p)
				all.add(m, min(m.w-1, max(0, int(p[0]))), min(m.h-1, max(0, int(p[1]))))
			}
		}
	}
	colour = all.median()
	matching := 0
	for _, p := range empty {
		if m.like(p, colour) {
			matching++
		}
	}
	gap, known := l.gapColour(m)
	return colour, 4*matching >= 3*missing && (missing > 1 || known && distance(gap, colour) < 2*gapTolerance)
}

// gapColour returns the median colour between adjacent cells.
func (l *lattice) gapColour(m *raster) (gap [3]float64, ok bool) {
	var all samples
	for key := range l.found {
		for a := range l.axes {
			next := key
			next[a]++
			p := l.middle(key).moved(a, l.axes[a].pitch/2)
			if _, both := l.found[next]; both && m.holds(p) {
				all.add(m, int(p[0]), int(p[1]))
			}
		}
	}
	if len(all[0]) == 0 {
		return gap, false
	}
	return all.median(), true
}

// holds reports whether a point lies in the picture.
func (m *raster) holds(p point) bool {
	return p[0] >= 0 && p[1] >= 0 && int(p[0]) < m.w && int(p[1]) < m.h
}

// like reports whether a pixel has the given colour within gapTolerance. It returns false for a point
// outside the picture.
func (m *raster) like(p point, colour [3]float64) bool {
	if !m.holds(p) {
		return false
	}
	at := 3 * (int(p[1])*m.w + int(p[0]))
	for c, v := range colour {
		if math.Abs(float64(m.pix[at+c])-v) > gapTolerance {
			return false
		}
	}
	return true
}

// reach returns how many more rows or columns of the grid's colour follow along an axis, in the direction of
// sign. It follows the middle line of each row or column, and takes the median length.
func (l *lattice) reach(m *raster, ground [3]float64, axis int, sign float64) int {
	along, across := &l.axes[axis], &l.axes[1-axis]
	edge := along.end() + 2
	if sign < 0 {
		edge = along.start() - 2
	}
	var lengths []float64
	for cell := across.first; cell <= across.last; cell++ {
		var from point
		from[axis], from[1-axis] = edge, across.middle(cell)
		like := func(n float64) bool { return m.like(from.moved(axis, sign*n), ground) }
		begin := 0.0 // distance that is skipped, because tiles may have a shadow
		for begin < along.pitch-along.size && !like(begin) {
			begin++
		}
		n := begin
		for n < board.MaxSide*along.pitch && like(n) {
			n++
		}
		if n > begin {
			lengths = append(lengths, (n+2-(along.pitch-along.size))/along.pitch)
		}
	}
	if len(lengths) == 0 {
		return 0
	}
	return max(0, int(math.Round(median(lengths)-0.2)))
}

// doubts returns a text that says why the grid may be wrong, or "" if the grid is certain.
func (l *lattice) doubts(m *raster, all []box) string {
	size := l.board()
	rows, cols := size.Rows, size.Cols
	switch {
	case rows != cols:
		return fmt.Sprintf("found %d rows and %d columns, but few boards are not square", rows, cols)
	case l.open:
		return "empty cells have the colour of the page, so the board size is uncertain"
	case 2*len(l.found) < rows*cols && l.hidden || 4*len(l.found) < 3*rows*cols && !l.hidden:
		return fmt.Sprintf("only %d of %d cells were seen", len(l.found), rows*cols)
	case rows != 4 && !l.closed(m):
		return "the picture ends at the cells, so that some may be cut off"
	case l.cut(m, all):
		return "cells at the edge of the picture are cut off"
	}
	return ""
}

// closed reports whether the picture shows the whole board. On each side there must be room for another cell,
// or the grid's colour must end. closed checks this along the lines between the cells, where the grid's colour
// would continue to a cell that is cut off.
func (l *lattice) closed(m *raster) bool {
	gap, ok := l.gapColour(m)
	if !ok {
		return false
	}
	x, y := &l.axes[0], &l.axes[1]
	rooms := [2][2]float64{{x.start(), float64(m.w) - x.end()}, {y.start(), float64(m.h) - y.end()}}
	if all := slices.Concat(rooms[0][:], rooms[1][:]); slices.Max(all)-slices.Min(all) < 2+0.3*(x.pitch-x.size) {
		return true // equal margins: the picture was cropped to the board on purpose
	}
	for a, along := range l.axes {
		across := &l.axes[1-a]
		for side, edge := range [2]float64{along.start(), along.end()} {
			room, sign := rooms[a][side], float64(2*side-1)
			if room > along.pitch {
				continue
			}
			ends, lines := 0, across.cells()-1
			for i := range lines {
				var from point
				from[a], from[1-a] = edge, across.middle(across.first+i)+across.pitch/2
				for d := 1.0; d < room-1; d++ {
					if !m.like(from.moved(a, sign*d), gap) {
						ends++
						break
					}
				}
			}
			if 2*ends <= lines {
				return false
			}
		}
	}
	return true
}

// cut reports whether parts of further cells lie at the edge of the picture.
func (l *lattice) cut(m *raster, all []box) bool {
	parts := map[[3]int]bool{} // partial cells that were found, by axis, side and cell
	near := func(at int, edge, pitch float64) bool { return math.Abs(float64(at)-edge) < 0.08*pitch }
	for _, b := range all {
		var cell [2]int
		var inside [2]bool // by axis: whether the box spans exactly one column or row of the board
		for a, along := range l.axes {
			cell[a] = int(math.Round((b.centre(a) - along.origin) / along.pitch))
			middle := along.middle(cell[a])
			inside[a] = cell[a] >= along.first && cell[a] <= along.last &&
				near(b.from[a], middle-along.size/2, along.pitch) && near(b.to[a], middle+along.size/2, along.pitch)
		}
		for a, along := range l.axes {
			gap, end := along.pitch-along.size, [2]int{m.w, m.h}[a]
			switch {
			case !inside[1-a]:
			case b.from[a] == 0 && float64(b.to[a]) < along.start() && near(b.to[a], along.start()-gap, along.pitch):
				parts[[3]int{a, 0, cell[1-a]}] = true
			case b.to[a] >= end-1 && near(b.from[a], along.end()+gap, along.pitch):
				parts[[3]int{a, 1, cell[1-a]}] = true
			}
		}
	}
	return len(parts) > 1
}
