package picture

import (
	"cmp"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// axis describes where the cells of a grid are in one direction, in pixels of the picture.
type axis struct {
	origin      float64 // middle of cell 0
	pitch       float64 // distance between the middles of adjacent cells
	size        float64 // size of a cell
	first, last int     // indices of the first and the last cell
}

func (a *axis) cells() int { return a.last - a.first + 1 }

func (a *axis) middle(cell int) float64 { return a.origin + float64(cell)*a.pitch }

// start and end return the outer edges of the first and of the last cell.
func (a *axis) start() float64 { return a.middle(a.first) - a.size/2 }

func (a *axis) end() float64 { return a.middle(a.last) + a.size/2 }

// grid describes where the cells of a board are. Axis 0 is for the columns, axis 1 for the rows.
type grid struct {
	axes  [2]axis
	doubt string // why the grid may be wrong
}

func (g *grid) board() board.Size {
	return board.Size{Rows: g.axes[1].cells(), Cols: g.axes[0].cells()}
}

// rect is a rectangle in pixels. Its edges may lie within pixels.
type rect struct{ x0, y0, x1, y1 float64 }

func (g *grid) cell(row, col int) rect {
	x, y := &g.axes[0], &g.axes[1]
	left, top := x.start()+float64(col)*x.pitch, y.start()+float64(row)*y.pitch
	return rect{left, top, left + x.size, top + y.size}
}

// gap is the assumed width of the gap between the cells of a frame, as a share of their pitch.
const gap = 0.12

// framed returns the grid of a board whose cells, with half a gap around them, fill the frame f of a picture.
func framed(size board.Size, f Frame, m *raster) *grid {
	fill := func(cells int, from, length float64) axis {
		pitch := length / float64(cells)
		return axis{origin: from + pitch/2, pitch: pitch, size: (1 - gap) * pitch, last: cells - 1}
	}
	w, h := float64(m.w), float64(m.h)
	return &grid{axes: [2]axis{fill(size.Cols, f.Left*w, f.Width*w), fill(size.Rows, f.Top*h, f.Height*h)}}
}

// frame returns the part of a picture that the grid fills, including half a gap around it.
func (g *grid) frame(m *raster) Frame {
	x, y, w, h := &g.axes[0], &g.axes[1], float64(m.w), float64(m.h)
	return Frame{
		Left: (x.middle(x.first) - x.pitch/2) / w, Top: (y.middle(y.first) - y.pitch/2) / h,
		Width: float64(x.cells()) * x.pitch / w, Height: float64(y.cells()) * y.pitch / h,
	}
}

const (
	detectPixels = 1_600_000 // maximum number of pixels of the picture in which a grid is searched
	smallestCell = 14        // minimum side of a cell in pixels
	maxBoxes     = 500
	minFound     = 4 // minimum number of cells that must be found
)

// tolerances lists the colour tolerances for the search of regions. Small tolerances separate pale cells from
// a pale grid; large ones keep a tile in one region if other tiles glow onto it.
var tolerances = []float64{7, 13, 22}

// findGrid searches a picture for the grid of a board.
func findGrid(m *raster) (*grid, bool) {
	small, scale := m, 1.0
	for small.w*small.h > detectPixels {
		small, scale = small.shrunk(0, 0, small.w, small.h, 2), 2*scale
	}
	var all []box
	for _, t := range tolerances {
		all = append(all, regions(small, t, smallestCell*smallestCell/2)...)
	}
	l := bestLattice(squares(small, all))
	if l == nil {
		return nil, false
	}
	l.extend(small)
	if size := l.board(); size.Rows < 3 || size.Cols < 3 {
		return nil, false
	}
	l.doubt = l.doubts(small, all)
	for a := range l.axes { // scale the coordinates back to the full picture
		at := &l.axes[a]
		at.origin, at.pitch, at.size = at.origin*scale, at.pitch*scale, at.size*scale
	}
	return &l.grid, true
}

// squares returns the regions that may be cells.
func squares(m *raster, all []box) (cells []box) {
	for _, b := range all {
		w, h := b.size(0), b.size(1)
		if w < smallestCell || h < smallestCell || 2*w > m.w || 2*h > m.h {
			continue
		}
		if ratio := float64(w) / float64(h); ratio < 0.75 || ratio > 1.33 || float64(b.area) < 0.45*float64(w*h) {
			continue
		}
		cells = append(cells, b)
	}
	if len(cells) > maxBoxes {
		slices.SortStableFunc(cells, func(a, b box) int { return cmp.Compare(b.size(0)*b.size(1), a.size(0)*a.size(1)) })
		cells = cells[:maxBoxes]
	}
	return cells
}

// lattice is a grid that was found, with its boxes of equal size at regular distances.
type lattice struct {
	grid
	found  map[[2]int]box // by column and row
	hidden bool           // empty cells have the colour of the grid
	open   bool           // the edge of the grid cannot be seen
}

// bestLattice returns the lattice with the most and largest cells, or nil if no boxes form a lattice.
func bestLattice(boxes []box) (best *lattice) {
	score := 0.0
	for _, anchor := range boxes {
		l := latticeOf(anchor, boxes)
		if l == nil {
			continue
		}
		if s := float64(len(l.found)*len(l.found)) * (l.axes[0].size + l.axes[1].size); s > score {
			best, score = l, s
		}
	}
	return best
}

// latticeOf returns the lattice of the boxes that are about as large as anchor, or nil if they form no lattice.
func latticeOf(anchor box, boxes []box) *lattice {
	near := func(a, b int) bool { return math.Abs(float64(a-b)) <= max(2, 0.12*float64(b)) }
	var similar []box
	for _, b := range boxes {
		if near(b.size(0), anchor.size(0)) && near(b.size(1), anchor.size(1)) {
			similar = append(similar, b)
		}
	}
	if len(similar) < minFound {
		return nil
	}
	l := &lattice{found: map[[2]int]box{}}
	for a := range l.axes {
		l.axes[a].origin, l.axes[a].size = anchor.centre(a), float64(anchor.size(a))
	}
	if !l.measure(similar) {
		return nil
	}
	at := map[[2]int]box{}
	for _, b := range similar {
		var key [2]int
		fits := true
		for a, l := range l.axes {
			place := (b.centre(a) - l.origin) / l.pitch
			cell := math.Round(place)
			fits = fits && math.Abs(place-cell) <= 0.1 && math.Abs(cell) < board.MaxSide
			key[a] = int(cell)
		}
		if old, ok := at[key]; fits && (!ok || b.area > old.area) {
			at[key] = b
		}
	}
	l.gather(at)
	if len(l.found) < minFound || l.tooLarge() || !l.refine() {
		return nil
	}
	return l
}

func (l *lattice) tooLarge() bool { return max(l.axes[0].cells(), l.axes[1].cells()) > board.MaxSide }

// measure sets the pitch from pairs of adjacent boxes. It returns false if there are none.
func (l *lattice) measure(same []box) bool {
	var steps [2][]float64
	for i := range same {
		for j := range same[:i] {
			for a, along := range l.axes {
				step, off := math.Abs(same[i].centre(a)-same[j].centre(a)), math.Abs(same[i].centre(1-a)-same[j].centre(1-a))
				if off <= 0.1*l.axes[1-a].size && step > along.size && step < 1.6*along.size {
					steps[a] = append(steps[a], step)
				}
			}
		}
	}
	for a := range l.axes {
		along, other := &l.axes[a], &l.axes[1-a]
		switch {
		case len(steps[a]) > 0:
			along.pitch = median(steps[a])
		case len(steps[1-a]) > 0:
			along.pitch = median(steps[1-a]) - other.size + along.size
		default:
			return false
		}
	}
	return true
}

// gather keeps the boxes that can be reached from the anchor in steps over at most one missing cell.
func (l *lattice) gather(at map[[2]int]box) {
	todo := [][2]int{{0, 0}}
	l.found[todo[0]] = at[todo[0]]
	for len(todo) > 0 {
		from := todo[0]
		todo = todo[1:]
		for a := range l.axes {
			l.axes[a].first, l.axes[a].last = min(l.axes[a].first, from[a]), max(l.axes[a].last, from[a])
		}
		for dx := -2; dx <= 2; dx++ {
			for dy := -2; dy <= 2; dy++ {
				to := [2]int{from[0] + dx, from[1] + dy}
				if b, ok := at[to]; ok {
					if _, known := l.found[to]; !known {
						l.found[to] = b
						todo = append(todo, to)
					}
				}
			}
		}
	}
}

// refine fits pitch, origin and size to all boxes. It returns false if the cells would overlap.
func (l *lattice) refine() bool {
	for a := range l.axes {
		var cells, centres, sizes []float64
		for key, b := range l.found {
			cells, centres, sizes = append(cells, float64(key[a])), append(centres, b.centre(a)), append(sizes, float64(b.size(a)))
		}
		along := &l.axes[a]
		if along.cells() > 1 {
			along.origin, along.pitch = line(cells, centres)
		}
		along.size = median(sizes)
		if along.pitch <= along.size {
			return false
		}
	}
	return true
}

// line fits y = a + b x by least squares. The values in x must not all be the same.
func line(x, y []float64) (a, b float64) {
	mx, my := mean(x), mean(y)
	var xx, xy float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	b = xy / xx
	return my - b*mx, b
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return sum / float64(len(all))
}

// median returns the median, or the upper of two middle values. It sorts its argument.
func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
