package picture

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"sync"
)

// maxExponent is the exponent of the largest tile that can be read.
const maxExponent = 20

const impossible = 9 // cost of an impossible reading

// piece is a run of columns that holds a digit or a part of one.
type piece struct {
	x0, x1 int
	joined bool // ink connects this piece with the next one
}

const (
	emptyColumn = 0.25 // a column in which every pixel has less ink than this separates digits
	narrow      = 0.6  // minimum width of a run of ink that may hold two digits, as a share of its height
	widest      = 1.15 // maximum width of a digit, as a share of its height
	cutCost     = 0.02 // cost of a cut through ink
	maxCuts     = 6    // maximum number of cuts through one run of ink
)

// pieces cuts the ink at empty columns, and at the thinnest places of wide runs of ink.
func (k *ink) pieces() (all []piece) {
	sums, maximum := make([]float64, k.w), make([]float32, k.w)
	for i, a := range k.a {
		sums[i%k.w] += float64(a)
		maximum[i%k.w] = max(maximum[i%k.w], a)
	}
	for x := 0; x < k.w; x++ {
		if maximum[x] < emptyColumn {
			continue
		}
		from := x
		for x < k.w && maximum[x] >= emptyColumn {
			x++
		}
		at := from
		for _, c := range valleys(sums[from:x], float64(k.h)) {
			all = append(all, piece{at, from + c, true})
			at = from + c
		}
		all = append(all, piece{at, x, false})
	}
	return all
}

// valleys returns the columns at which a run of ink may be cut into digits, from left to right.
func valleys(sums []float64, height float64) []int {
	if float64(len(sums)) < narrow*height {
		return nil
	}
	minimum := max(1, int(0.12*height))
	var cuts []int
	for len(cuts) < maxCuts {
		best := -1
		for x := minimum; x <= len(sums)-minimum; x++ {
			free := !slices.ContainsFunc(cuts, func(c int) bool { return x-c < minimum && c-x < minimum })
			local := sums[x] <= sums[x-1] && (x+1 >= len(sums) || sums[x] <= sums[x+1])
			if free && local && (best < 0 || sums[x] < sums[best]) {
				best = x
			}
		}
		if best < 0 {
			break
		}
		cuts = append(cuts, best)
	}
	slices.Sort(cuts)
	return cuts
}

// compare returns, for each exponent, the cost of reading the ink as the number of that tile: the mean
// cost of the digits with the best cuts. Index 0 holds the lowest cost of any sequence of 1 to 7 digits.
func compare(k *ink) []float64 {
	pieces := k.pieces()
	costs := make([]float64, maxExponent+1)
	for e := range costs {
		costs[e] = impossible
	}
	const maxPieces = 24
	if len(pieces) == 0 || len(pieces) > maxPieces {
		return costs
	}
	segments := newSegments(k, pieces)
	for e := 1; e <= maxExponent; e++ {
		costs[e] = segments.number(strconv.Itoa(1 << e))
	}
	for n := 1; n <= 7; n++ {
		costs[0] = min(costs[0], segments.number("???????"[:n]))
	}
	return costs
}

// segments holds the runs of pieces that may be one digit, with the cost of each digit.
type segments struct {
	n int
	// cost[[2]int{i, j}] holds the cost of reading pieces[i:j] as each of the ten digits.
	cost map[[2]int][10]float64
}

func newSegments(k *ink, pieces []piece) *segments {
	s := &segments{len(pieces), map[[2]int][10]float64{}}
	height := 0.0
	if f, ok := k.bounds(0, k.w); ok {
		height = f.y1 - f.y0
	}
	for i := range pieces {
		cuts := 0.0
		if i > 0 && pieces[i-1].joined {
			cuts = cutCost
		}
		for j := i + 1; j <= len(pieces); j++ {
			if j > i+1 && !pieces[j-2].joined && float64(pieces[j-1].x0-pieces[j-2].x1) > 0.08*height {
				break
			}
			x0, x1 := pieces[i].x0, pieces[j-1].x1
			if float64(x1-x0) > widest*height+1 {
				break
			}
			g, tall, ok := k.raw(x0, x1)
			if !ok {
				continue
			}
			g.normalize()
			cost := g.digitCosts()
			for d := range cost {
				cost[d] += cuts
				if short := 0.9 - tall/height; short > 0 {
					cost[d] += 3 * short
				}
			}
			s.cost[[2]int{i, j}] = cost
		}
	}
	return s
}

// number returns the lowest mean cost of reading all pieces together as the digits in text. A question
// mark stands for any digit.
func (s *segments) number(text string) float64 {
	best := make([]float64, s.n+1) // lowest cost of the digits so far, by the number of pieces used
	for i := range best {
		best[i] = math.Inf(1)
	}
	best[0] = 0
	for _, d := range text {
		next := make([]float64, s.n+1)
		for j := range next {
			next[j] = math.Inf(1)
			for i := range j {
				c, ok := s.cost[[2]int{i, j}]
				switch {
				case ok && d == '?':
					next[j] = min(next[j], best[i]+slices.Min(c[:]))
				case ok:
					next[j] = min(next[j], best[i]+c[d-'0'])
				}
			}
		}
		best = next
	}
	return min(impossible, best[s.n]/float64(len(text)))
}

const (
	glyphW, glyphH = 12, 18
	glyphSize      = glyphW * glyphH
)

// glyph is a digit's shape in glyphW x glyphH squares over its bounding box, with mean 0 and
// length 1, and the logarithm of the box's width over its height.
type glyph struct {
	v     [glyphSize]float32
	shape float64
}

// template is a glyph of a digit in some font.
type template struct {
	digit int
	glyph
}

// digitFile holds the templates. Each consists of one byte for its digit, one for its shape and one
// for each square. TestDigits generates it from fonts.
//
//go:embed digits.bin
var digitFile []byte

const templateSize = 2 + glyphSize

// templates decodes digitFile once.
var templates = sync.OnceValue(func() []template {
	all := make([]template, len(digitFile)/templateSize)
	for i := range all {
		b := digitFile[i*templateSize:]
		t := &all[i]
		t.digit, t.shape = int(b[0]), shapeOf(b[1])
		for j := range t.v {
			t.v[j] = float32(b[2+j])
		}
		t.normalize()
	}
	return all
})

// shapeOf decodes the shape of a template: the logarithm of width over height, from -2.08 in steps of 1/64.
func shapeOf(b byte) float64 { return float64(b)/64 - 2.08 }

// normalize blurs the glyph, and scales it so that the dot product of two glyphs is their correlation.
func (g *glyph) normalize() {
	var blurred [glyphSize]float32
	for y := range glyphH {
		for x := range glyphW {
			var sum, n float32
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if i, j := x+dx, y+dy; i >= 0 && j >= 0 && i < glyphW && j < glyphH {
						f := float32((2 - dx*dx) * (2 - dy*dy))
						sum += f * g.v[j*glyphW+i]
						n += f
					}
				}
			}
			blurred[y*glyphW+x] = sum / n
		}
	}
	g.v = blurred
	unit(g.v[:])
}

// unit shifts and scales a vector to mean 0 and length 1.
func unit(v []float32) {
	var mean, length float64
	for _, a := range v {
		mean += float64(a)
	}
	mean /= float64(len(v))
	for _, a := range v {
		length += (float64(a) - mean) * (float64(a) - mean)
	}
	length = max(1e-9, math.Sqrt(length))
	for i, a := range v {
		v[i] = float32((float64(a) - mean) / length)
	}
}

func dot(a, b []float32) float64 {
	var sum float32
	for i, v := range a {
		sum += v * b[i]
	}
	return float64(sum)
}

// shapeWeight is the weight of the squared difference of shapes, relative to 1 minus the correlation.
const shapeWeight = 0.35

// digitCosts returns the cost of reading a glyph as each digit. It is 0 if the glyph equals a template, and at most 2.
func (g *glyph) digitCosts() (cost [10]float64) {
	for d := range cost {
		cost[d] = 2
	}
	for i := range templates() {
		t := &templates()[i]
		d := g.shape - t.shape
		if c := shapeWeight * d * d; c < cost[t.digit] {
			cost[t.digit] = min(cost[t.digit], c+1-dot(g.v[:], t.v[:]))
		}
	}
	return cost
}

// bounds returns the bounding box of the ink in columns x0 to x1. Half-covered pixels at its edges count
// half. It returns false if there is no ink.
func (k *ink) bounds(x0, x1 int) (rect, bool) {
	const threshold = 0.25
	cols, rows := make([]float32, x1-x0), make([]float32, k.h)
	for y := range k.h {
		for x := x0; x < x1; x++ {
			a := k.a[y*k.w+x]
			cols[x-x0], rows[y] = max(cols[x-x0], a), max(rows[y], a)
		}
	}
	edges := func(v []float32) (from, to float64, ok bool) {
		i, j := 0, len(v)-1
		for i <= j && v[i] < threshold {
			i++
		}
		for j >= i && v[j] < threshold {
			j--
		}
		if i > j {
			return 0, 0, false
		}
		return float64(i) + 1 - float64(min(1, v[i])), float64(j) + float64(min(1, v[j])), true
	}
	left, right, ok := edges(cols)
	top, bottom, _ := edges(rows)
	f := rect{left + float64(x0), top, right + float64(x0), bottom}
	return f, ok && f.x1-f.x0 > 0.5 && f.y1-f.y0 > 1
}

// sample divides box f into w x h equal parts and stores the mean ink of each part in into, which
// must contain zeros. Outside columns x0 to x1 there is no ink.
func (k *ink) sample(f rect, x0, x1, w, h int, into []float32) {
	const sub = 3
	sx, sy := (f.x1-f.x0)/float64(w*sub), (f.y1-f.y0)/float64(h*sub)
	for j := range h * sub {
		y := f.y0 + (float64(j)+0.5)*sy - 0.5
		for i := range w * sub {
			x := f.x0 + (float64(i)+0.5)*sx - 0.5
			into[j/sub*w+i/sub] += k.between(x, y, x0, x1) / (sub * sub)
		}
	}
}

// between interpolates the ink at a point. Outside columns x0 to x1 there is no ink.
func (k *ink) between(x, y float64, x0, x1 int) float32 {
	i, j := int(math.Floor(x)), int(math.Floor(y))
	u, v := float32(x-float64(i)), float32(y-float64(j))
	at := func(i, j int) float32 {
		if i < x0 || i >= x1 || j < 0 || j >= k.h {
			return 0
		}
		return k.a[j*k.w+i]
	}
	return (1-v)*((1-u)*at(i, j)+u*at(i+1, j)) + v*((1-u)*at(i, j+1)+u*at(i+1, j+1))
}

// raw returns the glyph in columns x0 to x1 before it is normalized, and its height.
func (k *ink) raw(x0, x1 int) (g glyph, height float64, ok bool) {
	f, ok := k.bounds(x0, x1)
	if !ok {
		return g, 0, false
	}
	g.shape = math.Log((f.x1 - f.x0) / (f.y1 - f.y0))
	k.sample(f, x0, x1, glyphW, glyphH, g.v[:])
	return g, f.y1 - f.y0, true
}
