package review

import (
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/levels"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// The weights of a sample stand for all moves that count: over all draws each of them adds up to 1. So sums over samples are
// right on average. A move that ends the game is drawn more often than any other one.
func TestSample(t *testing.T) {
	level := must.Get(levels.Parse("3000", bitboard.Size))(t)
	judge := must.Get(New(parse, &level, bitboard.Size, 1, game.P4))(t)
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(4, 0, game.P4)}))(t)
	for !g.Over() {
		b := g.Board()
		must.Do(t, g.Move(b.Legal()[0]))
	}
	ps := Positions(g)
	const wanted, draws = 12, 400
	sums, largest := make([]float64, len(ps)), make([]float64, len(ps))
	for k := range draws {
		drawn, weights := sample(t, judge, ps, wanted, (float64(k)+0.5)/draws)
		if len(drawn) > wanted+1 {
			t.Fatalf("%d moves drawn, want about %d", len(drawn), wanted)
		}
		for i, p := range drawn {
			sums[p.Move] += weights[i] / draws
			largest[p.Move] = weights[i]
		}
	}
	for i := range ps {
		want := 0.0
		if judge.Counts(&ps[i]) {
			want = 1
		}
		if math.Abs(sums[i]-want) > 1.5*largest[i]/draws+1e-9 {
			t.Errorf("move %d has a weight of %v on average, want %v", i, sums[i], want)
		}
	}
	fatal := must.Get(board.Parse("2,16,2,4/2,32,64,8/8,8,2,16/16,64,8,32"))(t)
	ends := Position{Played: board.Up, Move: len(ps)}
	ends.Board = fatal
	if size, err := judge.screened(&ends); err != nil || size != 1 {
		t.Errorf("a move that ends the game: %v, %v", size, err)
	}

	counted := 0
	for i := range ps {
		if judge.Counts(&ps[i]) {
			counted++
		}
	}
	for name, drawn := range map[string]int{
		"more than there are": len(first(sample(t, judge, ps, len(ps), 0.5))),
		"another judge":       len(first(sample(t, By(maker(t, "greedy")), ps, 1, 0.5))),
	} {
		must.Equal(t, drawn, counted, name)
	}
}

func sample(t *testing.T, j *Judge, ps []Position, n int, u float64) ([]Position, []float64) {
	t.Helper()
	drawn, weights, err := j.Sample(ps, n, u)
	must.Do(t, err)
	return drawn, weights
}

func first(ps []Position, weights []float64) []Position {
	for _, w := range weights {
		if w != 1 {
			return nil
		}
	}
	return ps
}

// Probabilities add up to the number of draws and are at most 1, whatever the sizes are.
func TestInProportion(t *testing.T) {
	for _, c := range []struct {
		sizes []float64
		n     int
		want  []float64
	}{
		{[]float64{0, 1, 0, 1}, 2, []float64{0, 1, 0, 1}},
		{[]float64{0, 1, 0, 1}, 3, []float64{0, 1, 0, 1}},
		{[]float64{1, 1, 2}, 2, []float64{0.5, 0.5, 1}},
		{[]float64{8, 1, 1, 0}, 2, []float64{1, 0.5, 0.5, 0}},
		{[]float64{0, 0}, 1, []float64{0, 0}},
		{[]float64{3, 1}, 1, []float64{0.75, 0.25}},
	} {
		got := slices.Clone(c.sizes)
		if inProportion(got, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d of %v: %v, want %v", c.n, c.sizes, got, c.want)
		}
	}
}

// Boards with a tile that a level does not know do not count.
func TestCounts(t *testing.T) {
	level := must.Get(levels.Parse("3000", bitboard.Size))(t)
	for text, want := range map[string]bool{"32768,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0": true, "65536,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0": false} {
		p := Position{}
		p.Board = must.Get(board.Parse(text))(t)
		must.Equal(t, (&Judge{level: &level}).Counts(&p), want, text, "counts")
		if !new(Judge).Counts(&p) {
			t.Errorf("%s does not count for another judge", text)
		}
	}
}
