package search

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// A 4x4 board in nibbles has the canonical image that it would have with larger tiles, which nibbles cannot hold.
func TestCanonicalInNibbles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 1000 {
		small, large := board.New(bitboard.Size), board.New(bitboard.Size)
		for i := range 16 {
			if e := uint8(r.IntN(4)); e > 0 {
				small.Set(i, e)
				large.Set(i, e+bitboard.MaxExponent)
			}
		}
		got, sym := canonical(&small)
		want, wantSym := canonical(&large)
		for i := range 16 {
			if e := got.Cell(i); sym != wantSym || e > 0 && e+bitboard.MaxExponent != want.Cell(i) || e == 0 && want.Cell(i) > 0 {
				t.Fatalf("%v: image %d, %v, want %d, that of %v", small, sym, got, wantSym, want)
			}
		}
	}
}

// Windows of inner nodes: a value within the window is exact, one below it an upper bound, one
// above it a lower bound. The root does not show this, since it searches again after a lower bound.

// die is an evaluator with n values, and so with ties, between its bounds.
type die struct{ n uint64 }

func (d die) Unit() eval.Unit { return eval.Heuristic }

func (d die) Value(p *eval.Position) float64 {
	h := uint64(1)
	for r := range p.Board.Size().Rows {
		h = (h ^ p.Board.Row(r)) * 0x9e3779b97f4a7c15
		h ^= h >> 31
	}
	return float64(h%d.n)/7 - 1
}

func (d die) Bounds(*eval.Position, int) (low, high float64) { return -1, float64(d.n-1)/7 - 1 }

// pointDie is a die in points.
type pointDie struct{ die }

func (pointDie) Unit() eval.Unit { return eval.Points }

// afterstate is a board with one to three empty cells, most of them near death.
func afterstate(r *rand.Rand) eval.Position {
	sizes := []board.Size{{Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}, {Rows: 3, Cols: 3}}
	b := board.New(sizes[r.IntN(len(sizes))])
	for i := range b.Size().Cells() {
		b.Set(i, uint8(1+r.IntN(6)))
	}
	for range 1 + r.IntN(3) {
		b.Set(r.IntN(b.Size().Cells()), 0)
	}
	return eval.Position{Board: b}
}

// window returns a window around a value; its ends often are the value itself or close to it.
func window(r *rand.Rand, v float64) (alpha, beta float64) {
	end := func() float64 {
		switch r.IntN(6) {
		case 0:
			return math.Inf(1 - 2*r.IntN(2))
		case 1, 2:
			return v
		case 3:
			return math.Nextafter(v, math.Inf(1-2*r.IntN(2)))
		default:
			return v + r.NormFloat64()/2
		}
	}
	alpha, beta = end(), end()
	return min(alpha, beta), max(alpha, beta)
}

func checkWindow(t *testing.T, what any, got, exact, alpha, beta float64) {
	t.Helper()
	if got < alpha && got < exact || got > beta && got > exact || got >= alpha && got <= beta && got != exact {
		t.Fatalf("%+v: %v for the window %v to %v, exactly %v", what, got, alpha, beta, exact)
	}
}

// unlimited begins a search without limits.
func unlimited(l *limits, c *clock) {
	l.begin(context.Background(), 0, 0, false)
	c.begin(l, checkEvery)
}

func TestStarKeepsItsWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	gradient := must.Get(eval.New("gradient"))(t)
	dead := -3.0
	cut := 0
	for i := range soak.Pick(5000, 20000) {
		o := ExpectimaxOptions{Eval: []eval.Evaluator{die{3}, die{1000}, gradient}[i%3], Leaf: Leaf(i / 3 % 2), P4: []float64{0.1, 0.5, -1, 1}[i/6%4]}
		if i/24%2 == 0 {
			o.DeathValue = &dead
		}
		p, plies := afterstate(r), i%3
		if i%5 == 0 {
			o.MinProb, o.PruneMargin = 0.2*r.Float64(), r.Float64()
			plies = i % 4
		}
		plain := NewExpectimax(o)
		unlimited(&plain.limits, &plain.clock)
		exact := plain.after(&p, plies, 1, math.Inf(-1), math.Inf(1))
		alpha, beta := window(r, exact)
		if math.IsNaN(alpha) || math.IsNaN(beta) {
			continue
		}
		o.Star1 = true
		s := NewExpectimax(o)
		unlimited(&s.limits, &s.clock)
		got := s.after(&p, plies, 1, alpha, beta)
		o.Eval = nil
		checkWindow(t, []any{o, plies, p.Board.String()}, got, exact, alpha, beta)
		if got != exact {
			cut++
		}
	}
	if cut < soak.Pick(300, 1000) {
		t.Errorf("only %d of the searches were cut", cut)
	}
}

func TestAlphaBetaKeepsItsWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	cut := 0
	for i := range soak.Pick(5000, 20000) {
		o := MinimaxOptions{Eval: []eval.Evaluator{die{3}, die{1000}, pointDie{die{3}}, pointDie{die{1000}}}[i%4]}
		p, layers := afterstate(r), i/4%4
		plain := NewMinimax(o)
		unlimited(&plain.limits, &plain.clock)
		exact := plain.spawn(&p, layers, math.Inf(-1), math.Inf(1))
		alpha, beta := window(r, exact)
		if math.IsNaN(alpha) || math.IsNaN(beta) {
			continue
		}
		o.AlphaBeta = true
		m := NewMinimax(o)
		unlimited(&m.limits, &m.clock)
		for range 2 { // the second search starts with the killers of the first
			got := m.spawn(&p, layers, alpha, beta)
			checkWindow(t, []any{layers, p.Board.String()}, got, exact, alpha, beta)
			if got != exact {
				cut++
			}
		}
	}
	if cut < soak.Pick(80, 300) {
		t.Errorf("only %d of the searches were cut", cut)
	}
}
