package search_test

import (
	"context"
	"errors"
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

func TestExpectimax4TimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const budget = 30 * tick
		q := query(parse(t, open), 0)
		eachThreads(t, search.ExpectimaxOptions{Time: budget}, func(t *testing.T, o search.ExpectimaxOptions, l *search.Lines) {
			start := time.Now()
			r, err := search.NewExpectimax4(o, l).Search(ticking{bg}, q)
			took := time.Since(start)
			if err != nil || took < budget || took > budget+2*tick || !r.OK || r.Plies < 2 {
				t.Errorf("%d threads, table %d: %+v after %v, limit %v, %v", o.Threads, o.TT, r, took, budget, err)
			}
			// It checks the time every 4096 nodes of a thread.
			if maximum := int64(budget/tick+2) * 4400 * int64(max(o.Threads, 1)); r.Nodes > maximum {
				t.Errorf("%d threads, table %d: %d nodes, want at most %d", o.Threads, o.TT, r.Nodes, maximum)
			}
		})
	})
}

// How late a search returns by the wall clock.
func BenchmarkTimeLimit(b *testing.B) {
	const budget = 30 * time.Millisecond
	e := everyLinewise(b)["lines"]
	q := query(parse(b, open), 0)
	for _, threads := range []int{1, 2} {
		o := search.ExpectimaxOptions{Eval: e, Time: budget, Threads: threads, NewEval: func() eval.Evaluator { return e }}
		l := lines(b, e)
		for name, s := range map[string]searcher{"boards": search.NewExpectimax(o), "bits": search.NewExpectimax4(o, l)} {
			b.Run(fmt.Sprint(name, "/threads=", threads), func(b *testing.B) {
				for b.Loop() {
					if _, err := s.Search(bg, q); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64((b.Elapsed()/time.Duration(b.N) - budget).Microseconds()), "us-late/op")
			})
		}
	}
}

// A context ends a search: in the first level with its error, later with the result so far.
func TestContextEndsExpectimax4(t *testing.T) { synctest.Test(t, contextEndsExpectimax4) }

func contextEndsExpectimax4(t *testing.T) {
	q := query(parse(t, open), 0)
	for _, o := range []search.ExpectimaxOptions{{Plies: 20}, {Plies: 20, MinProb: 1e-7}, {Time: time.Hour}, {Nodes: 1 << 40}} {
		deepens := o.Time > 0 || o.Nodes > 0
		eachThreads(t, o, func(t *testing.T, o search.ExpectimaxOptions, l *search.Lines) {
			s := search.NewExpectimax4(o, l)
			ended, cancel := context.WithCancel(bg)
			cancel()
			if r, err := s.Search(ended, q); !deepens && (!errors.Is(err, context.Canceled) || r.OK) {
				t.Errorf("%+v, ended before: %+v, %v", o, r, err)
			}
			ctx, cancel := context.WithTimeout(bg, 10*tick)
			defer cancel()
			start := time.Now()
			r, err := s.Search(ticking{ctx}, q)
			if took := time.Since(start); took > 12*tick {
				t.Errorf("%+v came back after %v", o, took)
			}
			if deepens && (err != nil || !r.OK) || !deepens && (!errors.Is(err, context.DeadlineExceeded) || r.OK) {
				t.Errorf("%+v: %v, ok %v", o, err, r.OK)
			}
		})
	}
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

// With SoftLimit a search ends when the next level would not finish: it makes fewer boards for the
// same result, or occasionally omits a level.
func TestSpare(t *testing.T) {
	o := search.ExpectimaxOptions{Eval: everyLinewise(t)["lines"], Nodes: 20000}
	l := lines(t, o.Eval)
	spare := o
	spare.SoftLimit = true
	for what, pair := range map[string][2]searcher{
		"boards": {search.NewExpectimax(o), search.NewExpectimax(spare)},
		"bits":   {search.NewExpectimax4(o, l), search.NewExpectimax4(spare, l)},
	} {
		saved, shallow := int64(0), 0
		for _, p := range played(t, 11, 30) {
			full, less := mustSearch(t, pair[0], search.Query{Position: p}), mustSearch(t, pair[1], search.Query{Position: p})
			if less.Plies > full.Plies || less.Nodes > full.Nodes || less.Plies == full.Plies && less.Moves != full.Moves {
				t.Errorf("%s: %+v, without SoftLimit %+v", what, less, full)
			}
			if saved += full.Nodes - less.Nodes; less.Plies < full.Plies {
				shallow++
			}
		}
		if saved < 30*20000/5 || shallow > 6 {
			t.Errorf("%s: %d nodes saved, %d of 30 answers less deep", what, saved, shallow)
		}
	}
}

// Boards without a legal move, and a board too large for nibbles, under every limit.
func TestExpectimax4OnDeadBoards(t *testing.T) {
	for _, o := range []search.ExpectimaxOptions{{Plies: 3}, {Time: time.Hour}, {Nodes: 1000}} {
		eachThreads(t, o, func(t *testing.T, o search.ExpectimaxOptions, l *search.Lines) {
			s := search.NewExpectimax4(o, l)
			for _, text := range []string{"2,4,8,16/16,8,4,2/2,4,8,16/16,8,4,2", "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "131072,65536,131072,65536/65536,131072,65536,131072/2,4,2,4/4,2,4,2"} {
				r := mustSearch(t, s, query(parse(t, text), 0))
				if r.OK || r.Plies != 0 || r.Moves != [4]search.MoveValue{} {
					t.Errorf("%+v on %s: %+v", o, text, r)
				}
			}
		})
	}
}
