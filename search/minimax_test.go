package search_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/search"
)

// layersFor is the number of layers at which a reference search of a position makes at most about
// the given number of boards.
func layersFor(p *eval.Position, boards, maximum int) int {
	cost := 4.0
	for n := range maximum {
		if n%2 == 0 {
			cost *= 2 * float64(p.Board.Empty()+1)
		} else {
			cost *= 4
		}
		if cost > float64(boards) {
			return n
		}
	}
	return maximum
}

// eachMinimaxCase tests every layer count from 0 to 4, and deeper where the board is nearly full.
func eachMinimaxCase(t *testing.T, check func(what string, e eval.Evaluator, p eval.Position, layers int)) {
	t.Helper()
	seed := uint64(100)
	for _, e := range everyEvaluator(t) {
		seed++
		deal := newDealer(seed)
		for _, size := range smallSizes {
			for range soak.Pick(4, 8) {
				p := deal.position(size)
				deepest := layersFor(&p, 1000, 6)
				for layers := deepest; layers >= 0 && layers > deepest-3; layers-- {
					check(fmt.Sprintf("%s, %d layers of %v score %d", e.name, layers, p.Board, p.Score), e.Evaluator, p, layers)
				}
			}
		}
	}
}

func TestMinimaxEqualsThePlainSearch(t *testing.T) {
	seen := map[int]int{}
	eachMinimaxCase(t, func(what string, e eval.Evaluator, p eval.Position, layers int) {
		got := mustSearch(t, search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: layers}), search.Query{Position: p})
		sameAnswer(t, what, got, plainMinimax{worth{e, -inf}}.answer(p, layers))
		if got.OK && got.Plies != 1+layers/2 {
			t.Fatalf("%s: answer of %d plies", what, got.Plies)
		}
		seen[layers]++
	})
	for layers := range 5 {
		if seen[layers] < soak.Pick(30, 100) {
			t.Errorf("only %d cases of %d layers", seen[layers], layers)
		}
	}
}

// Alpha-beta changes neither the best move nor its value, and never makes a board
// that the plain search does not make.
func TestAlphaBetaEqualsMinimax(t *testing.T) {
	eachMinimaxCase(t, func(what string, e eval.Evaluator, p eval.Position, layers int) {
		want := mustSearch(t, search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: layers}), search.Query{Position: p})
		for _, all := range []bool{false, true} {
			s := search.NewMinimax(search.MinimaxOptions{Eval: e, Layers: layers, AlphaBeta: true})
			for range 2 { // the second search starts with the killers of the first
				got := mustSearch(t, s, search.Query{Position: p, All: all})
				sameChoice(t, fmt.Sprintf("%s, all %v", what, all), got, want, all)
				if got.Nodes > want.Nodes {
					t.Fatalf("%s: %d nodes, without pruning %d", what, got.Nodes, want.Nodes)
				}
			}
		}
	})
}

// Windows are shifted by rewards, with rounding: a bound just outside must not become a tie.
func TestAlphaBetaKnowsTiesOfPoints(t *testing.T) {
	deal := newDealer(200)
	for _, e := range []named{{"points", points}, {"even points", evenPoints}} {
		for i := range soak.Pick(3000, 12000) {
			p := deal.position(smallSizes[i%4])
			o := search.MinimaxOptions{Eval: e.Evaluator, Layers: min(1+i%3, layersFor(&p, 500, 3))}
			want := mustSearch(t, search.NewMinimax(o), search.Query{Position: p})
			o.AlphaBeta = true
			got := mustSearch(t, search.NewMinimax(o), search.Query{Position: p})
			sameChoice(t, fmt.Sprintf("%s, %d layers of %v score %d", e.name, o.Layers, p.Board, p.Score), got, want, false)
		}
	}
}
