package search_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/search"
)

// open is a board whose tree has no end.
const open = "2,4,8,16/0,0,2,4/0,0,0,0/0,0,0,0"

// eachThreads runs a test of Expectimax4 with options for one thread and for several, with and
// without a table, and checks that no goroutine is left.
func eachThreads(t *testing.T, o search.ExpectimaxOptions, check func(t *testing.T, o search.ExpectimaxOptions, l *search.Lines)) {
	defer testenv.NoLeaks(t, goleak.IgnoreCurrent())
	o.Eval = everyLinewise(t)["lines"]
	l := lines(t, o.Eval)
	for _, threads := range []int{0, 2, 4} {
		for _, table := range []int64{0, search.MinTT} {
			o := o
			o.Threads, o.TT = threads, table
			check(t, o, l)
		}
	}
}

// bits are searches of 4x4 by the evaluator lines, for one thread and for several, with and without a table.
func bits(t *testing.T, o search.ExpectimaxOptions) map[string]searcher {
	all := map[string]searcher{}
	eachThreads(t, o, func(t *testing.T, o search.ExpectimaxOptions, l *search.Lines) {
		name := fmt.Sprintf("bits: plies %d, time %v, nodes %d, min_prob %v, tt %d, threads %d", o.Plies, o.Time, o.Nodes, o.MinProb, o.TT, o.Threads)
		all[name] = search.NewExpectimax4(o, l)
	})
	return all
}

// A stopped search can be used again, its table too.
func TestStoppedSearchesLeaveNothingWrong(t *testing.T) {
	synctest.Test(t, stoppedSearchesLeaveNothingWrong)
}

func stoppedSearchesLeaveNothingWrong(t *testing.T) {
	q := query(parse(t, "2,4,8,16/0,2,64,4/8,4,2,32/2,0,4,2"), 0)
	for _, threads := range []int{0, 3} {
		o := search.ExpectimaxOptions{Eval: everyLinewise(t)["lines"], Plies: 4, Threads: threads, TT: search.MinTT, TTExact: true}
		o.NewEval = func() eval.Evaluator { return everyLinewise(t)["lines"] }
		want := mustSearch(t, search.NewExpectimax(o), q)
		l := lines(t, o.Eval)
		stopped := 0
		for _, wait := range []time.Duration{0, 1, 2, 3, 5, 8, 12, 20, 40} {
			for _, s := range []searcher{search.NewExpectimax4(o, l), search.NewExpectimax(o)} {
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
		if stopped < 6 {
			t.Errorf("only %d searches were stopped", stopped)
		}
	}
}

// A node limit gives the same result every time with one thread, and holds with several.
func TestExpectimax4NodeLimit(t *testing.T) {
	positions := played(t, 3, 10)
	for _, nodes := range []int64{1, 500, 8000} {
		for _, cut := range []float64{0, 0.01} {
			eachThreads(t, search.ExpectimaxOptions{Nodes: nodes, MinProb: cut}, func(t *testing.T, o search.ExpectimaxOptions, l *search.Lines) {
				s := search.NewExpectimax4(o, l)
				few := int64(200) // made before it looks, and while the search steps back up
				if o.Threads > 1 {
					few = 4400 // of which the others have not heard
				}
				for _, p := range positions {
					q := search.Query{Position: p}
					r := mustSearch(t, s, q)
					if maximum := nodes + few*int64(max(o.Threads, 1)); r.Nodes > maximum || !r.OK {
						t.Fatalf("%+v: %d nodes at %v", o, r.Nodes, p.Board)
					}
					if o.Threads > 1 {
						continue
					}
					if fresh := mustSearch(t, search.NewExpectimax4(o, l), q); fresh != r {
						t.Fatalf("%+v at %v: a used search says %+v\na new one %+v", o, p.Board, r, fresh)
					}
				}
			})
		}
	}
}
