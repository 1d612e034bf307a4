package picture

import (
	"math"
	"slices"
)

// tile holds what was recognized in a cell.
type tile struct {
	fill  [3]float64
	empty bool
	faint bool      // the content has a low contrast, is not centred, or the cell is too small
	ink   *ink      // the number; nil if none was found
	costs []float64 // for each exponent, the cost of reading the number as this tile, computed by compare
}

// ink holds, for each pixel, the share of the pixel that the ink of a number covers, from 0 to 1.
type ink struct {
	w, h int
	a    []float32
}

func newInk(w, h int) *ink { return &ink{w, h, make([]float32, w*h)} }

const (
	inset     = 0.07 // share of a cell's side that is cut off at each edge, for borders and round corners
	patchSide = 112  // cells are reduced to about this size in pixels
	noInk     = 24   // maximum distance of a colour from the fill in an empty cell
	littleInk = 40   // minimum distance between the colour of a number and the fill, for the number to count as certain
	inkPart   = 0.4  // minimum coverage of a pixel that belongs to a digit
	maxInked  = 0.5  // maximum share of a cell's pixels that belong to a number
	aside     = 0.13 // maximum horizontal offset of a number from the middle of its cell, as a share of the cell
	above     = 0.2  // the same for the vertical offset
	minShown  = 0.12 // minimum height of a number as a share of its cell
)

// readTile separates a cell's number from its fill.
func readTile(m *raster, r rect) tile {
	p := cut(m, r)
	if p.w < 8 || p.h < 8 {
		return tile{faint: true}
	}
	fill := corners(p)
	t := tile{}
	for _, f := range fill {
		for c := range f {
			t.fill[c] += f[c] / 4
		}
	}
	k, strength := separate(p, fill)
	if strength < noInk {
		t.empty = true
		return t
	}
	n := numberOf(k)
	if n == nil {
		return t
	}
	t.ink = newInk(n.size(0), n.size(1))
	for y := range t.ink.h {
		copy(t.ink.a[y*t.ink.w:(y+1)*t.ink.w], k.a[(n.from[1]+y)*k.w+n.from[0]:])
	}
	w, h := float64(k.w), float64(k.h)
	off := math.Abs(n.centre(0)-w/2)/w > aside || math.Abs(n.centre(1)-h/2)/h > above
	t.faint = strength < littleInk || off
	return t
}

// cut returns the inner part of a cell, reduced to about patchSide.
func cut(m *raster, r rect) *raster {
	dx, dy := inset*(r.x1-r.x0), inset*(r.y1-r.y0)
	x0, y0 := max(0, int(math.Ceil(r.x0+dx))), max(0, int(math.Ceil(r.y0+dy)))
	x1, y1 := min(m.w, int(r.x1-dx)), min(m.h, int(r.y1-dy))
	if x1 <= x0 || y1 <= y0 {
		return newRaster(0, 0)
	}
	return m.shrunk(x0, y0, x1, y1, max(1, (x1-x0+patchSide/2)/patchSide))
}

// corners returns the fill near the four corners, where there is no number: top left, top right, bottom
// left, bottom right. The four colours differ if the fill has a gradient or other tiles glow.
func corners(p *raster) (fill [4][3]float64) {
	const from, to = 0.09, 0.2
	for i := range fill {
		x0, x1 := int(from*float64(p.w)), int(to*float64(p.w))+1
		y0, y1 := int(from*float64(p.h)), int(to*float64(p.h))+1
		if i&1 != 0 {
			x0, x1 = p.w-x1, p.w-x0
		}
		if i&2 != 0 {
			y0, y1 = p.h-y1, p.h-y0
		}
		var all samples
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				all.add(p, x, y)
			}
		}
		fill[i] = all.median()
	}
	return fill
}

// separate returns the coverage of each pixel by the ink's colour, and the distance of that colour from
// the fill.
func separate(p *raster, fill [4][3]float64) (*ink, float64) {
	diff := make([][3]float64, p.w*p.h)
	far := make([]float64, p.w*p.h)
	for y := range p.h {
		v := min(1, max(0, (float64(y)/float64(p.h)-0.145)/0.71))
		for x := range p.w {
			u := min(1, max(0, (float64(x)/float64(p.w)-0.145)/0.71))
			i, sum := y*p.w+x, 0.0
			for c := range 3 {
				bg := (1-v)*((1-u)*fill[0][c]+u*fill[1][c]) + v*((1-u)*fill[2][c]+u*fill[3][c])
				d := float64(p.pix[3*i+c]) - bg
				diff[i][c] = d
				sum += d * d
			}
			far[i] = math.Sqrt(sum)
		}
	}
	sorted := slices.Clone(far)
	slices.Sort(sorted)
	strength := sorted[len(sorted)-1-len(sorted)/200]
	var ink [3]float64
	n := 0.0
	for i, d := range diff {
		if far[i] >= 0.75*strength {
			for c := range ink {
				ink[c] += d[c]
			}
			n++
		}
	}
	length := 0.0
	for c := range ink {
		ink[c] /= n
		length += ink[c] * ink[c]
	}
	out := newInk(p.w, p.h)
	if length == 0 {
		return out, 0
	}
	for i, d := range diff {
		out.a[i] = float32(min(1, max(0, (d[0]*ink[0]+d[1]*ink[1]+d[2]*ink[2])/length)))
	}
	return out, strength
}

// numberOf returns the box of the number: one line of connected parts of about the same height. It
// returns nil if no part can be a number.
func numberOf(k *ink) *box {
	var parts []box // 8-connected regions of ink
	seen := make([]bool, len(k.a))
	inked := func(at int) bool { return k.a[at] >= inkPart }
	for start := range k.a {
		if !seen[start] && inked(start) {
			parts = append(parts, flood(k.w, k.h, start, around[:], seen, func(int) {}, inked))
		}
	}
	var t *box // the tallest part
	for i := range parts {
		p := &parts[i]
		border := p.size(0) == k.w || p.size(1) == k.h
		if !border && (t == nil || p.size(1) > t.size(1)) {
			t = p
		}
	}
	if t == nil {
		return nil
	}
	height := t.size(1)
	if float64(height) < minShown*float64(k.h) || height < 4 {
		return nil
	}
	band := box{from: t.from, to: t.to}
	for _, p := range parts {
		middle := (p.from[1] + p.to[1]) / 2
		if 4*p.size(1) >= 3*height && middle >= t.from[1] && middle < t.to[1] {
			for a := range band.from {
				band.from[a], band.to[a] = min(band.from[a], p.from[a]), max(band.to[a], p.to[a])
			}
			band.area += p.area
		}
	}
	if float64(band.area) > maxInked*float64(k.w*k.h) {
		return nil
	}
	// Half-covered pixels around the box belong to the number.
	band.from = [2]int{max(0, band.from[0]-1), max(0, band.from[1]-1)}
	band.to = [2]int{min(k.w, band.to[0]+1), min(k.h, band.to[1]+1)}
	return &band
}
