package catalog_test

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// random draws from PCG(^seed, game) and from nothing else.
func TestRandomDraws(t *testing.T) {
	p := maker(t, "random").New()
	for _, start := range [][2]uint64{{0, 0}, {1, 0}, {1, 7}, {^uint64(0), 3}, {1, 7}} {
		seed, index := start[0], start[1]
		g := newGame(t, board.Size{Rows: 4, Cols: 4}, 99, 4) // another seed: its spawns must not matter
		p.Start(seed, index)
		draw := rand.New(rand.NewPCG(^seed, index))
		for !g.Over() {
			d := decide(t, p, query(g))
			var legal []board.Direction
			b := g.Board()
			for _, dir := range board.Directions {
				if _, _, moved := b.Slide(dir); moved {
					legal = append(legal, dir)
				}
			}
			if want := legal[draw.IntN(len(legal))]; d.Move != want {
				t.Fatalf("seed %d, game %d, move %d: %v, want %v", seed, index, g.Moves(), d.Move, want)
			}
			must.Do(t, g.Move(d.Move))
		}
	}
}

// A player that is never started is started as game 0 of seed 0.
func TestRandomUnstarted(t *testing.T) {
	m := maker(t, "random")
	a, b := m.New(), m.New()
	b.Start(0, 0)
	g := newGame(t, board.Size{Rows: 4, Cols: 4}, 1, 0)
	for range 50 {
		if x, y := decide(t, a, query(g)), decide(t, b, query(g)); x.Move != y.Move {
			t.Fatalf("%v and %v", x.Move, y.Move)
		}
	}
}

func TestGreedy(t *testing.T) {
	p := maker(t, "greedy").New()
	for _, c := range []struct {
		board string
		move  board.Direction
		value [4]float64 // -1: illegal
	}{
		{"2,0/0,0", board.Right, [4]float64{-1, 0, 0, -1}},      // nothing to gain: the lowest direction
		{"2,2/2,2", board.Up, [4]float64{8, 8, 8, 8}},           // all equal
		{"4,4/0,2", board.Right, [4]float64{-1, 8, 0, 8}},       // right before left
		{"8,2/8,4", board.Up, [4]float64{16, -1, 16, -1}},       // up before down
		{"2,2,0/4,0,0/4,0,8", board.Up, [4]float64{8, 4, 8, 4}}, // the larger sum
		{"2,2,8/8,4,8", board.Up, [4]float64{16, 4, 16, 4}},
		{"2,2,4/16,8,2", board.Right, [4]float64{-1, 4, -1, 4}},
	} {
		d := decide(t, p, search.NewQuery(parse(t, c.board), 0))
		if !d.OK || d.Move != c.move || d.Unit != eval.Points || d.Source != "reward" || d.Plies != 1 {
			t.Errorf("%s: %+v, want %v", c.board, d, c.move)
		}
		for dir, v := range c.value {
			if m := d.Moves[dir]; m.Legal != (v >= 0) || m.Legal && m.Value != v || m.Bound {
				t.Errorf("%s: %v is %+v, want %v", c.board, board.Direction(dir), m, v)
			}
		}
	}
}
