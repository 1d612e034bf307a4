package eval_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"

	"pgregory.net/rapid"
)

// grid is a board as rows of tile values, the input of the reference formulas.
type grid [][]int64

func (g grid) rows() int { return len(g) }
func (g grid) cols() int { return len(g[0]) }
func (g grid) n() int    { return g.rows() * g.cols() }

func (g grid) empties() (n float64) {
	for _, row := range g {
		for _, v := range row {
			if v == 0 {
				n++
			}
		}
	}
	return n
}

func (g grid) largest() (v int64) {
	for _, row := range g {
		v = max(v, slices.Max(row))
	}
	return v
}

// weighted is the sum of tile value times weight.
func (g grid) weighted(weight func(r, c int) float64) (sum float64) {
	for r, row := range g {
		for c, v := range row {
			sum += float64(v) * weight(r, c)
		}
	}
	return sum
}

// walk follows the snake cell by cell from the first or the last row on, turning
// at the walls, and gives cell number k the weight 2^(top-k).
func (g grid) walk(top int, upwards bool) func(r, c int) float64 {
	weights := map[[2]int]float64{}
	r, c, dc, dr := 0, 0, 1, 1
	if upwards {
		r, dr = g.rows()-1, -1
	}
	for k := range g.n() {
		weights[[2]int{r, c}] = math.Pow(2, float64(top-k))
		if c += dc; c < 0 || c == g.cols() {
			c -= dc
			dc = -dc
			r += dr
		}
	}
	return func(r, c int) float64 { return weights[[2]int{r, c}] }
}

// pairs are the values of tiles side by side.
func (g grid) pairs() (pairs [][2]float64) {
	at := func(r, c int) float64 {
		if r >= g.rows() || c >= g.cols() {
			return 0
		}
		return float64(g[r][c])
	}
	for r := range g.rows() {
		for c := range g.cols() {
			for _, other := range []float64{at(r, c+1), at(r+1, c)} {
				if g[r][c] != 0 && other != 0 {
					pairs = append(pairs, [2]float64{at(r, c), other})
				}
			}
		}
	}
	return pairs
}

// columns are the grid's columns as rows.
func (g grid) columns() grid {
	turned := make(grid, g.cols())
	for _, row := range g {
		for c, v := range row {
			turned[c] = append(turned[c], v)
		}
	}
	return turned
}

// lines are the exponents of the tiles of each row and column.
func (g grid) lines() (lines [][]float64) {
	for _, row := range slices.Concat(g, g.columns()) {
		var line []float64
		for _, v := range row {
			if v != 0 {
				line = append(line, math.Log2(float64(v)))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// formulas are reference implementations of the evaluators, written from their descriptions.
var formulas = map[string]func(g grid, score int64) float64{
	"product": func(g grid, score int64) float64 {
		return float64(score) * float64(g.largest()) * g.empties()
	},
	"snake": func(g grid, _ int64) float64 {
		return g.weighted(g.walk(g.n(), false))
	},
	"snake-empty": func(g grid, _ int64) float64 {
		return 0.9*g.weighted(g.walk(g.n()-1, true))/100 + 0.1*g.empties()
	},
	"gradient": func(g grid, _ int64) float64 {
		middle := float64(g.rows()+g.cols()-2) / 2
		bottom, right := g.rows()-1, g.cols()-1
		return slices.Max([]float64{
			g.weighted(func(r, c int) float64 { return middle - float64(r) - float64(c) }),
			g.weighted(func(r, c int) float64 { return middle - float64(bottom-r) - float64(c) }),
			g.weighted(func(r, c int) float64 { return middle - float64(r) - float64(right-c) }),
			g.weighted(func(r, c int) float64 { return middle - float64(bottom-r) - float64(right-c) }),
		})
	},
	"weighted-snake": func(g grid, _ int64) float64 {
		return g.weighted(g.walk(g.n()-1, false)) + 4096*g.empties()
	},
	"smoothness": func(g grid, _ int64) (sum float64) {
		for _, p := range g.pairs() {
			sum -= math.Abs(math.Log2(p[0]) - math.Log2(p[1]))
		}
		return sum
	},
	"edges": func(g grid, _ int64) float64 {
		return g.weighted(func(r, c int) float64 {
			if r > 0 && r+1 < g.rows() && c > 0 && c+1 < g.cols() {
				return 5
			}
			return 10
		})
	},
	"adjacency": func(g grid, _ int64) (sum float64) {
		for _, p := range g.pairs() {
			sum += p[0] * p[1]
		}
		return sum
	},
	"duplicates": func(g grid, _ int64) (sum float64) {
		seen := map[int64]bool{0: true}
		for _, row := range g {
			for _, v := range row {
				if v != 0 && seen[v] {
					sum--
				}
				seen[v] = true
			}
		}
		return sum
	},
	"lines":   func(g grid, _ int64) float64 { return g.allLines(anchor) },
	"expert":  func(g grid, _ int64) float64 { return g.allLines(eval.ExpertWeights()) },
	"empty":   func(g grid, _ int64) float64 { return g.empties() },
	"largest": func(g grid, _ int64) float64 { return float64(g.largest()) },
	"monotonicity": func(g grid, _ int64) (sum float64) {
		for _, line := range g.lines() {
			rises, falls := 0.0, 0.0
			for i := 1; i < len(line); i++ {
				rises += math.Max(0, line[i]-line[i-1])
				falls += math.Max(0, line[i-1]-line[i])
			}
			sum -= math.Min(rises, falls)
		}
		return sum
	},
}

// allLines adds up all rows and columns, each rounded.
func (g grid) allLines(w eval.LineWeights) (sum float64) {
	for _, lines := range []grid{g, g.columns()} {
		for i, line := range lines {
			sum += math.Round(plainLine(w, exponents(line), i == 0 || i == len(lines)-1))
		}
	}
	return sum
}

// exponents of tile values.
func exponents(tiles []int64) (all []uint8) {
	for _, v := range tiles {
		all = append(all, uint8(max(bits.Len64(uint64(v))-1, 0)))
	}
	return all
}

func TestFormulas(t *testing.T) {
	for _, name := range eval.Names() {
		formula := formulas[name]
		if formula == nil {
			t.Errorf("%s has no plain formula here", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			e := evaluator(t, name) // one for all sizes: it must notice when the size changes
			must.Equal(t, e.Unit(), eval.Heuristic, "unit")
			rapid.Check(t, func(t *rapid.T) {
				p := anyPosition(t)
				got, want := e.Value(p), formula(p.Board.Tiles(), p.Score)
				if !near(got, want) {
					t.Fatalf("%s of %v, score %d = %v, want %v", name, p.Board, p.Score, got, want)
				}
			})
		})
	}
	must.Equal(t, len(formulas), len(eval.Names()), "formulas")
}

// Boards of every size with a single tile, on each cell: a wrong weight fails at its cell.
func TestEveryCellOfEverySize(t *testing.T) {
	for _, name := range eval.Names() {
		e := evaluator(t, name)
		for _, size := range sizes() {
			for cell := range size.Cells() {
				p := eval.Position{Board: board.New(size), Score: 8}
				p.Board.Set(cell, 3)
				if got, want := e.Value(&p), formulas[name](p.Board.Tiles(), p.Score); !near(got, want) {
					t.Errorf("%s of %v = %v, want %v", name, p.Board, got, want)
				}
			}
		}
	}
}
