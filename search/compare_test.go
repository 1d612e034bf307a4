package search_test

import (
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// sameAnswer requires every legal move's exact value and the best move. If all moves are lost, any of them will do: see
// TestLostMovesAreRankedByTheChanceToSurvive.
func sameAnswer(t testing.TB, what any, got search.Result, want answer) {
	t.Helper()
	for _, d := range board.Directions {
		v, legal := want[d]
		m := got.Moves[d]
		if m.Legal != legal || m.Bound || legal && m.Value != v || m.Lost() != (legal && math.IsInf(v, -1)) {
			t.Fatalf("%v\n%v is %+v, want legal %v and value %v", what, d, m, legal, v)
		}
	}
	move, ok := want.best()
	lost := ok && math.IsInf(want[move], -1) && got.Moves[got.Move].Lost()
	if got.OK != ok || ok && !lost && got.Move != move {
		t.Fatalf("%v\nmove %v (%v), want %v (%v)", what, got.Move, got.OK, move, ok)
	}
}

// sameChoice requires what pruning guarantees: the best move and its value equal to the last bit;
// for other moves the exact value, or an upper bound below the best.
func sameChoice(t testing.TB, what any, got, want search.Result, all bool) {
	t.Helper()
	if got.OK != want.OK || got.Plies != want.Plies {
		t.Fatalf("%v\nok %v at %d plies, want %v at %d", what, got.OK, got.Plies, want.OK, want.Plies)
	}
	if got.OK && (got.Move != want.Move || got.Best() != want.Best()) {
		t.Fatalf("%v\nmove %v with value %v, want %v with value %v", what, got.Move, got.Best(), want.Move, want.Best())
	}
	for d, m := range got.Moves {
		w := want.Moves[d]
		switch {
		case m.Legal != w.Legal:
			t.Fatalf("%v\n%v legal: %v", what, board.Direction(d), m.Legal)
		case !m.Legal:
		case m.Bound && (all || m.Value < w.Value || m.Value >= got.Best()):
			t.Fatalf("%v\n%v is bounded by %v, its value is %v and the best %v", what, board.Direction(d), m.Value, w.Value, got.Best())
		case !m.Bound && m.Value != w.Value:
			t.Fatalf("%v\n%v has value %v, want %v", what, board.Direction(d), m.Value, w.Value)
		}
	}
}

// sameResult requires two searches to answer a query equally, except for the number of nodes.
func sameResult(t testing.TB, what string, reference, fast searcher, q search.Query) {
	t.Helper()
	want, got := mustSearch(t, reference, q), mustSearch(t, fast, q)
	if got.Nodes = want.Nodes; got != want {
		t.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}
