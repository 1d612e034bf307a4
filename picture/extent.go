package picture

import (
	"fmt"
	"math"
	"slices"

	"afterstate/board"
)

// Some pages draw nothing where a cell is empty, so that rows and columns at the edge of the board
// may show no box. The colour between the cells then says how far the board reaches.

// gapTolerance is the largest difference in a channel from that colour. Dark pages are but some ten
// steps from their grids.
const gapTolerance = 8

// extend adds empty rows and columns that look like the grid.
func (l *lattice) extend(m *raster) {
	missing := (l.x1-l.x0+1)*(l.y1-l.y0+1) - len(l.found)
	if missing == 0 {
		return
	}
	ground, ok := l.ground(m, missing)
	if !ok {
		return
	}
	l.hidden = true
	before := *l
	l.x0 -= before.reach(m, ground, -1, 0)
	l.x1 += before.reach(m, ground, 1, 0)
	l.y0 -= before.reach(m, ground, 0, -1)
	l.y1 += before.reach(m, ground, 0, 1)
	if l.x1-l.x0 >= board.MaxSide || l.y1-l.y0 >= board.MaxSide {
		l.x0, l.x1, l.y0, l.y1 = before.x0, before.x1, before.y0, before.y1
		l.open = true
	}
}

// ground is the colour of the cells without a box. ok means that nothing is drawn there: most of them
// look like each other, and there are several, or the only one looks like what is between the cells.
func (l *lattice) ground(m *raster, missing int) (colour [3]float64, ok bool) {
	var all samples
	each := func(f func(x, y float64)) {
		for row := l.y0; row <= l.y1; row++ {
			for col := l.x0; col <= l.x1; col++ {
				if _, found := l.found[[2]int{col, row}]; !found {
					f(l.x+float64(col)*l.pitchX, l.y+float64(row)*l.pitchY)
				}
			}
		}
	}
	each(func(x, y float64) {
		all.add(m, min(m.w-1, max(0, int(x))), min(m.h-1, max(0, int(y))))
	})
	colour = all.median()
	alike := 0
	each(func(x, y float64) {
		if l.like(m, x, y, colour) {
			alike++
		}
	})
	gap, known := l.gapColour(m)
	return colour, 4*alike >= 3*missing && (missing > 1 || known && distance(gap, colour) < 2*gapTolerance)
}

// gapColour is the median colour between cells that are next to each other.
func (l *lattice) gapColour(m *raster) (gap [3]float64, ok bool) {
	var all samples
	sample := func(x, y float64) {
		if i, j := int(x), int(y); i >= 0 && j >= 0 && i < m.w && j < m.h {
			all.add(m, i, j)
		}
	}
	for key := range l.found {
		x, y := l.x+float64(key[0])*l.pitchX, l.y+float64(key[1])*l.pitchY
		if _, next := l.found[[2]int{key[0] + 1, key[1]}]; next {
			sample(x+l.pitchX/2, y)
		}
		if _, next := l.found[[2]int{key[0], key[1] + 1}]; next {
			sample(x, y+l.pitchY/2)
		}
	}
	if len(all[0]) == 0 {
		return gap, false
	}
	return all.median(), true
}

// like reports whether a pixel has about a colour. Beyond the picture none has.
func (l *lattice) like(m *raster, x, y float64, colour [3]float64) bool {
	i, j := int(x), int(y)
	if x < 0 || y < 0 || i >= m.w || j >= m.h {
		return false
	}
	for c, v := range colour {
		if math.Abs(float64(m.pix[3*(j*m.w+i)+c])-v) > gapTolerance {
			return false
		}
	}
	return true
}

// reach returns how many further rows or columns of the grid's colour there are in a direction. It
// follows the middle line of each row or column, and takes the median.
func (l *lattice) reach(m *raster, ground [3]float64, dx, dy int) int {
	var lengths []float64
	from, to := l.y0, l.y1
	if dy != 0 {
		from, to = l.x0, l.x1
	}
	for i := from; i <= to; i++ {
		x, y, pitch, size := l.x, l.y+float64(i)*l.pitchY, l.pitchX, l.w
		if dy != 0 {
			x, y, pitch, size = l.x+float64(i)*l.pitchX, l.y, l.pitchY, l.h
		}
		switch {
		case dx < 0:
			x += float64(l.x0) * l.pitchX
		case dx > 0:
			x += float64(l.x1) * l.pitchX
		case dy < 0:
			y += float64(l.y0) * l.pitchY
		case dy > 0:
			y += float64(l.y1) * l.pitchY
		}
		x, y = x+float64(dx)*(size/2+2), y+float64(dy)*(size/2+2)
		begin := 0.0 // tiles may have a shadow
		for begin < pitch-size && !l.like(m, x+float64(dx)*begin, y+float64(dy)*begin, ground) {
			begin++
		}
		n := begin
		for n < board.MaxSide*pitch && l.like(m, x+float64(dx)*n, y+float64(dy)*n, ground) {
			n++
		}
		if n > begin {
			lengths = append(lengths, (n+2-(pitch-size))/pitch)
		}
	}
	if len(lengths) == 0 {
		return 0
	}
	return max(0, int(math.Round(median(lengths)-0.2)))
}

// doubt returns why the grid may be another one than on the picture, or "".
func (l *lattice) doubt(m *raster, all []box) string {
	rows, cols := l.y1-l.y0+1, l.x1-l.x0+1
	switch {
	case rows != cols:
		return fmt.Sprintf("%d rows and %d columns were found, and few boards are not square", rows, cols)
	case l.open:
		return "empty cells look like the page, so that the size is not certain"
	case 2*len(l.found) < rows*cols && l.hidden || 4*len(l.found) < 3*rows*cols && !l.hidden:
		return fmt.Sprintf("only %d of %d cells were seen", len(l.found), rows*cols)
	case rows != 4 && !l.closed(m):
		return "the picture ends at the cells, so that some may be cut off"
	case l.cut(m, all):
		return "cells at the edge of the picture are cut off"
	}
	return ""
}

// closed reports whether no further cells can lie beyond the picture: on each side there is room for
// them, or the grid's colour ends. It follows the lines between the cells, where the grid's colour
// would continue to a cell that is cut off.
func (l *lattice) closed(m *raster) bool {
	gap, ok := l.gapColour(m)
	if !ok {
		return false
	}
	g := l.grid()
	right, bottom := g.x+float64(g.cols-1)*g.pitchX+g.w, g.y+float64(g.rows-1)*g.pitchY+g.h
	side := func(x, y, dx, dy, room, pitch float64, n int) bool {
		if room > pitch {
			return true
		}
		ends := 0
		for i := range n - 1 {
			px, py := x, y
			if dx != 0 {
				py += float64(i) * g.pitchY
			} else {
				px += float64(i) * g.pitchX
			}
			for d := 1.0; d < room-1; d++ {
				if !l.like(m, px+dx*d, py+dy*d, gap) {
					ends++
					break
				}
			}
		}
		return 2*ends > n-1
	}
	if room := []float64{g.x, g.y, float64(m.w) - right, float64(m.h) - bottom}; slices.Max(room)-slices.Min(room) < 2+0.3*(g.pitchX-g.w) {
		return true // cut to the board by purpose
	}
	middleX, middleY := g.x+(g.w+g.pitchX)/2, g.y+(g.h+g.pitchY)/2
	return side(g.x, middleY, -1, 0, g.x, g.pitchX, g.rows) &&
		side(right, middleY, 1, 0, float64(m.w)-right, g.pitchX, g.rows) &&
		side(middleX, g.y, 0, -1, g.y, g.pitchY, g.cols) &&
		side(middleX, bottom, 0, 1, float64(m.h)-bottom, g.pitchY, g.cols)
}

// cut reports whether parts of further cells lie at the edge of the picture.
func (l *lattice) cut(m *raster, all []box) bool {
	parts := map[[3]int]bool{}
	near := func(a, b, pitch float64) bool { return math.Abs(a-b) < 0.08*pitch }
	for _, b := range all {
		x, y := centre(&b)
		col, row := math.Round((x-l.x)/l.pitchX), math.Round((y-l.y)/l.pitchY)
		inCols := near(float64(b.x0), l.x+col*l.pitchX-l.w/2, l.pitchX) && near(float64(b.x1), l.x+col*l.pitchX+l.w/2, l.pitchX) && int(col) >= l.x0 && int(col) <= l.x1
		inRows := near(float64(b.y0), l.y+row*l.pitchY-l.h/2, l.pitchY) && near(float64(b.y1), l.y+row*l.pitchY+l.h/2, l.pitchY) && int(row) >= l.y0 && int(row) <= l.y1
		leftEdge, rightEdge := l.x+float64(l.x0)*l.pitchX-l.w/2, l.x+float64(l.x1)*l.pitchX+l.w/2
		topEdge, bottomEdge := l.y+float64(l.y0)*l.pitchY-l.h/2, l.y+float64(l.y1)*l.pitchY+l.h/2
		switch {
		case inRows && b.x0 == 0 && float64(b.x1) < leftEdge && near(float64(b.x1), leftEdge-l.pitchX+l.w, l.pitchX):
			parts[[3]int{0, int(row)}] = true
		case inRows && b.x1 >= m.w-1 && near(float64(b.x0), rightEdge+l.pitchX-l.w, l.pitchX):
			parts[[3]int{1, int(row)}] = true
		case inCols && b.y0 == 0 && near(float64(b.y1), topEdge-l.pitchY+l.h, l.pitchY):
			parts[[3]int{2, int(col)}] = true
		case inCols && b.y1 >= m.h-1 && near(float64(b.y0), bottomEdge+l.pitchY-l.h, l.pitchY):
			parts[[3]int{3, int(col)}] = true
		}
	}
	return len(parts) > 1
}
