package picture

import (
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

const (
	maxUnlike  = 0.45 // cost of a number that is certain
	minMargin  = 0.06 // to the second best
	oddUnlike  = 0.6  // cost of a number in an odd font
	oddMargin  = 0.15 // likewise
	maxExcess  = 0.1  // of its cost over that of any digits
	sameFill   = 14   // largest distance of the fills of two tiles of one kind
	otherFill  = 60   // distance of fills that tiles of one value do not have
	otherEmpty = 40   // likewise of empty cells
	sameInk    = 0.94 // correlation of two equal numbers
)

// judge decides the values of the tiles together, and what is doubtful.
func judge(g *grid, tiles []tile) Reading {
	r := Reading{Board: board.New(g.board()), Cells: make([]bool, len(tiles)), Grid: g.doubt}
	for i := range tiles {
		if tiles[i].ink != nil {
			tiles[i].costs = compare(tiles[i].ink)
		}
	}
	pooled := pool(tiles)
	for i := range tiles {
		t := &tiles[i]
		switch {
		case t.empty:
		case t.costs == nil:
			r.Cells[i] = true
		default:
			e, certain := decide(pooled[i])
			r.Board.Set(i, uint8(e))
			r.Cells[i] = !certain || t.faint || e > len(tiles)+1
		}
	}
	crossCheck(&r, tiles)
	if r.Grid != "" {
		for i := range r.Cells {
			r.Cells[i] = true
		}
	}
	return r
}

// decide returns the exponent of least cost, 0 if no number fits at all.
func decide(costs []float64) (e int, certain bool) {
	best, second := 1, float64(never)
	for i := 2; i < len(costs); i++ {
		if costs[i] < costs[best] {
			best, second = i, min(second, costs[best])
		} else {
			second = min(second, costs[i])
		}
	}
	if costs[best] >= 1 {
		return 0, false
	}
	cost, margin := costs[best], second-costs[best]
	clear := cost <= maxUnlike && margin >= minMargin || cost <= oddUnlike && margin >= oddMargin
	return best, clear && cost-costs[0] <= maxExcess
}

// pool returns the mean costs of each tile and those that look the same.
func pool(tiles []tile) [][]float64 {
	const w, h = 32, 16
	looks := make([][]float32, len(tiles))
	shapes := make([]float64, len(tiles))
	for i, t := range tiles {
		if t.costs == nil {
			continue
		}
		if f, ok := t.ink.bounds(0, t.ink.w); ok {
			looks[i] = make([]float32, w*h)
			t.ink.sample(f, 0, t.ink.w, w, h, looks[i])
			unit(looks[i])
			shapes[i] = math.Log((f.x1 - f.x0) / (f.y1 - f.y0))
		}
	}
	all := make([][]float64, len(tiles))
	for i := range tiles {
		if tiles[i].costs == nil {
			continue
		}
		sum, n := slices.Clone(tiles[i].costs), 1.0
		for j := range tiles {
			if j == i || looks[i] == nil || looks[j] == nil || distance(tiles[i].fill, tiles[j].fill) > sameFill ||
				math.Abs(shapes[i]-shapes[j]) > 0.1 || dot(looks[i], looks[j]) < sameInk {
				continue
			}
			for e, c := range tiles[j].costs {
				sum[e] += c
			}
			n++
		}
		for e := range sum {
			sum[e] /= n
		}
		all[i] = sum
	}
	return all
}

// crossCheck marks tiles of one value with different fills, and empty cells with different fills: a
// page gives each value one colour. A doubtful tile says nothing about others.
func crossCheck(r *Reading, tiles []tile) {
	certain := slices.Clone(r.Cells)
	for i := range certain {
		certain[i] = !certain[i]
	}
	for i := range tiles {
		for j := range i {
			if !certain[i] || !certain[j] {
				continue
			}
			ei, ej := r.Board.Cell(i), r.Board.Cell(j)
			d := distance(tiles[i].fill, tiles[j].fill)
			if ei == ej && (tiles[i].empty && tiles[j].empty && d > otherEmpty || ei > 0 && d > otherFill) {
				r.Cells[i], r.Cells[j] = true, true
			}
		}
	}
}

func distance(a, b [3]float64) float64 {
	sum := 0.0
	for c := range a {
		sum += (a[c] - b[c]) * (a[c] - b[c])
	}
	return math.Sqrt(sum)
}
