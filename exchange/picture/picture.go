package picture

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Reading is a board that was read, with its doubtful cells.
type Reading struct {
	Board board.Board
	// Cells says for each cell, row by row, whether its value is uncertain.
	Cells []bool
	// Grid is "" if the grid that was found is certain. Otherwise it says why the grid may be wrong,
	// and every cell is doubtful.
	Grid string
	// Frame is the part of the picture that the cells fill.
	Frame Frame
}

// Frame is the part of a picture that contains all cells of a board, given in shares of the picture's
// width and height.
type Frame struct{ Left, Top, Width, Height float64 }

// Doubts returns the indices of the doubtful cells, row by row from 0.
func (r *Reading) Doubts() (all []int) {
	for i, d := range r.Cells {
		if d {
			all = append(all, i)
		}
	}
	return all
}

// ErrNoBoard means that no board was found.
var ErrNoBoard = errors.New("no board found in the picture: must be a screenshot that shows the whole board, upright")

// Parse reads the board in a PNG, JPEG or WebP file. It returns ctx.Err() if ctx ends first.
func Parse(ctx context.Context, data []byte) (Reading, error) {
	m, err := decode(ctx, data)
	if err != nil {
		return Reading{}, err
	}
	return read(ctx, m)
}

// ParseIn reads a board of a known size whose cells fill a known frame of the picture. It does not search for
// the board.
func ParseIn(ctx context.Context, data []byte, size board.Size, f Frame) (Reading, error) {
	m, err := decode(ctx, data)
	if err != nil {
		return Reading{}, err
	}
	return readGrid(ctx, m, framed(size, f, m))
}

func read(ctx context.Context, m *raster) (Reading, error) {
	g, ok := findGrid(m)
	if !ok {
		return Reading{}, ErrNoBoard
	}
	return readGrid(ctx, m, g)
}

func readGrid(ctx context.Context, m *raster, g *grid) (Reading, error) {
	if err := ctx.Err(); err != nil {
		return Reading{}, err
	}
	var tiles []tile
	for row := range g.board().Rows {
		for col := range g.board().Cols {
			tiles = append(tiles, readTile(m, g.cell(row, col)))
		}
	}
	r := judge(g, tiles)
	r.Frame = g.frame(m)
	return r, nil
}

const (
	maxCost    = 0.45 // maximum cost of a number that counts as certain
	minMargin  = 0.06 // minimum difference between the lowest and the second lowest cost
	oddCost    = 0.6  // like maxCost, for an unusual font: then the margin must be at least oddMargin
	oddMargin  = 0.15 // minimum margin of a number whose cost is above maxCost
	maxExcess  = 0.1  // maximum excess of a number's cost over the lowest cost of any digits
	sameFill   = 14   // maximum distance between the fills of tiles that look the same
	otherFill  = 60   // maximum distance between the fills of tiles of the same value
	otherEmpty = 40   // maximum distance between the fills of empty cells
	sameInk    = 0.94 // minimum correlation of two equal numbers
)

// judge decides the values of all tiles together, and which cells are doubtful.
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

// decide returns the exponent with the lowest cost, or 0 if no number fits.
func decide(costs []float64) (e int, certain bool) {
	best, second := 1, float64(impossible)
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
	clear := cost <= maxCost && margin >= minMargin || cost <= oddCost && margin >= oddMargin
	return best, clear && cost-costs[0] <= maxExcess
}

// pool returns for each tile the mean costs of this tile and of the tiles that look the same.
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

// crossCheck marks tiles of the same value with different fills as doubtful, and empty cells with different
// fills too: a page gives each value one colour. It compares only cells that are certain so far.
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
