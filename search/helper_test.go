package search_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

var (
	inf = math.Inf(1)
	bg  = context.Background()
)

// tick is the time that a check of the context takes in a synctest bubble, where computing takes no
// time.
const tick = time.Millisecond

// ticking is a context whose checks take a tick each, so that time in a synctest bubble advances
// with the search's work alone.
type ticking struct{ context.Context }

func (c ticking) Err() error {
	time.Sleep(tick)
	return c.Context.Err()
}

// smallSizes are small enough for a reference search; boards that are not square reveal mistakes that
// square ones hide. The quick suite uses five of them.
var smallSizes = soak.Pick([]board.Size{
	{Rows: 2, Cols: 2}, {Rows: 3, Cols: 2}, {Rows: 3, Cols: 3}, {Rows: 4, Cols: 4}, {Rows: 5, Cols: 4},
}, []board.Size{
	{Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}, {Rows: 3, Cols: 2}, {Rows: 3, Cols: 3}, {Rows: 2, Cols: 5},
	{Rows: 4, Cols: 3}, {Rows: 4, Cols: 4}, {Rows: 5, Cols: 4}, {Rows: 6, Cols: 6},
})

// brief is set in the quick suite and with -short: sweeps are sampled.
func brief() bool { return testing.Short() || !soak.Wanted() }

// dealer draws positions for searches.
type dealer struct{ *rand.Rand }

func newDealer(seed uint64) dealer { return dealer{rand.New(rand.NewPCG(seed, 0))} }

// position draws a board from play, a random board, or one that is full or nearly so.
func (d dealer) position(size board.Size) eval.Position {
	var p eval.Position
	switch d.IntN(3) {
	case 0:
		g := newGame(nil, size, d.Uint64(), 0, 0.1)
		for range d.IntN(40 * size.Cells()) {
			_ = g.Move(board.Direction(d.IntN(4)))
		}
		p = eval.Position{Board: g.Board(), Score: g.Score()}
	case 1:
		p.Board = board.New(size)
		share, largest := d.Float64(), 1+d.IntN(11)
		for i := range size.Cells() {
			if d.Float64() < share {
				p.Board.Set(i, uint8(1+d.IntN(largest)))
			}
		}
		p.Score = int64(d.IntN(10000))
	default:
		p.Board = board.New(size)
		for i := range size.Cells() {
			p.Board.Set(i, uint8(1+(i/size.Cols+i%size.Cols)%2+2*d.IntN(2)))
		}
		for range d.IntN(3) {
			p.Board.Set(d.IntN(size.Cells()), uint8(d.IntN(3)))
		}
		p.Score = int64(d.IntN(100))
	}
	return p
}

// plies is the depth at which a reference search of a position makes at most about the given number
// of boards.
func plies(p *eval.Position, leaf search.Leaf, boards, maximum int) int {
	layer := 8 * float64(p.Board.Empty()+1)
	cost := 4.0
	if leaf == search.LeafSpawn {
		cost *= layer
	}
	for n := 1; n < maximum; n++ {
		if cost *= layer; cost > float64(boards) {
			return n
		}
	}
	return maximum
}

func newGame(t testing.TB, size board.Size, seed, index uint64, p4 float64) *game.Game {
	g, err := game.New(game.Options{Size: size, Spawner: game.NewRandom(seed, index, p4)})
	if err != nil {
		if t == nil {
			panic(err)
		}
		t.Fatal(err)
	}
	return g
}

func evaluator(t testing.TB, name string) eval.Evaluator {
	t.Helper()
	return must.Get(eval.New(name))(t)
}

func parse(t testing.TB, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

func query(b board.Board, score int64) search.Query {
	return search.NewQuery(b, score)
}

// stub is an evaluator for tests: any function of a position.
type stub struct {
	unit  eval.Unit
	value func(p *eval.Position) float64
}

func (s stub) Unit() eval.Unit                { return s.unit }
func (s stub) Value(p *eval.Position) float64 { return s.value(p) }

// boundStub is a stub with bounds.
type boundStub struct {
	stub
	low, high float64
}

func (s boundStub) Bounds(*eval.Position, int) (low, high float64) { return s.low, s.high }

// evenPoints compensates the rewards on the path, so that moves with different rewards tie, or
// nearly do after rounding.
var evenPoints = stub{eval.Points, func(p *eval.Position) float64 { return float64(20000-p.Score) + float64(dice(p, 4))/13 }}

// named is an evaluator with a name for error messages.
type named struct {
	name string
	eval.Evaluator
}

// everyEvaluator returns the evaluators of package eval (three in the quick suite) and the stubs.
func everyEvaluator(t testing.TB) []named {
	t.Helper()
	all := []named{{"coins", coins}, {"wild", wild}, {"points", points}, {"few points", fewPoints}, {"even points", evenPoints}}
	for _, name := range soak.Pick([]string{"product", "smoothness", "snake-empty"}, eval.Names()) {
		all = append(all, named{name, evaluator(t, name)})
	}
	return all
}

// dice is a number from 0 to n-1, a function of the position.
func dice(p *eval.Position, n uint64) uint64 {
	h := uint64(p.Score)
	for r := range p.Board.Size().Rows {
		h = (h ^ p.Board.Row(r)) * 0x9e3779b97f4a7c15
		h ^= h >> 31
	}
	return h % n
}

// coins gives 0, 1 or 2, so that ties are everywhere.
var coins = boundStub{stub{eval.Heuristic, func(p *eval.Position) float64 { return float64(dice(p, 3)) }}, 0, 2}

// wild gives any value on either side of zero.
var wild = boundStub{stub{eval.Heuristic, func(p *eval.Position) float64 { return float64(dice(p, 20001))/7 - 10000.0/7 }}, -10000.0 / 7, 10001.0 / 7}

// unbound is wild without bounds.
var unbound = wild.stub

// points estimates a score still to come.
var points = stub{eval.Points, func(p *eval.Position) float64 { return float64(dice(p, 1000)) / 13 }}

// fewPoints has ties, and bounds, which do not count the rewards on the path.
var fewPoints = boundStub{stub{eval.Points, func(p *eval.Position) float64 { return 4 * float64(dice(p, 3)) }}, 0, 8}

// played is positions along games of a shallow search.
func played(t testing.TB, seed uint64, n int) (positions []eval.Position) {
	t.Helper()
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: evaluator(t, "snake"), Plies: 1, Leaf: search.LeafSpawn})
	for index := uint64(0); len(positions) < n; index++ {
		g := newGame(t, board.Size{Rows: 4, Cols: 4}, seed, index, 0.1)
		for !g.Over() && len(positions) < n {
			p := eval.Position{Board: g.Board(), Score: g.Score()}
			if g.Moves()%20 == 10 {
				positions = append(positions, p)
			}
			must.Do(t, g.Move(mustSearch(t, s, search.Query{Position: p}).Move))
		}
	}
	return positions
}

// searcher is every search but foresight.
type searcher interface {
	Search(ctx context.Context, q search.Query) (search.Result, error)
}

func mustSearch(t testing.TB, s searcher, q search.Query) search.Result {
	t.Helper()
	return must.Get(s.Search(bg, q))(t)
}
