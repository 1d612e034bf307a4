package search_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// worstSpawn tries every tile on every cell, the first cell and the 2 first.
func worstSpawn(e eval.Evaluator, b board.Board, plies int, friendly bool) (worst game.Spawn) {
	value := 0.0
	for cell := range b.Size().Cells() {
		for exponent := uint8(1); exponent <= 2 && b.Cell(cell) == 0; exponent++ {
			v := plainMinimax{worth{e, -inf}}.player(placed(eval.Position{Board: b}, cell, exponent), 2*plies-1)
			if friendly {
				v = -v
			}
			if worst.Exponent == 0 || v < value {
				worst, value = game.Spawn{Cell: cell, Exponent: exponent}, v
			}
		}
	}
	return worst
}

func TestAdversaryPicksTheWorstTile(t *testing.T) {
	evaluators := []named{{"nil", nil}, {"coins", coins}, {"snake", evaluator(t, "snake")}, {"points", points}}
	for i, e := range evaluators {
		judge := e.Evaluator
		if judge == nil {
			judge = evaluator(t, "gradient") // the documented default
		}
		for _, friendly := range []bool{false, true} {
			for plies := 0; plies <= 2; plies++ {
				a := &search.Adversary{Eval: e.Evaluator, Plies: plies, Friendly: friendly}
				deal := newDealer(uint64(400 + i))
				for n := range 60 {
					b := deal.position(smallSizes[n%5]).Board
					if b.Empty() == 0 || plies == 2 && b.Empty() > 4 {
						continue
					}
					got, err := a.Spawn(&b)
					if want := worstSpawn(judge, b, max(plies, 1), friendly); err != nil || got != want {
						t.Fatalf("%s, friendly %v, %d plies of %v: %+v, %v; want %+v", e.name, friendly, plies, b, got, err, want)
					}
				}
			}
		}
	}
}

func TestAdversaryNeedsAnEmptyCell(t *testing.T) {
	b := parse(t, "2,4/4,2")
	if s, err := new(search.Adversary).Spawn(&b); err == nil {
		t.Errorf("a spawn on a full board: %+v", s)
	}
}

// A game against the adversary is valid: tiles spawn on empty cells, moves can be undone and
// repeated with the same tiles, and two runs are equal.
func TestAdversaryInGames(t *testing.T) {
	for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 3, Cols: 3}, {Rows: 4, Cols: 4}} {
		var lengths [2]int
		for i, friendly := range []bool{false, true} {
			play := func() (steps []game.Step, over bool) {
				a := &search.Adversary{Friendly: friendly}
				g := must.Get(game.New(game.Options{Size: size, Spawner: a}))(t)
				s := search.NewExpectimax(search.ExpectimaxOptions{Eval: evaluator(t, "empty"), Plies: 1})
				for n := 0; n < 400 && !g.Over(); n++ {
					must.Do(t, g.Move(mustSearch(t, s, query(g.Board(), g.Score())).Move))
					if n%10 == 9 {
						undoAndRepeat(t, g)
					}
				}
				return g.Steps(), g.Over()
			}
			first, over := play()
			second, _ := play()
			lengths[i] = len(first)
			if len(first) != len(second) {
				t.Fatalf("%v: games of %d and %d moves", size, len(first), len(second))
			}
			for k := range first {
				if first[k] != second[k] {
					t.Fatalf("%v: move %d is %+v, then %+v", size, k, first[k], second[k])
				}
			}
			if !friendly && !over {
				t.Errorf("%v: 400 moves against the adversary", size)
			}
		}
		if lengths[1] <= lengths[0] {
			t.Errorf("%v: %d moves with a friend, %d against the adversary", size, lengths[1], lengths[0])
		}
	}
}

// undoAndRepeat takes the last moves back and makes them again.
func undoAndRepeat(t *testing.T, g *game.Game) {
	t.Helper()
	b, score, steps := g.Board(), g.Score(), g.Steps()
	last := steps[len(steps)-3:]
	for range last {
		g.Undo()
	}
	for _, s := range last {
		must.Do(t, g.Move(s.Move))
		if g.LastSpawn() != s.Spawn {
			t.Fatalf("%v brought %+v, when repeated %+v", s.Move, s.Spawn, g.LastSpawn())
		}
	}
	if g.Board() != b || g.Score() != score {
		t.Fatalf("%v score %d, when repeated %v score %d", b, score, g.Board(), g.Score())
	}
}
