package picture

import (
	"math"
	"slices"
	"strconv"
)

// maxExponent is the largest tile that is looked for.
const maxExponent = 20

const never = 9 // the cost of what cannot be

// piece is a run of columns that holds a digit or a part of one.
type piece struct {
	x0, x1 int
	joined bool // with the next piece, by ink
}

const (
	emptyColumn = 0.25 // most ink of a column between digits
	narrow      = 0.6  // a digit's least width, of its height, that may hold two
	widest      = 1.15 // a digit's width, of its height
	cutCost     = 0.02 // of a cut through ink
	maxCuts     = 6    // through one run of ink
)

// pieces cuts the ink where columns are empty, and where runs of ink are thin.
func (k *ink) pieces() []piece {
	var all []piece
	sums, most := make([]float64, k.w), make([]float32, k.w)
	for i, a := range k.a {
		sums[i%k.w] += float64(a)
		most[i%k.w] = max(most[i%k.w], a)
	}
	for x := 0; x < k.w; x++ {
		if most[x] < emptyColumn {
			continue
		}
		from := x
		for x < k.w && most[x] >= emptyColumn {
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

// valleys returns where a run of ink may be cut in two digits, from left to right.
func valleys(sums []float64, height float64) []int {
	if float64(len(sums)) < narrow*height {
		return nil
	}
	least := max(1, int(0.12*height))
	var cuts []int
	for len(cuts) < maxCuts {
		best := -1
		for x := least; x <= len(sums)-least; x++ {
			free := !slices.ContainsFunc(cuts, func(c int) bool { return x-c < least && c-x < least })
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

// compare returns for each exponent how unlike the ink is to its number: the mean of its digits
// under the best cuts. Instead of exponent 0 it is that of the most similar digits.
func compare(k *ink) []float64 {
	pieces := k.pieces()
	costs := make([]float64, maxExponent+1)
	for e := range costs {
		costs[e] = never
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

// segments are the runs of pieces that may be one digit, with the cost of each digit.
type segments struct {
	n    int
	cost map[[2]int][10]float64 // from the first piece to before the last
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
			cost := g.unlike()
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

func digitCost(c *[10]float64, d rune) float64 {
	if d == '?' {
		return slices.Min(c[:])
	}
	return c[d-'0']
}

// number returns the least mean cost of a number's digits that use all pieces. A question mark is
// any digit.
func (s *segments) number(text string) float64 {
	best := make([]float64, s.n+1) // of the digits so far, up to each piece
	for i := range best {
		best[i] = math.Inf(1)
	}
	best[0] = 0
	for _, d := range text {
		next := make([]float64, s.n+1)
		for j := range next {
			next[j] = math.Inf(1)
			for i := range j {
				if c, ok := s.cost[[2]int{i, j}]; ok {
					next[j] = min(next[j], best[i]+digitCost(&c, d))
				}
			}
		}
		best = next
	}
	return min(never, best[s.n]/float64(len(text)))
}
