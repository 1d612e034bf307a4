package eval

import (
	"fmt"
	"math/bits"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Info describes an evaluator that New can create.
type Info struct {
	Name    string
	Formula string
	Origin  string
	make    func() Evaluator
}

var infos = []Info{
	{"product", "score x largest tile x empty cells", "2048 AI", plain(product)},
	{"snake", "sum of v x weight; weights 2^n..2^1 along a snake (rows in alternating direction) from the top left", "Borotalcohol/2048-Bot", newSnake},
	{"snake-empty", "0.9 x (sum of v x weight) / 100 + 0.1 x empty cells; weights 2^(n-1)..2^0 along a snake from the bottom left", "Duncan Greene's player for COMS 4701", newSnakeEmpty},
	{"gradient", "sum of v x ((rows+columns-2)/2 - steps from a corner), for the best corner", "an unnamed minimax program", newGradient},
	{"weighted-snake", "sum of v x weight + 2^12 x empty cells; weights 2^(n-1)..2^0 along a snake from the top left", "an unnamed expectimax program", newWeightedSnake},
	{"lines", "sum over rows and columns of weighted terms: empty cells, merges, order, small tiles, borders; lines(empty=270,...) sets weights", "nneonneo/2048-ai", func() Evaluator { return NewLines(NneonneoWeights()) }},
	{"expert", "lines with weights optimized by playing (CMA-ES)", "", func() Evaluator { return NewLines(ExpertWeights()) }},
	{"smoothness", "minus the sum of |k - k'| over neighbouring tiles", "proposed in 2048 AI and Borotalcohol/2048-Bot", plain(smoothness)},
	{"edges", "sum of v x 10 on the border, v x 5 inside", "proposed in 2048 AI", newEdges},
	{"adjacency", "sum of v x v' over neighbouring tiles", "proposed in 2048 AI", plain(adjacency)},
	{"duplicates", "number of different tile values minus number of tiles", "proposed in 2048 AI", plain(duplicates)},
	{"empty", "number of empty cells", "tried in Borotalcohol/2048-Bot", plain(empty)},
	{"largest", "the largest tile", "tried in Borotalcohol/2048-Bot", plain(largest)},
	{"monotonicity", "minus, for each row and column, the smaller of the total rise and the total fall of k", "", plain(monotonicity)},
}

func plain(t term) func() Evaluator { return func() Evaluator { return t } }

// Unit returns the unit of the evaluator's values.
func (i *Info) Unit() Unit { return i.make().Unit() }

// Infos lists all evaluators. The slice is shared and must not be changed.
func Infos() []Info { return infos }

// Names lists the names of all evaluators.
func Names() []string {
	return each.Of(infos, func(i Info) string { return i.Name })
}

// New returns a new evaluator, or an error for an unknown name.
func New(name string) (Evaluator, error) {
	for _, info := range infos {
		if info.Name == name {
			return info.make(), nil
		}
	}
	return nil, fmt.Errorf("no evaluator is called %q", name)
}

// term is an evaluator given by a function of the position.
type term func(*Position) float64

// Unit returns Heuristic.
func (term) Unit() Unit { return Heuristic }

// Value calls the function.
func (t term) Value(p *Position) float64 { return t(p) }

// product is the evaluator of the program "2048 AI": score x largest tile x empty cells.
func product(p *Position) float64 {
	return float64(p.Score) * float64(board.Tile(p.Board.Largest())) * float64(p.Board.Empty())
}

func empty(p *Position) float64 { return float64(p.Board.Empty()) }

func largest(p *Position) float64 { return float64(board.Tile(p.Board.Largest())) }

// smoothness is minus the sum of |k - k'| over neighbouring tiles.
func smoothness(p *Position) float64 {
	total := 0
	eachPair(&p.Board, func(a, b uint8) {
		total -= max(int(a)-int(b), int(b)-int(a))
	})
	return float64(total)
}

// adjacency is the sum of v x v' over neighbouring tiles.
func adjacency(p *Position) float64 {
	total := 0.0
	eachPair(&p.Board, func(a, b uint8) {
		total += float64(board.Tile(a)) * float64(board.Tile(b))
	})
	return total
}

// duplicates is minus the number of tiles beyond the first of each value.
func duplicates(p *Position) float64 {
	var seen uint64
	tiles := 0
	for r := range p.Board.Size().Rows {
		for row := p.Board.Row(r); row != 0; row >>= 8 {
			if e := row & 63; e != 0 {
				seen |= 1 << e
				tiles++
			}
		}
	}
	return float64(bits.OnesCount64(seen) - tiles)
}

// monotonicity is minus the sum of the disorder of all rows and columns: the smaller of the total rise and the total
// fall of the exponent along a line's tiles.
func monotonicity(p *Position) float64 {
	s := p.Board.Size()
	total := 0
	for r := range s.Rows {
		total += disorder(&p.Board, r*s.Cols, 1, s.Cols)
	}
	for c := range s.Cols {
		total += disorder(&p.Board, c, s.Cols, s.Rows)
	}
	return float64(-total)
}

// disorder returns the smaller of the total rise and the total fall of the exponents over n cells,
// which are from, from+step, from+2*step and so on. It skips empty cells.
func disorder(b *board.Board, from, step, n int) int {
	rise, fall, last := 0, 0, 0
	for k := range n {
		e := int(b.Cell(from + k*step))
		if e == 0 {
			continue
		}
		if last != 0 {
			rise += max(e-last, 0)
			fall += max(last-e, 0)
		}
		last = e
	}
	return min(rise, fall)
}

// eachPair visits all pairs of neighbouring tiles.
func eachPair(b *board.Board, visit func(x, y uint8)) {
	s := b.Size()
	for r := range s.Rows {
		for c := range s.Cols {
			e := b.At(r, c)
			if e == 0 {
				continue
			}
			if c+1 < s.Cols && b.At(r, c+1) != 0 {
				visit(e, b.At(r, c+1))
			}
			if r+1 < s.Rows && b.At(r+1, c) != 0 {
				visit(e, b.At(r+1, c))
			}
		}
	}
}
