package eval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"

	"pgregory.net/rapid"
)

// plainLine is the reference implementation of a line's value, unrounded.
func plainLine(w eval.LineWeights, cells []uint8, border bool) float64 {
	power := func(k uint8, p float64) float64 {
		if k == 0 {
			return 0
		}
		return math.Pow(float64(k), p)
	}
	v, falls, rises, largest := w.Base, 0.0, 0.0, uint8(0)
	var tiles []uint8
	for i, k := range cells {
		if k == 0 {
			v += w.Empty
		} else {
			tiles = append(tiles, k)
		}
		v -= w.PowerSum * power(k, w.PowerSumPower)
		largest = max(largest, k)
		if border {
			v += w.Edge * power(k, w.EdgePower)
		}
		if i == 0 {
			continue
		}
		before := cells[i-1]
		change := power(k, w.DisorderPower) - power(before, w.DisorderPower)
		rises += math.Max(change, 0)
		falls += math.Max(-change, 0)
		if k != 0 && before != 0 {
			v -= w.Roughness * math.Abs(float64(k)-float64(before))
			if k == before+1 || before == k+1 {
				v += w.Steps * float64(min(k, before))
			}
		}
	}
	for i, k := range tiles {
		if i > 0 && tiles[i-1] == k || i+1 < len(tiles) && tiles[i+1] == k {
			v += w.Merges
		}
	}
	if border && (cells[0] == largest || cells[len(cells)-1] == largest) {
		v += w.End * power(largest, w.EdgePower)
	}
	return v - w.Disorder*math.Min(rises, falls)
}

// anchor is nneonneo/2048-ai's formula: 200000, 270 for each empty cell, 700 for each mergeable
// tile, minus 47 times the smaller of the rises and falls of k^4, minus 11 times the sum of k^3.5.
var anchor = eval.LineWeights{
	Base: 200000, Empty: 270, Merges: 700, Disorder: 47, DisorderPower: 4, PowerSum: 11, PowerSumPower: 3.5, EdgePower: 1,
}

func TestLinesAreTheAnchors(t *testing.T) {
	sums := eval.NewLines(eval.NneonneoWeights()).LineSums(board.Size{Rows: 4, Cols: 4})
	var cells [4]uint8
	for line := range 1 << 16 {
		for k := range cells {
			cells[k] = uint8(line >> (4 * k) & 15)
		}
		for i := range 4 {
			for _, got := range []float64{sums[0].Row(i, cells[:]), sums[0].Column(i, cells[:])} {
				if want := plainLine(anchor, cells[:], i == 0 || i == 3); math.Abs(got-want) > 0.5001 || got != math.Trunc(got) {
					t.Fatalf("line %d of %v has value %v, want %v rounded", i, cells, got, want)
				}
			}
		}
	}
}

// anyLines draws weights with every term.
func anyLines(t *rapid.T) *eval.Lines {
	var w eval.LineWeights
	for f := range w.All() {
		if strings.HasSuffix(f.Name, "_power") {
			f.Value.SetFloat(rapid.Float64Range(0.5, 4).Draw(t, f.Name))
		} else {
			f.Value.SetFloat(rapid.Float64Range(-900, 900).Draw(t, f.Name))
		}
	}
	return eval.NewLines(w)
}

func TestLineSumsAreTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []eval.Evaluator{anyLines(t)}
		for _, name := range []string{"snake", "snake-empty", "weighted-snake", "gradient", "edges"} {
			e := must.Get(eval.New(name))(t)
			all = append(all, e)
		}
		p := anyPosition(t)
		for _, e := range all {
			if got, want := bySums(e.(eval.Linewise), &p.Board), e.Value(p); got != want {
				t.Fatalf("%T of %v: lines add up to %v, want %v", e, p.Board, got, want)
			}
		}
	})
}

// The cache of Lines never returns the value of another line, over boards of all sizes.
func TestLinesRememberNothingWrong(t *testing.T) {
	var all []*eval.Lines
	for _, w := range []eval.LineWeights{eval.ExpertWeights(), {Empty: 1, Edge: 3, EdgePower: 1, End: 5, PowerSum: 1, PowerSumPower: 1.5}} {
		all = append(all, eval.NewLines(w))
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 300 {
			b := anyBoard(t)
			for _, e := range all {
				if got, want := e.Value(&eval.Position{Board: b}), bySums(e, &b); got != want {
					t.Fatalf("%v has value %v, want %v", b, got, want)
				}
			}
		}
	})
}

// bySums is the largest sum over rows and columns.
func bySums(e eval.Linewise, b *board.Board) float64 {
	s, best := b.Size(), math.Inf(-1)
	for _, sum := range e.LineSums(s) {
		total := 0.0
		for i := 0; i < s.Rows && sum.Row != nil; i++ {
			total += sum.Row(i, line(b, i*s.Cols, 1, s.Cols))
		}
		for i := 0; i < s.Cols && sum.Column != nil; i++ {
			total += sum.Column(i, line(b, i, s.Cols, s.Rows))
		}
		best = math.Max(best, total)
	}
	return best
}

func line(b *board.Board, from, step, n int) (cells []uint8) {
	for k := range n {
		cells = append(cells, b.Cell(from+k*step))
	}
	return cells
}

func TestLinesParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, p := anyLines(t), anyPosition(t)
		sum := 0.0
		for _, part := range eval.Parts("lines", e, p) {
			sum += part.Value
		}
		if want := e.Value(p); math.Abs(sum-want) > 1e-6*math.Max(1, math.Abs(want)) {
			t.Fatalf("parts of %v add up to %v, want %v", p.Board, sum, want)
		}
	})
}

// Even returns the value of a line on the border and of one inside, as Row and Column do.
func TestEvenLines(t *testing.T) {
	sum := eval.NewLines(eval.NneonneoWeights()).LineSums(board.Size{Rows: 4, Cols: 4})[0]
	for line := range 1 << 16 {
		cells := []uint8{uint8(line & 15), uint8(line >> 4 & 15), uint8(line >> 8 & 15), uint8(line >> 12)}
		outer, inner := sum.Even(cells)
		for i, want := range []float64{outer, inner, inner, outer} {
			if got := sum.Row(i, cells); got != want {
				t.Fatalf("row %d of %v: %v, even %v", i, cells, got, want)
			}
		}
	}
}
