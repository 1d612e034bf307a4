package search_test

import (
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// withThreads are options for several threads, for an evaluator that keeps no state.
func withThreads(o search.ExpectimaxOptions, threads int) search.ExpectimaxOptions {
	e := o.Eval
	o.Threads, o.NewEval = threads, func() eval.Evaluator { return e }
	return o
}

// Without a table several threads on boards of any size give one thread's results and make the same
// boards; so they do with an exact table.
func TestBoardThreadsChangeNothing(t *testing.T) {
	deal := newDealer(700)
	dead := -500.0
	for _, e := range []named{{"wild", unbound}, {"coins", coins.stub}, {"points", points}, {"few points", fewPoints}} {
		for i, o := range []search.ExpectimaxOptions{
			{}, {Leaf: search.LeafSpawn}, {DeathValue: &dead}, {P4: -1}, {P4: 1}, {MinProb: 0.02}, {PruneMargin: 3}, {Nodes: 1 << 40},
			{TT: 1, TTExact: true}, {TT: 1, TTExact: true, TTRootMove: true}, {TT: 1, TTExact: true, Nodes: 1 << 40},
			{TT: 1, Prune: search.PruneStar1}, {TT: 1, PruneMargin: 3, DeathValue: &dead},
		} {
			o.Eval = e.Evaluator
			for k, size := range smallSizes {
				p := deal.position(size)
				o.Plies = plies(&p, o.Leaf, 3000, 5)
				plain := o
				plain.TT = 0
				want := mustSearch(t, search.NewExpectimax(plain), search.Query{Position: p})
				many := search.NewExpectimax(withThreads(o, 2+(i+k)%3))
				for range 2 { // the second time with what the first one left
					got := mustSearch(t, many, search.Query{Position: p})
					if o.TT > 0 && got.Nodes <= want.Nodes {
						got.Nodes = want.Nodes
					}
					if got != want {
						t.Fatalf("%s, %+v of %v:\n got %+v\nwant %+v", e.name, o, p.Board, got, want)
					}
				}
			}
		}
	}
}

// With real evaluators, one for each thread, on positions of games.
func TestBoardThreadsTakeEvaluatorsOfTheirOwn(t *testing.T) {
	for _, name := range eval.Names() {
		o := search.ExpectimaxOptions{Eval: evaluator(t, name), Plies: 3}
		many := o
		many.Threads, many.NewEval = 3, func() eval.Evaluator { return evaluator(t, name) }
		one, three := search.NewExpectimax(o), search.NewExpectimax(many)
		deal := newDealer(701)
		for i := range 12 { // sizes change, and evaluators keep tables by size
			p := deal.position([]board.Size{{Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}, {Rows: 2, Cols: 5}}[i%3])
			q := search.Query{Position: p}
			if got, want := mustSearch(t, three, q), mustSearch(t, one, q); got != want {
				t.Fatalf("%s of %v:\n got %+v\nwant %+v", name, p.Board, got, want)
			}
		}
	}
}

// With pruning, and without NewEval, threads are not used: results equal one thread's, including
// the number of nodes.
func TestBoardThreadsDoNotPrune(t *testing.T) {
	deal := newDealer(702)
	for _, prune := range []search.Prune{search.PruneStar1, search.PruneStar2} {
		for range 10 {
			p := deal.position(board.Size{Rows: 3, Cols: 3})
			o := search.ExpectimaxOptions{Eval: wild, Plies: 4, Prune: prune}
			want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			if got := mustSearch(t, search.NewExpectimax(withThreads(o, 3)), search.Query{Position: p}); got != want {
				t.Fatalf("%v: %+v, want %+v", p.Board, got, want)
			}
			o.Threads = 3
			if got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p}); got != want {
				t.Fatalf("without evaluators, %v: %+v, want %+v", p.Board, got, want)
			}
		}
	}
}

// playedOn are positions of games on boards of a size.
func playedOn(t testing.TB, size board.Size, n int) (positions []eval.Position) {
	t.Helper()
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: evaluator(t, "gradient"), Plies: 2})
	g := newGame(t, size, 1, 0, 0.1)
	for len(positions) < n {
		if g.Over() {
			g = newGame(t, size, 1, uint64(len(positions)), 0.1)
		}
		p := eval.Position{Board: g.Board(), Score: g.Score()}
		if g.Moves()%40 == 39 {
			positions = append(positions, p)
		}
		must.Do(t, g.Move(mustSearch(t, s, search.Query{Position: p}).Move))
	}
	return positions
}

// Node limits hold except for nodes that threads have not reported yet, and no goroutine is left.
func TestBoardThreadsUnderLimits(t *testing.T) {
	defer testenv.NoLeaks(t, goleak.IgnoreCurrent())
	for _, table := range []int64{0, search.MinTT} {
		for _, threads := range []int{2, 4} {
			o := withThreads(search.ExpectimaxOptions{Eval: unbound, TT: table}, threads)
			for _, nodes := range []int64{1, 500, 20000} {
				o.Nodes = nodes
				s := search.NewExpectimax(o)
				for _, p := range playedOn(t, board.Size{Rows: 5, Cols: 5}, 3) {
					r := mustSearch(t, s, search.Query{Position: p})
					if maximum := nodes + 400*int64(threads); r.Nodes > maximum || !r.OK || nodes == 20000 && r.Plies < 2 {
						t.Errorf("%d threads, %d nodes: %+v", threads, nodes, r)
					}
				}
			}
			o.Nodes, o.Time = 0, 30*tick
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r, err := search.NewExpectimax(o).Search(ticking{bg}, query(parse(t, "2,4,8,16,2/0,0,2,4,0/0,0,0,0,0/0,0,0,0,0/0,0,0,0,0"), 0))
				if took := time.Since(start); err != nil || !r.OK || r.Plies < 2 || took < o.Time || took > o.Time+2*tick {
					t.Errorf("%d threads, table %d: %+v after %v, limit %v, %v", threads, table, r, took, o.Time, err)
				}
			})
		}
	}
}
