package search_test

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// survival is the chance that a legal move is left after each of some moves and its spawn, played as well as possible.
func survival(b *board.Board, plies int, p4 float64) (best float64, chances [4]float64) {
	for _, d := range board.Directions {
		after, _, moved := b.Slide(d)
		if !moved {
			continue
		}
		sum := 0.0
		for i := range after.Size().Cells() {
			if after.Cell(i) != 0 {
				continue
			}
			for exponent, p := range map[uint8]float64{1: 1 - p4, 2: p4} {
				next := after
				next.Set(i, exponent)
				alive := 1.0
				if next.Terminal() {
					alive = 0
				} else if plies > 1 {
					alive, _ = survival(&next, plies-1, p4)
				}
				sum += p * alive
			}
		}
		chances[d] = sum / float64(after.Empty())
		best = max(best, chances[d])
	}
	return best, chances
}

// Of moves that are all lost, each search takes one that survives with the best chance.
func TestLostMovesAreRankedByTheChanceToSurvive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	byLines := eval.NewLines(eval.NneonneoWeights())
	searches := map[string]searcher{
		"expectimax":     search.NewExpectimax(search.ExpectimaxOptions{Eval: evaluator(t, "snake"), Plies: 2, Leaf: search.LeafSpawn}),
		"on 4x4, packed": search.NewExpectimax4(search.ExpectimaxOptions{Eval: byLines, Plies: 2, Leaf: search.LeafSpawn}, lines(t, byLines)),
		"minimax":        search.NewMinimax(search.MinimaxOptions{Eval: evaluator(t, "snake"), Layers: 3, AlphaBeta: true}),
	}
	boards := soak.Pick(120, 400)
	tried, notLowest := 0, 0
	for range 100_000 {
		b := board.New(board.Size{Rows: 4, Cols: 4})
		for i := range 16 {
			b.Set(i, uint8(1+rng.IntN(6)))
		}
		b.Set(rng.IntN(16), 0)
		legal := b.Legal()
		if len(legal) < 2 {
			continue
		}
		best, chances := survival(&b, 2, 0.1)
		if best == 1 {
			continue
		}
		for name, s := range searches {
			r := mustSearch(t, s, query(b, 0))
			if !r.Moves[r.Move].Lost() {
				continue
			}
			tried++
			if chances[legal[0]] < best-1e-12 {
				notLowest++
			}
			if chances[r.Move] < best-1e-12 {
				t.Fatalf("%s on %v: %v, of chances %v", name, b, r.Move, chances)
			}
		}
		if tried > boards {
			break
		}
	}
	if tried < boards || notLowest < boards/8 {
		t.Errorf("%d boards, on %d another than the lowest direction", tried, notLowest)
	}
}
