package search_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/search"
)

// open is a board whose tree is too large to search completely.
const open = "2,4,8,16/0,0,2,4/0,0,0,0/0,0,0,0"

// bits returns fast searches of 4x4 with the evaluator lines, with and without a table.
func bits(t *testing.T, o search.ExpectimaxOptions) map[string]searcher {
	all := map[string]searcher{}
	o.Eval = everyLinewise(t)["lines"]
	for _, o.TT = range []int64{0, search.MinTT} {
		name := fmt.Sprintf("bits: plies %d, time %v, nodes %d, min_prob %v, tt %d", o.Plies, o.Time, o.Nodes, o.MinProb, o.TT)
		all[name] = compiled(t, o)
	}
	return all
}

// A stopped search and its table can be used again.
func TestStoppedSearchesLeaveNothingWrong(t *testing.T) {
	synctest.Test(t, stoppedSearchesLeaveNothingWrong)
}

func stoppedSearchesLeaveNothingWrong(t *testing.T) {
	q := query(parse(t, "2,4,8,16/0,2,64,4/8,4,2,32/2,0,4,2"), 0)
	o := search.ExpectimaxOptions{Eval: everyLinewise(t)["lines"], Plies: 4, TT: search.MinTT, TTExact: true}
	want := mustSearch(t, search.NewExpectimax(o), q)
	stopped := 0
	for _, wait := range []time.Duration{0, 1, 2, 3, 5, 8, 12, 20, 40} {
		for _, s := range []searcher{compiled(t, o), search.NewExpectimax(o)} {
			ctx, cancel := context.WithTimeout(bg, wait*tick)
			_, err := s.Search(ticking{ctx}, q)
			if cancel(); err != nil {
				stopped++
			}
			got := mustSearch(t, s, q)
			if got.Nodes = want.Nodes; got != want {
				t.Fatalf("%T after %d looks (%v): %+v, want %+v", s, wait, err, got, want)
			}
		}
	}
	if stopped < 3 {
		t.Errorf("only %d searches were stopped", stopped)
	}
}

// A node limit holds and gives the same result every time.
func TestExpectimax4NodeLimit(t *testing.T) {
	const few = 200 // nodes made before the first check, and while the search steps back up
	positions := played(t, 3, 10)
	for _, nodes := range []int64{1, 500, 8000} {
		for _, cut := range []float64{0, 0.01} {
			used := bits(t, search.ExpectimaxOptions{Nodes: nodes, MinProb: cut})
			for _, p := range positions {
				fresh := bits(t, search.ExpectimaxOptions{Nodes: nodes, MinProb: cut})
				for name, s := range used {
					q := search.Query{Position: p}
					r := mustSearch(t, s, q)
					if r.Nodes > nodes+few || !r.OK {
						t.Fatalf("%s: %d nodes at %v", name, r.Nodes, p.Board)
					}
					if again := mustSearch(t, fresh[name], q); again != r {
						t.Fatalf("%s at %v: a used search says %+v\na new one %+v", name, p.Board, r, again)
					}
				}
			}
		}
	}
}
