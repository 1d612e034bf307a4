package eval_test

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"

	"pgregory.net/rapid"
)

// bounders are the evaluators that must have bounds, so that presets prune.
var bounders = []string{"snake", "snake-empty", "weighted-snake", "edges", "gradient"}

// anyBounder draws one of them, or a sum with weights of either sign.
func anyBounder(t *rapid.T) (eval.Evaluator, eval.Bounder) {
	var e eval.Evaluator
	if rapid.Bool().Draw(t, "sum") {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(bounders), 1, 4, rapid.ID).Draw(t, "names")
		weights := make([]float64, len(names))
		for i := range weights {
			weights[i] = rapid.Float64Range(-3, 3).Draw(t, "weight")
		}
		sum := must.Get(eval.NewSum(names, weights))(t)
		e = sum
	} else {
		made := must.Get(eval.New(rapid.SampledFrom(bounders).Draw(t, "name")))(t)
		e = made
	}
	return e, e.(eval.Bounder)
}

// wish prefers some of the next boards. Play that maximizes it comes close to the bounds, which random
// play would not.
type wish func(v, best float64) bool

var wishes = map[string]wish{
	"high":   func(v, best float64) bool { return v > best },
	"low":    func(v, best float64) bool { return v < best },
	"random": nil,
}

// choose draws one of the positions or takes the one the wish prefers.
func choose(t *rapid.T, e eval.Evaluator, next []eval.Position, w wish) eval.Position {
	if w == nil {
		return next[rapid.IntRange(0, len(next)-1).Draw(t, "way")]
	}
	best, value := next[0], e.Value(&next[0])
	for _, p := range next[1:] {
		if v := e.Value(&p); w(v, value) {
			best, value = p, v
		}
	}
	return best
}

func slides(p eval.Position) (next []eval.Position) {
	for _, d := range board.Directions {
		if after, reward, moved := p.Board.Slide(d); moved {
			next = append(next, eval.Position{Board: after, Score: p.Score + reward})
		}
	}
	return next
}

func spawns(p eval.Position) (next []eval.Position) {
	for i := range p.Board.Size().Cells() {
		for exponent := uint8(1); exponent <= 2 && p.Board.Cell(i) == 0; exponent++ {
			placed := p
			placed.Board.Set(i, exponent)
			next = append(next, placed)
		}
	}
	return next
}

// within reports whether a value lies between the bounds, except for rounding.
func within(v, low, high float64) bool {
	slack := 1e-12 * math.Max(math.Abs(low), math.Abs(high))
	return v >= low-slack && v <= high+slack
}

func TestBoundsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e, bounder := anyBounder(t)
		p := *anyPosition(t)
		start := p.Board
		more := rapid.IntRange(0, 4).Draw(t, "spawns")
		low, high := bounder.Bounds(&p, more)
		check := func() {
			if v := e.Value(&p); !p.Board.Terminal() && !within(v, low, high) {
				t.Fatalf("%v, at most %d spawns after %v, has value %v, not within %v and %v", p.Board, more, start, v, low, high)
			}
		}
		check()
		w := wishes[rapid.SampledFrom([]string{"high", "low", "random"}).Draw(t, "wish")]
		slide := func() {
			// More than one slide between spawns is no play of the game; the bounds hold.
			for range rapid.IntRange(0, 2).Draw(t, "slides") {
				if next := slides(p); len(next) > 0 {
					p = choose(t, e, next, w)
					check()
				}
			}
		}
		slide()
		for range more {
			next := spawns(p)
			if len(next) == 0 {
				return
			}
			p = choose(t, e, next, w)
			check()
			slide()
		}
	})
}

// The bounds are tight enough to be useful.
func TestBoundsAreClose(t *testing.T) {
	for _, name := range bounders {
		e := evaluator(t, name)
		p := eval.Position{Board: parse(t, "512,256,128,64/4,8,16,32/2,2,0,0/0,0,0,0"), Score: 9000}
		if name == "snake-empty" {
			p.Board = p.Board.Flipped()
		}
		low, high := e.(eval.Bounder).Bounds(&p, 2)
		if v := e.Value(&p); high > 2*v || low < -2*v || low > v {
			t.Errorf("%s has value %v, bounds %v and %v", name, v, low, high)
		}
	}
}

// The bounds include the first spawn on an empty board.
func TestBoundsOfTheEmptyBoard(t *testing.T) {
	for _, name := range bounders {
		e := evaluator(t, name)
		for _, size := range sizes() {
			p := eval.Position{Board: board.New(size)}
			for more := range 3 {
				low, high := e.(eval.Bounder).Bounds(&p, more)
				for _, q := range append(spawns(p)[:min(more, 1)*2*size.Cells()], p) {
					if v := e.Value(&q); !within(v, low, high) {
						t.Errorf("%s of %v is %v, not within %v and %v", name, q.Board, v, low, high)
					}
				}
			}
		}
	}
}
