package catalog_test

import (
	"context"
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// The tree of every player that searches has the move of its answer, and the values of that at the root. Package search
// checks what is below.
func TestTreeIsTheAnswers(t *testing.T) {
	specs := map[string]string{ // where shallow's are not enough, or depend on time
		"deepening": "deepening(time=1h,depth=2)",
		"by time":   "minimax(time=1h,depth=2)",
	}
	for _, e := range everyPlayer() {
		if _, ok := specs[e.Name]; !ok {
			specs[e.Name] = specOf(e.Name)
		}
	}
	for name, text := range specs {
		m := maker(t, text)
		for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 4, Cols: 4}, {Rows: 5, Cols: 3}} {
			g := newGame(t, size, 11, 2)
			p, ok := player.As[player.Searcher](started(m.New(), g, 11, 2))
			if !ok {
				if source := decide(t, started(m.New(), g, 11, 2), query(g)).Source; source == "search" {
					t.Errorf("%s searches, but shows no tree", name)
				}
				continue
			}
			for n := 0; n < 12 && !g.Over(); n++ {
				q := query(g)
				q.All = true
				want := decide(t, p, q)
				got, tree, err := p.Tree(context.Background(), query(g), search.TreeOptions{Depth: 1, Width: 2})
				must.Do(t, err)
				if name != "expert" && name != "auto" && name != "best" { // a tree is exact, a table that is not answers with more
					sameAnswer(t, name, got, want)
				}
				if got.Player != want.Player || tree.Root.Board != got.Board || tree.Root.Value != got.Best() || len(tree.Root.Children) != len(got.Board.Legal()) {
					t.Fatalf("%s: root %+v, want that of %+v", name, tree.Root, got)
				}
				must.Do(t, g.Move(want.Move))
			}
		}
	}
}

func sameAnswer(t *testing.T, name string, got, want player.Decision) {
	t.Helper()
	if got.OK != want.OK || got.Move != want.Move || got.Plies != want.Plies || got.Board != want.Board ||
		got.Player != want.Player || got.Unit != want.Unit || got.Source != want.Source {
		t.Fatalf("%s: %+v, want %+v", name, got, want)
	}
	for d, m := range want.Moves {
		if g := got.Moves[d]; g.Legal != m.Legal || g.Value != m.Value && !(math.IsNaN(g.Value) && math.IsNaN(m.Value)) {
			t.Fatalf("%s on %v: %v is %+v, want %+v", name, want.Board, board.Direction(d), g, m)
		}
	}
}

// What goes wrong while a tree is made is checked by package search.
func TestTreeErrors(t *testing.T) {
	_, err := catalog.AsSearcher(maker(t, "greedy").New(), "greedy")
	if err == nil || err.Error() != "greedy does not search a tree: must be a player that does, such as auto, expectimax, minimax or ntuple" {
		t.Errorf("error %v", err)
	}
}
