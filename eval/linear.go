package eval

import (
	"math"
	"math/bits"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// linear computes the sum, over all tiles, of the tile's value times the weight of its cell.
type linear struct {
	weights func(board.Size) []float64 // weights of the cells, row-major
	size    board.Size                 // the size for which the fields below are prepared
	terms   [board.MaxSide][board.MaxSide][64]float64
	minimum float64 // the smallest weight
	first   float64 // the largest weight
	second  float64 // the second largest weight
}

// fit prepares the terms for a size, unless they are already prepared for it.
func (l *linear) fit(s board.Size) {
	if s != l.size {
		l.prepare(s)
	}
}

func (l *linear) prepare(s board.Size) {
	weights := l.weights(s)
	for i, w := range weights {
		for e := range l.terms[0][0] {
			l.terms[i/s.Cols][i%s.Cols][e] = float64(board.Tile(uint8(e))) * w
		}
	}
	sorted := slices.Sorted(slices.Values(weights))
	n := len(sorted)
	l.size, l.minimum, l.first, l.second = s, sorted[0], sorted[n-1], sorted[n-2]
}

func (l *linear) sum(b *board.Board) (sum float64) {
	size := b.Size()
	l.fit(size)
	for r := range size.Rows {
		row := b.Row(r)
		for c := 0; row != 0; c++ {
			sum += l.terms[r][c][row&63]
			row >>= 8
		}
	}
	return sum
}

func countEmpty(cells []uint8) (n int) {
	for _, k := range cells {
		if k == 0 {
			n++
		}
	}
	return n
}

// bounds returns a lower and an upper bound of the sum for all boards that can follow b within the given number of
// spawns. The total of all tiles grows by at most 4 per spawn. The highest sum has the largest power of two within the
// total on the cell with the largest weight and the remainder on the second one; the lowest sum has the current total
// on the cell with the smallest weight. With negative weights only high is valid, and only if the two largest weights
// are not negative.
func (l *linear) bounds(b *board.Board, spawns int) (low, high float64) {
	l.fit(b.Size())
	total := b.Sum()
	maximum := total + 4*int64(spawns)
	if maximum == 0 {
		return 0, 0 // an empty board and no spawns
	}
	largest := int64(1) << (bits.Len64(uint64(maximum)) - 1)
	high = float64(largest)*l.first + float64(maximum-largest)*l.second
	return float64(total) * l.minimum, high
}

// maxEmpty returns the maximum number of empty cells, now or later: a slide leaves at least one tile.
func maxEmpty(b *board.Board) int { return max(b.Empty(), b.Size().Cells()-1) }

// snakeWeights returns the weights of a snake: 2^top in the top left corner, halved from cell to cell
// in boustrophedon order, that is the first row left to right, the second right to left, and so on.
func snakeWeights(s board.Size, top int) []float64 {
	weights := make([]float64, s.Cells())
	for i := range weights {
		r, c := i/s.Cols, i%s.Cols
		if r%2 == 1 {
			c = s.Cols - 1 - c
		}
		weights[r*s.Cols+c] = math.Ldexp(1, top-i)
	}
	return weights
}

// weighted is a linear evaluator with a term for empty cells.
type weighted struct {
	linear
	percent   float64 // factor of the sum, in percent; 0 means 100
	perEmpty  float64 // value of each empty cell
	symmetric bool
}

func (*weighted) Unit() Unit { return Heuristic }

// mix combines the linear sum and the number of empty cells.
func (e *weighted) mix(sum float64, empty int) float64 {
	if e.percent != 0 {
		sum = float64(e.percent * sum / 100)
	}
	return sum + float64(e.perEmpty*float64(empty))
}

// Value returns the weighted sum. Where the order of additions affects rounding, it sums row by
// row, as LineSums does, so that both give the same result.
func (e *weighted) Value(p *Position) (total float64) {
	switch {
	case e.perEmpty == 0:
		return e.sum(&p.Board)
	case e.percent == 0:
		return e.mix(e.sum(&p.Board), p.Board.Empty())
	}
	size := p.Board.Size()
	e.fit(size)
	for r := range size.Rows {
		sum, empty := 0.0, 0
		row := p.Board.Row(r)
		for c := range size.Cols {
			k := row >> (8 * c) & 63
			sum += e.terms[r][c][k]
			if k == 0 {
				empty++
			}
		}
		total += e.mix(sum, empty)
	}
	return total
}

func (e *weighted) Bounds(p *Position, n int) (low, high float64) {
	low, high = e.bounds(&p.Board, n)
	return e.mix(low, 0), e.mix(high, maxEmpty(&p.Board))
}

func (e *weighted) LineSums(s board.Size) []LineSum {
	e.fit(s)
	return []LineSum{{Row: func(i int, cells []uint8) float64 {
		sum := 0.0
		for c, k := range cells {
			sum += e.terms[i][c][k&63]
		}
		return e.mix(sum, countEmpty(cells))
	}}}
}

// newSnake returns the evaluator of Borotalcohol/2048-Bot: a snake from 2^n in the top left corner to
// 2^1.
func newSnake() Evaluator {
	return &weighted{linear: linear{weights: func(s board.Size) []float64 { return snakeWeights(s, s.Cells()) }}}
}

// newSnakeEmpty returns the evaluator of Duncan Greene's player for COMS 4701: 2^(n-1) in the bottom left
// corner, with the snake running upwards, and a term for empty cells.
func newSnakeEmpty() Evaluator {
	return &weighted{percent: 0.9, perEmpty: 0.1, linear: linear{weights: func(s board.Size) []float64 {
		down := snakeWeights(s, s.Cells()-1)
		up := make([]float64, 0, len(down))
		for r := s.Rows - 1; r >= 0; r-- {
			up = append(up, down[r*s.Cols:(r+1)*s.Cols]...)
		}
		return up
	}}}
}

// newWeightedSnake returns the evaluator of an expectimax program that plays until it makes a given tile: a snake
// from 2^(n-1) to 2^0, and 2^12 for each empty cell.
func newWeightedSnake() Evaluator {
	return &weighted{perEmpty: 1 << 12, linear: linear{weights: func(s board.Size) []float64 { return snakeWeights(s, s.Cells()-1) }}}
}

// newEdges returns the position matrix that the author of "2048 AI" proposes: 10 on the border, 5 inside.
func newEdges() Evaluator {
	return &weighted{symmetric: true, linear: linear{weights: func(s board.Size) []float64 {
		weights := make([]float64, s.Cells())
		for i := range weights {
			r, c := i/s.Cols, i%s.Cols
			weights[i] = 5
			if r == 0 || c == 0 || r == s.Rows-1 || c == s.Cols-1 {
				weights[i] = 10
			}
		}
		return weights
	}}}
}

// gradient is the evaluator of an unnamed minimax program. The weights fall from one corner of the board:
// (R+C-2)/2 in the corner, and one less with each step away from it, for R rows and C columns. The value is the sum
// for the best of the four corners.
type gradient struct {
	corner linear // the weights for the top left corner, also used for bounds
	size   board.Size
	terms  [board.MaxSide][board.MaxSide][64][4]float64 // indexed by row, column, exponent and corner
}

func newGradient() Evaluator {
	return &gradient{corner: linear{weights: func(s board.Size) []float64 {
		weights := make([]float64, s.Cells())
		for i := range weights {
			weights[i] = float64(s.Rows+s.Cols-2)/2 - float64(i/s.Cols+i%s.Cols)
		}
		return weights
	}}}
}

func (e *gradient) fit(s board.Size) {
	if s != e.size {
		e.prepare(s)
	}
}

func (e *gradient) prepare(s board.Size) {
	e.corner.prepare(s)
	e.size = s
	for r := range s.Rows {
		for c := range s.Cols {
			for k := range e.terms[0][0] {
				e.terms[r][c][k] = [4]float64{
					e.corner.terms[r][c][k],
					e.corner.terms[r][s.Cols-1-c][k],
					e.corner.terms[s.Rows-1-r][c][k],
					e.corner.terms[s.Rows-1-r][s.Cols-1-c][k],
				}
			}
		}
	}
}

func (*gradient) Unit() Unit { return Heuristic }

func (e *gradient) Value(p *Position) float64 {
	size := p.Board.Size()
	e.fit(size)
	var a, b, c, d float64 // sums for the four corners
	for r := range size.Rows {
		row := p.Board.Row(r)
		for col := 0; row != 0; col++ {
			t := &e.terms[r][col][row&63]
			a, b, c, d = a+t[0], b+t[1], c+t[2], d+t[3]
			row >>= 8
		}
	}
	return max(a, b, c, d)
}

func (e *gradient) Bounds(p *Position, n int) (low, high float64) {
	return e.corner.bounds(&p.Board, n)
}

// LineSums returns the sums for the four corners.
func (e *gradient) LineSums(s board.Size) []LineSum {
	e.fit(s)
	sums := make([]LineSum, 4)
	for corner := range sums {
		sums[corner].Row = func(i int, cells []uint8) (sum float64) {
			for c, k := range cells {
				sum += e.terms[i][c][k&63][corner]
			}
			return sum
		}
	}
	return sums
}
