package search_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// remembering is the common interface of both searches with a table.
type remembering interface {
	searcher
	ClearTable()
}

// A table of LifetimeSearch changes no value without MinProb, nor for evaluators that use the
// score.
func TestBoardTableChangesNothing(t *testing.T) {
	deal := newDealer(500)
	fewer := 0
	for _, e := range everyEvaluator(t) {
		for i := range 3 * len(smallSizes) {
			p := deal.position(smallSizes[i%len(smallSizes)])
			o := search.ExpectimaxOptions{Eval: e.Evaluator, Leaf: search.Leaf(deal.IntN(2)), P4: []float64{0, -1, 1, 0.3}[deal.IntN(4)]}
			o.Plies = plies(&p, o.Leaf, 20000, 5)
			if deal.IntN(3) == 0 {
				o.PruneMargin = margins(o.Eval, &p)
			}
			if i%4 == 0 {
				o.Nodes = 1 << 40
			}
			want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			o.TT, o.TTExact, o.TTLifetime = 1, deal.IntN(2) == 0, search.TTLifetime(deal.IntN(2))
			o.Prune = search.Prune(deal.IntN(3))
			got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			if got.Nodes < want.Nodes {
				fewer++
			}
			if got.Nodes > want.Nodes {
				t.Fatalf("%s, %+v: %d nodes, without table %d", e.name, o, got.Nodes, want.Nodes)
			}
			if got.Nodes = want.Nodes; got != want && !(eval.IsSymmetric(o.Eval) && sameButRounding(&got, &want)) {
				t.Fatalf("%s, %+v of %v:\n got %+v\nwant %+v", e.name, o, p.Board, got, want)
			}
		}
	}
	if fewer < 100 {
		t.Errorf("the table made only %d trees smaller", fewer)
	}
}

// An exact table for the whole game gives the values of none.
func TestStrictTableOfAGame(t *testing.T) {
	for _, size := range []board.Size{{Rows: 3, Cols: 3}, {Rows: 5, Cols: 5}} {
		o := search.ExpectimaxOptions{Eval: evaluator(t, "product"), Plies: 3}
		plain := search.NewExpectimax(o)
		o.TT, o.TTLifetime, o.TTExact = 8<<20, search.LifetimeGame, true
		table := search.NewExpectimax(o)
		g := newGame(t, size, 1, 0, 0.1)
		for range 30 {
			q := query(g.Board(), g.Score())
			want, got := mustSearch(t, plain, q), mustSearch(t, table, q)
			if !sameButRounding(&got, &want) {
				t.Fatalf("%v:\n got %+v\nwant %+v", q.Board, got, want)
			}
			if !got.OK {
				break
			}
			must.Do(t, g.Move(got.Move))
		}
	}
}

// eachRemembering runs a test on both searches.
func eachRemembering(t *testing.T, o search.ExpectimaxOptions, check func(t *testing.T, o search.ExpectimaxOptions, fresh func(search.ExpectimaxOptions) remembering)) {
	for name, fresh := range map[string]func(search.ExpectimaxOptions) remembering{
		"boards": func(o search.ExpectimaxOptions) remembering { return search.NewExpectimax(o) },
		"bits":   func(o search.ExpectimaxOptions) remembering { return compiled(t, o) },
	} {
		for scope := search.LifetimeSearch; scope <= search.LifetimeGame; scope++ {
			for _, strict := range []bool{false, true} {
				o := o
				o.TTLifetime, o.TTExact = scope, strict
				t.Run(fmt.Sprintf("%s, scope %d, strict %v", name, scope, strict), func(t *testing.T) { check(t, o, fresh) })
			}
		}
	}
}

// Earlier queries affect the result only with a table of LifetimeGame, and not after ClearTable.
func TestScopesAndForget(t *testing.T) {
	positions := played(t, 5, 40) // more than table4 has generations
	o := search.ExpectimaxOptions{Eval: evaluator(t, "weighted-snake"), Plies: 3, MinProb: 0.002, TT: 1}
	eachRemembering(t, o, func(t *testing.T, o search.ExpectimaxOptions, fresh func(search.ExpectimaxOptions) remembering) {
		used := fresh(o)
		for i, p := range positions {
			q := search.Query{Position: p}
			if o.TTLifetime == search.LifetimeGame {
				used.ClearTable()
			}
			first := mustSearch(t, used, q)
			if i%8 == 0 {
				if want := mustSearch(t, fresh(o), q); first != want {
					t.Fatalf("position %d: a used search says %+v\na new one %+v", i, first, want)
				}
			}
			again := mustSearch(t, used, q)
			if o.TTLifetime != search.LifetimeGame && again != first {
				t.Fatalf("position %d: first %+v\nthen %+v", i, first, again)
			}
			if o.TTLifetime == search.LifetimeGame && (again.Nodes > 8 || again.Moves != first.Moves) {
				t.Fatalf("position %d: first %+v\nremembered %+v", i, first, again)
			}
		}
	})
}

// A table's hits must not end deepening: a value found at a lower depth in an earlier search may
// still be cut off by that depth.
func TestDeepeningGoesOnThroughTheTable(t *testing.T) {
	o := search.ExpectimaxOptions{Eval: evaluator(t, "weighted-snake"), Plies: 4, Nodes: 1 << 40, TT: 8 << 20}
	positions := played(t, 6, 3)
	eachRemembering(t, o, func(t *testing.T, o search.ExpectimaxOptions, fresh func(search.ExpectimaxOptions) remembering) {
		used := fresh(o)
		for _, p := range positions {
			for range 3 {
				if r := mustSearch(t, used, search.Query{Position: p}); r.Plies != o.Plies {
					t.Fatalf("%v: searched to %d plies, want %d", p.Board, r.Plies, o.Plies)
				}
			}
		}
	})
}

// ClearTable also clears the search that is used when nibbles do not hold a board.
func TestExpectimax4ForgetsLargeTilesToo(t *testing.T) {
	s := compiled(t, search.ExpectimaxOptions{Eval: evaluator(t, "weighted-snake"), Plies: 3, TT: 1, TTLifetime: search.LifetimeGame})
	q := query(parse(t, "131072,65536,32768,16384/8192,4096,2048,1024/512,256,128,64/4,8,2,0"), 0)
	first := mustSearch(t, s, q)
	if again := mustSearch(t, s, q); again.Nodes >= first.Nodes {
		t.Errorf("%d nodes, then %d", first.Nodes, again.Nodes)
	}
	s.ClearTable()
	if again := mustSearch(t, s, q); again != first {
		t.Errorf("after ClearTable %+v, first %+v", again, first)
	}
}
