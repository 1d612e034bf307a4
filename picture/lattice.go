package picture

import (
	"cmp"
	"math"
	"slices"

	"afterstate/board"
)

// grid is a lattice of cells, in pixels of the picture.
type grid struct {
	rows, cols     int
	x, y           float64 // left and top of the first cell
	pitchX, pitchY float64
	w, h           float64 // of a cell
	doubt          string  // why it may be another grid
}

// rect is the place of a cell.
type rect struct{ x0, y0, x1, y1 float64 }

func (g *grid) cell(row, col int) rect {
	x, y := g.x+float64(col)*g.pitchX, g.y+float64(row)*g.pitchY
	return rect{x, y, x + g.w, y + g.h}
}

// gap is the share of the distance of two cells that is taken to lie between them in a frame.
const gap = 0.12

// framed returns the grid of a board whose cells fill a frame, with half a gap around them.
func framed(size board.Size, x, y, w, h float64) *grid {
	px, py := w/float64(size.Cols), h/float64(size.Rows)
	return &grid{rows: size.Rows, cols: size.Cols, x: x + gap/2*px, y: y + gap/2*py, pitchX: px, pitchY: py, w: (1 - gap) * px, h: (1 - gap) * py}
}

// frame is the part of a picture that the grid fills, with half a gap around it.
func (g *grid) frame(w, h float64) Frame {
	return Frame{
		Left: (g.x - (g.pitchX-g.w)/2) / w, Top: (g.y - (g.pitchY-g.h)/2) / h,
		Width: float64(g.cols) * g.pitchX / w, Height: float64(g.rows) * g.pitchY / h,
	}
}

const (
	detectPixels = 1_600_000 // limit of the size in which a grid is searched
	smallestCell = 14        // in pixels
	maxBoxes     = 500
	minFound     = 4 // cells that must be seen
)

// tolerances of regions: small ones part pale cells from a pale grid, large ones hold tiles
// together that lie in the glow of others.
var tolerances = []float64{7, 13, 22}

// findGrid looks for a board.
func findGrid(m *raster) (*grid, bool) {
	small, scale := m, 1.0
	for small.w*small.h > detectPixels {
		small, scale = small.halved(), 2*scale
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
	g := l.grid()
	if g.rows < 3 || g.cols < 3 {
		return nil, false
	}
	g.doubt = l.doubt(small, all)
	// Pixels of the reduced picture are averages: their edges scale.
	g.x, g.y, g.w, g.h = g.x*scale, g.y*scale, g.w*scale, g.h*scale
	g.pitchX, g.pitchY = g.pitchX*scale, g.pitchY*scale
	return g, true
}

// squares returns the regions that may be cells.
func squares(m *raster, all []box) []box {
	var some []box
	for _, b := range all {
		w, h := b.w(), b.h()
		if w < smallestCell || h < smallestCell || 2*w > m.w || 2*h > m.h {
			continue
		}
		if ratio := float64(w) / float64(h); ratio < 0.75 || ratio > 1.33 || float64(b.area) < 0.45*float64(w*h) {
			continue
		}
		some = append(some, b)
	}
	if len(some) > maxBoxes {
		slices.SortStableFunc(some, func(a, b box) int { return cmp.Compare(b.w()*b.h(), a.w()*a.h()) })
		some = some[:maxBoxes]
	}
	return some
}

// lattice is a set of equal boxes at regular distances.
type lattice struct {
	pitchX, pitchY float64
	w, h           float64
	x, y           float64        // centre of cell 0, 0
	found          map[[2]int]box // by column and row
	x0, y0, x1, y1 int            // the cells, inclusive
	hidden         bool           // empty cells look like the grid
	open           bool           // nothing shows where the grid ends
}

// bestLattice returns the lattice with the most and largest cells, nil when no boxes form one.
func bestLattice(boxes []box) *lattice {
	var best *lattice
	score := 0.0
	for _, anchor := range boxes {
		l := latticeOf(anchor, boxes)
		if l == nil {
			continue
		}
		if s := float64(len(l.found)*len(l.found)) * (l.w + l.h); s > score {
			best, score = l, s
		}
	}
	return best
}

func centre(b *box) (x, y float64) { return float64(b.x0+b.x1) / 2, float64(b.y0+b.y1) / 2 }

// latticeOf returns the lattice of the boxes that are as large as anchor, nil when they form none.
func latticeOf(anchor box, boxes []box) *lattice {
	w, h := float64(anchor.w()), float64(anchor.h())
	near := func(a, b float64) bool { return math.Abs(a-b) <= max(2, 0.12*b) }
	var same []box
	for _, b := range boxes {
		if near(float64(b.w()), w) && near(float64(b.h()), h) {
			same = append(same, b)
		}
	}
	if len(same) < minFound {
		return nil
	}
	l := &lattice{w: w, h: h, found: map[[2]int]box{}}
	l.x, l.y = centre(&anchor)
	if !l.measure(same) {
		return nil
	}
	at := map[[2]int]box{}
	for _, b := range same {
		x, y := centre(&b)
		col, row := (x-l.x)/l.pitchX, (y-l.y)/l.pitchY
		c, r := math.Round(col), math.Round(row)
		if math.Abs(col-c) > 0.1 || math.Abs(row-r) > 0.1 || math.Abs(c) >= board.MaxSide || math.Abs(r) >= board.MaxSide {
			continue
		}
		key := [2]int{int(c), int(r)}
		if old, ok := at[key]; !ok || b.area > old.area {
			at[key] = b
		}
	}
	l.gather(at)
	if len(l.found) < minFound || l.x1-l.x0 >= board.MaxSide || l.y1-l.y0 >= board.MaxSide || !l.refine() {
		return nil
	}
	return l
}

// measure sets the pitch from boxes that are next to each other.
func (l *lattice) measure(same []box) bool {
	var dx, dy []float64
	for i := range same {
		for j := range same[:i] {
			xi, yi := centre(&same[i])
			xj, yj := centre(&same[j])
			x, y := math.Abs(xi-xj), math.Abs(yi-yj)
			if y <= 0.1*l.h && x > l.w && x < 1.6*l.w {
				dx = append(dx, x)
			}
			if x <= 0.1*l.w && y > l.h && y < 1.6*l.h {
				dy = append(dy, y)
			}
		}
	}
	switch {
	case len(dx) == 0 && len(dy) == 0:
		return false
	case len(dx) == 0:
		dx = []float64{median(dy) - l.h + l.w}
	case len(dy) == 0:
		dy = []float64{median(dx) - l.w + l.h}
	}
	l.pitchX, l.pitchY = median(dx), median(dy)
	return true
}

// gather keeps the boxes that can be reached from the anchor, over at most one missing cell.
func (l *lattice) gather(at map[[2]int]box) {
	todo := [][2]int{{0, 0}}
	l.found[todo[0]] = at[todo[0]]
	for len(todo) > 0 {
		from := todo[0]
		todo = todo[1:]
		l.x0, l.x1 = min(l.x0, from[0]), max(l.x1, from[0])
		l.y0, l.y1 = min(l.y0, from[1]), max(l.y1, from[1])
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

// refine fits pitch, origin and size to all boxes.
func (l *lattice) refine() bool {
	var cols, xs, rows, ys, ws, hs []float64
	for key, b := range l.found {
		x, y := centre(&b)
		cols, xs = append(cols, float64(key[0])), append(xs, x)
		rows, ys = append(rows, float64(key[1])), append(ys, y)
		ws, hs = append(ws, float64(b.w())), append(hs, float64(b.h()))
	}
	if l.x1 > l.x0 {
		l.x, l.pitchX = line(cols, xs)
	}
	if l.y1 > l.y0 {
		l.y, l.pitchY = line(rows, ys)
	}
	l.w, l.h = median(ws), median(hs)
	return l.pitchX > l.w && l.pitchY > l.h
}

// line fits y = a + b x by least squares. The x are not all the same.
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

// median sorts its argument.
func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// grid returns the lattice as a grid.
func (l *lattice) grid() *grid {
	return &grid{
		rows: l.y1 - l.y0 + 1, cols: l.x1 - l.x0 + 1,
		x: l.x + float64(l.x0)*l.pitchX - l.w/2, y: l.y + float64(l.y0)*l.pitchY - l.h/2,
		pitchX: l.pitchX, pitchY: l.pitchY, w: l.w, h: l.h,
	}
}
