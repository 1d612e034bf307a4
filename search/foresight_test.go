package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

func mustForesee(t testing.TB, f *search.Foresight, g *game.Game) search.Result {
	t.Helper()
	return must.Get(f.Search(bg, query(g.Board(), g.Score()), g))(t)
}

// foreseen requires the results of the reference search of move sequences: the value of every move,
// and of the moves that reach the deepest layer the best, the lowest among equals.
func foreseen(t *testing.T, what string, got search.Result, want answer, deepest int, leaves []leaf) {
	t.Helper()
	for _, d := range board.Directions {
		v, legal := want[d]
		if m := got.Moves[d]; m.Legal != legal || legal && m.Value != v || m.Bound {
			t.Fatalf("%s\n%v is %+v, want legal %v and value %v", what, d, m, legal, v)
		}
	}
	reach := answer{}
	for _, l := range leaves {
		if len(l.line) == deepest {
			reach[l.first] = want[l.first]
		}
	}
	move, ok := reach.best()
	if got.OK != ok || ok && got.Move != move || got.Plies != deepest {
		t.Fatalf("%s\nmove %v (%v) at %d plies, want %v (%v) at %d", what, got.Move, got.OK, got.Plies, move, ok, deepest)
	}
}

// Whole games, every result compared with the reference.
func TestForesightEqualsThePlainSearch(t *testing.T) {
	for i, e := range []named{{"product", evaluator(t, "product")}, {"coins", coins}, {"snake", evaluator(t, "snake")}} {
		for _, size := range smallSizes {
			for _, p4 := range []float64{0, 0.1, 1} {
				seed := uint64(i)
				g := newGame(t, size, seed, 3, p4)
				depth := 1 + int(seed+uint64(size.Cells()))%4
				f := search.NewForesight(search.ForesightOptions{Eval: e.Evaluator, Depth: depth})
				for n := 0; n < soak.Pick(20, 60) && !g.Over(); n++ {
					plain := plainForesight{e.Evaluator, newFuture(seed, 3, p4, 2+g.Moves(), depth)}
					want, deepest, leaves := plain.answer(eval.Position{Board: g.Board(), Score: g.Score()}, depth)
					r := mustForesee(t, f, g)
					foreseen(t, fmt.Sprintf("%s, p4 %v, depth %d, move %d of %v", e.name, p4, depth, n, g.Board()), r, want, deepest, leaves)
					must.Do(t, g.Move(r.Move))
				}
			}
		}
	}
}

// plainBeam is the reference of the beam: layer by layer, one of equal boards, the best by value
// kept, the first found among equals.
func plainBeam(e eval.Evaluator, future future, p eval.Position, depth, width int) (a answer, deepest int) {
	type node struct {
		eval.Position
		firsts []board.Direction
		value  float64
	}
	a = answer{}
	layer := []node{{Position: p}}
	for k := range depth {
		var next []node
		for _, n := range layer {
			for _, s := range steps(n.Position) {
				child := node{Position: future.spawn(s.after, k), firsts: n.firsts, value: -inf}
				if k == 0 {
					child.firsts, a[s.move] = []board.Direction{s.move}, math.NaN()
				}
				if len(steps(child.Position)) > 0 {
					child.value = e.Value(&child.Position)
				}
				same := slices.IndexFunc(next, func(n node) bool { return n.Board == child.Board })
				if same < 0 {
					next = append(next, child)
				} else if next[same].Score != child.Score {
					panic("equal boards after the same spawns have different scores")
				} else {
					next[same].firsts = append(slices.Clone(next[same].firsts), child.firsts...)
				}
			}
		}
		alive := slices.DeleteFunc(slices.Clone(next), func(n node) bool { return n.value == -inf })
		if len(next) == 0 {
			break
		}
		layer, deepest = next, k+1
		if len(alive) == 0 {
			break
		}
		layer = alive
		if k+1 < depth && len(layer) > width {
			slices.SortStableFunc(layer, func(x, y node) int {
				switch {
				case x.value > y.value:
					return -1
				case x.value < y.value:
					return 1
				}
				return 0
			})
			layer = layer[:width]
		}
	}
	for _, n := range layer {
		for _, first := range n.firsts {
			if math.IsNaN(a[first]) || n.value > a[first] {
				a[first] = n.value
			}
		}
	}
	return a, deepest
}

func TestBeamEqualsThePlainBeam(t *testing.T) {
	for _, e := range []named{{"product", evaluator(t, "product")}, {"coins", coins}} {
		for _, size := range smallSizes {
			for _, width := range []int{1, 3, 20} {
				g := newGame(t, size, 21, 0, 0.1)
				f := search.NewForesight(search.ForesightOptions{Eval: e.Evaluator, Depth: 6, Beam: width})
				for n := 0; n < soak.Pick(15, 40) && !g.Over(); n++ {
					want, deepest := plainBeam(e.Evaluator, newFuture(21, 0, 0.1, 2+g.Moves(), 6), eval.Position{Board: g.Board(), Score: g.Score()}, 6, width)
					r := mustForesee(t, f, g)
					best := answer{}
					for d, v := range want {
						if m := r.Moves[d]; !m.Legal || m.Value != v && !(math.IsNaN(m.Value) && math.IsNaN(v)) {
							t.Fatalf("%s, beam %d of %v: %v is %+v, want %v", e.name, width, g.Board(), d, m, v)
						}
						if !math.IsNaN(v) {
							best[d] = v
						}
					}
					if move, _ := best.best(); r.Move != move || !r.OK || r.Plies != deepest {
						t.Fatalf("%s, beam %d of %v: %v at %d plies, want %v at %d", e.name, width, g.Board(), r.Move, r.Plies, move, deepest)
					}
					must.Do(t, g.Move(r.Move))
				}
			}
		}
	}
}

func TestContextEndsForesight(t *testing.T) { synctest.Test(t, contextEndsForesight) }

func contextEndsForesight(t *testing.T) {
	g := newGame(t, board.Size{Rows: 4, Cols: 4}, 1, 0, 0.1)
	for _, o := range []search.ForesightOptions{{Depth: 11}, {Depth: 10000, Beam: 5000}} {
		o.Eval = evaluator(t, "product")
		f := search.NewForesight(o)
		ctx, cancel := context.WithTimeout(bg, 5*tick) // it checks the context once per layer
		start := time.Now()
		r, err := f.Search(ticking{ctx}, query(g.Board(), g.Score()), g)
		cancel()
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || r.OK || took > 6*tick {
			t.Errorf("depth %d, beam %d: error %v, ok %v, after %v", o.Depth, o.Beam, err, r.OK, took)
		}
	}
	// Neither an incomplete layer nor anything left by an earlier query is used.
	f := search.NewForesight(search.ForesightOptions{Eval: evaluator(t, "product"), Depth: 6})
	ctx, cancel := context.WithCancel(bg)
	cancel()
	if _, err := f.Search(ctx, query(g.Board(), g.Score()), g); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	anew := search.NewForesight(search.ForesightOptions{Eval: evaluator(t, "product"), Depth: 6})
	must.Equal(t, mustForesee(t, f, g), mustForesee(t, anew, g), "after a stop")
}
