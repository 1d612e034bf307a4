package catalog_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// The tree of every player that searches has the values and the move of its answer,
// along games on all kinds of sizes. The quick suite takes fewer sizes and boards.
func TestTreeIsTheAnswers(t *testing.T) {
	specs := map[string]string{ // where shallow's are not enough, or depend on time
		"deepening":  "deepening(time=1h,depth=2)",
		"foresight":  "foresight(depth=3)",
		"alphabeta":  "alphabeta(depth=3)",
		"minimax":    "minimax(depth=2)",
		"expectimax": "expectimax(eval=gradient,nodes=3000,prune=star2,death_value=-100)",
		"beam":       "foresight(depth=12,beam=5)",
		"by time":    "minimax(time=1h,depth=2)",
	}
	for _, e := range catalog.Players(false) {
		if _, ok := specs[e.Name]; !ok {
			specs[e.Name] = specOf(e.Name)
		}
	}
	for name, text := range specs {
		m, err := catalog.Parse(text, catalog.Capabilities{Networks: catalog.NoNetworks})
		if err != nil {
			continue // exec needs a command
		}
		if _, err := catalog.AsSearcher(m.New(), text); err != nil {
			g := newGame(t, board.Size{Rows: 2, Cols: 2}, 1, 0)
			if source := decide(t, started(m.New(), g, 1, 0), query(g)).Source; source == "search" || source == "foresight" {
				t.Error(err)
			}
			continue
		}
		sizes := []board.Size{{Rows: 2, Cols: 2}, {Rows: 4, Cols: 4}, {Rows: 5, Cols: 3}, {Rows: 3, Cols: 4}, {Rows: 6, Cols: 6}}
		for _, size := range sizes[:soak.Pick(3, 5)] {
			g := newGame(t, size, 11, 2)
			p, reference := started(m.New(), g, 11, 2), started(m.New(), g, 11, 2).(player.Searcher)
			for n := 0; n < 30; n += soak.Pick(3, 1) {
				q := query(g)
				q.All = true
				want := decide(t, p, q)
				got, tree, err := reference.Tree(context.Background(), query(g), search.TreeOptions{Depth: 1, Width: 2})
				if err != nil {
					t.Fatal(err)
				}
				if name == "expert" || name == "auto" || name == "best" { // a tree is exact, where a table that is not exact answers with more
					want = got
				}
				sameAnswer(t, name, got, want)
				rootIs(t, name, tree, want)
				if !want.OK {
					break
				}
				for range 1 + n/4 { // on to later positions
					if g.Over() {
						break
					}
					_ = g.Move(decide(t, p, query(g)).Move)
				}
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

func rootIs(t *testing.T, name string, tree *search.Tree, d player.Decision) {
	t.Helper()
	if tree.Root.Board != d.Board || tree.Root.Terminal == d.OK || d.OK && tree.Root.Value != d.Best() {
		t.Fatalf("%s: root %+v, want that of %+v", name, tree.Root, d)
	}
	for _, c := range tree.Root.Children {
		if m := d.Moves[c.Move]; c.Value != m.Value && !(math.IsNaN(c.Value) && math.IsNaN(m.Value)) || c.Chosen != (c.Move == d.Move) {
			t.Fatalf("%s: %v has value %v, chosen %v, want %+v and %v", name, c.Move, c.Value, c.Chosen, m, d.Move)
		}
	}
}

func TestTreeErrors(t *testing.T) {
	_, err := catalog.AsSearcher(maker(t, "greedy").New(), "greedy")
	if err == nil || !strings.HasPrefix(err.Error(), "greedy searches no tree") || !strings.Contains(err.Error(), "foresight") || strings.Contains(err.Error(), "random") {
		t.Errorf("error %v", err)
	}
	p, err := catalog.AsSearcher(maker(t, "foresight").New(), "foresight")
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(t, board.Size{Rows: 4, Cols: 4}, 1, 0)
	if _, _, err := p.Tree(context.Background(), query(g), search.TreeOptions{}); !errors.Is(err, search.ErrUnknownSpawns) {
		t.Errorf("a blind foresight: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, spec := range []string{"auto", "snake", "minimax"} {
		p, err := catalog.AsSearcher(maker(t, spec).New(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, tree, err := p.Tree(ended, query(g), search.TreeOptions{}); !errors.Is(err, context.Canceled) || tree != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
}
