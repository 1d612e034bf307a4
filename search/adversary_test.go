package search_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/eval"
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
