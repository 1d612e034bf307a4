package search_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// linewise returns the evaluators that can be compiled to tables; only two in the quick suite and
// with -short.
func linewise(t testing.TB) map[string]eval.Evaluator {
	all := everyLinewise(t)
	if brief() {
		return map[string]eval.Evaluator{"lines": all["lines"], "snake-empty": all["snake-empty"]}
	}
	return all
}

func everyLinewise(t testing.TB) map[string]eval.Evaluator {
	all := map[string]eval.Evaluator{"lines": eval.NewLines(eval.NneonneoWeights())}
	for _, name := range []string{"snake", "snake-empty", "weighted-snake", "gradient", "edges"} {
		all[name] = evaluator(t, name)
	}
	w := eval.NneonneoWeights()
	w.Steps, w.Roughness, w.Edge, w.End, w.EdgePower = 11, 3, 7, 13, 2.5
	all["lines with all terms"] = eval.NewLines(w)
	return all
}

func lines(t testing.TB, e eval.Evaluator) *search.Lines {
	l, ok := search.CompileLines(e)
	if !ok {
		t.Fatalf("%T is not compiled", e)
	}
	return l
}

func compiled(t testing.TB, o search.ExpectimaxOptions) *search.Expectimax4 {
	return search.NewExpectimax4(o, lines(t, o.Eval))
}

var square = board.Size{Rows: 4, Cols: 4}

// large draws a board with a chain of tiles from 131072 down, with gaps or without, and small tiles
// beside it.
func (d dealer) large() eval.Position {
	p := eval.Position{Board: board.New(square), Score: int64(d.IntN(1 << 20))}
	gaps := d.IntN(3) == 0
	cell := 0
	for e := 17 - d.IntN(3); e > 3 && cell < 11+d.IntN(4); e-- {
		if gaps && d.IntN(4) == 0 {
			continue
		}
		p.Board.Set(snakeCells[cell], uint8(e))
		cell++
	}
	for range 3 {
		if i := d.IntN(16); p.Board.Cell(i) == 0 {
			p.Board.Set(i, uint8(1+d.IntN(3)))
		}
	}
	return p
}

// any draws a position of the square board, one in four of them with large tiles.
func (d dealer) any() eval.Position {
	if d.IntN(4) == 0 {
		return d.large()
	}
	return d.position(square)
}

// sameAnswers compares two searches on a number of drawn positions, to the last bit without a table: with one, symmetric
// boards and moves share a search, which adds the values of spawns in another order.
func sameAnswers(t *testing.T, o search.ExpectimaxOptions, reference, fast searcher, deal dealer, n int) {
	t.Helper()
	for range n {
		q := search.Query{Position: deal.any()}
		what := fmt.Sprintf("%+v, %v", o, q.Board)
		if o.TT == 0 {
			sameResult(t, what, reference, fast, q)
			continue
		}
		want, got := mustSearch(t, reference, q), mustSearch(t, fast, q)
		if !sameButRounding(&want, &got) {
			t.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
		}
	}
}

// likeTheReference compares Expectimax4 with options to Expectimax without table.
func likeTheReference(t *testing.T, o search.ExpectimaxOptions, l *search.Lines, deal dealer, n int) {
	t.Helper()
	plain := o
	plain.TT = 0
	sameAnswers(t, o, search.NewExpectimax(plain), search.NewExpectimax4(o, l), deal, n)
}

func TestExpectimax4IsExpectimax(t *testing.T) {
	dead := -12345.0
	for name, e := range linewise(t) {
		t.Run(name, func(t *testing.T) {
			l := lines(t, e)
			for i, o := range []search.ExpectimaxOptions{
				{Plies: 1}, {Plies: 2}, {Plies: 3}, {Plies: 2, DeathValue: &dead}, {Plies: 3, DeathValue: &dead},
				{Plies: 1, Leaf: search.LeafSpawn}, {Plies: 2, Leaf: search.LeafSpawn, DeathValue: &dead},
				{Plies: 2, P4: -1}, {Plies: 2, P4: 1}, {Plies: 2, P4: 0.5, Leaf: search.LeafSpawn},
				{Plies: 3, Nodes: 1 << 40}, {Plies: 2, Nodes: 1 << 40, Leaf: search.LeafSpawn},
			} {
				o.Eval = e
				n := 40
				if o.Plies == 3 {
					n = 8
				}
				likeTheReference(t, o, l, newDealer(uint64(i)), n)
			}
		})
	}
}

func TestExpectimax4CutsAsExpectimax(t *testing.T) {
	dead := -12345.0
	some := 9
	for name, e := range linewise(t) {
		t.Run(name, func(t *testing.T) {
			l := lines(t, e)
			for i, o := range []search.ExpectimaxOptions{
				{Plies: 2, MinProb: 0.1}, {Plies: 3, MinProb: 0.02}, {Plies: 4, MinProb: 0.01, DeathValue: &dead},
				{Plies: 3, MinProb: 0.05, Leaf: search.LeafSpawn, DeathValue: &dead}, {Plies: 3, MinProb: 0.02, P4: -1},
				{Plies: 3, MinProb: 0.02, P4: 1}, {Plies: 3, MinProb: 0.03, P4: 0.5}, {Plies: 3, MinProb: 0.02, P4: 0.8, DeathValue: &dead},
				{Plies: 5, Nodes: 1 << 40, MinProb: 0.05, DeathValue: &dead}, {Plies: 5, Nodes: 1 << 40, MinProb: 0.1, P4: 1, DeathValue: &dead},
				{Plies: 5, Nodes: 1 << 40, MinProb: 0.2, Leaf: search.LeafSpawn},
				{DepthByTiles: &some, MinProb: 0.01}, {Plies: 2, DepthByTiles: &some, Nodes: 1 << 40, MinProb: 0.05},
			} {
				o.Eval = e
				deal := newDealer(uint64(i))
				likeTheReference(t, o, l, deal, 6)
				for range 6 { // margins are by position
					p := deal.any()
					o.PruneMargin = margins(e, &p)
					plain, fast := search.NewExpectimax(o), search.NewExpectimax4(o, l)
					sameResult(t, fmt.Sprintf("%+v, %v", o, p.Board), plain, fast, search.Query{Position: p})
				}
			}
		})
	}
}

// On boards where many lines end, both searches find out at the same depth that deeper iterations are equal.
func TestExpectimax4EndsAsExpectimax(t *testing.T) {
	dead := -12345.0
	deal := newDealer(77)
	for _, name := range []string{"lines", "snake"} {
		o := search.ExpectimaxOptions{Eval: everyLinewise(t)[name], Plies: 6, Nodes: 1 << 40, DeathValue: &dead, MinProb: 0.3}
		reference, fast := search.NewExpectimax(o), compiled(t, o)
		for range soak.Pick(150, 600) {
			p := eval.Position{Board: board.New(square)}
			for i := range 16 {
				p.Board.Set(i, uint8(3+(i/4+i%4)%2+2*deal.IntN(2)))
			}
			p.Board.Set(deal.IntN(16), uint8(deal.IntN(5)))
			sameResult(t, fmt.Sprintf("%s, %v", name, p.Board), reference, fast, search.Query{Position: p})
		}
	}
}

// With any tiles, whether or not the board fits into nibbles, the results are equal.
func TestExpectimax4TakesLargeTiles(t *testing.T) {
	for _, name := range soak.Pick([]string{"gradient"}, []string{"lines", "snake-empty", "gradient"}) {
		e := everyLinewise(t)[name]
		l := lines(t, e)
		packed, ranked, fallen := 0, 0, 0
		for _, o := range []search.ExpectimaxOptions{{Plies: 2}, {Plies: 3, MinProb: 0.03}, {Plies: 2, Nodes: 1 << 40, TT: search.MinTT, TTExact: true}} {
			o.Eval = e
			deal := newDealer(42)
			plain := o
			plain.TT = 0
			reference, fast := search.NewExpectimax(plain), search.NewExpectimax4(o, l)
			for range 40 {
				q := search.Query{Position: deal.large()}
				_, ranks, ok := bitboard.Pack(&q.Board, o.Plies+1)
				switch {
				case !ok:
					fallen++
				case ranks == bitboard.IdentityRanks:
					packed++
				default:
					ranked++
				}
				sameResult(t, fmt.Sprintf("%s, %+v, %v (packed %v)", name, o, q.Board, ok), reference, fast, q)
			}
		}
		if packed < 10 || ranked < 10 || fallen < 10 {
			t.Errorf("%s: %d boards as they are, %d with ranks, %d not at all", name, packed, ranked, fallen)
		}
	}
}

// An exact table returns what a search without one does.
func TestExactTablesChangeNothing(t *testing.T) {
	for name, e := range linewise(t) {
		t.Run(name, func(t *testing.T) {
			l := lines(t, e)
			for i, o := range []search.ExpectimaxOptions{
				{Plies: 3}, {Plies: 3, TTRootMove: true}, {Plies: 3, Nodes: 1 << 40}, {Plies: 3, TTRootMove: true, Nodes: 1 << 40},
			} {
				o.Eval = e
				plain := o
				o.TT, o.TTExact = search.MinTT, true
				sameAnswers(t, o, search.NewExpectimax4(plain, l), search.NewExpectimax4(o, l), newDealer(uint64(i)), 5)
			}
		})
	}
}

// A table that is not exact, with MinProb, changes values slightly and the move rarely.
func TestLooseTablesChangeLittle(t *testing.T) {
	dead := -400000.0
	generic := search.ExpectimaxOptions{Eval: evaluator(t, "expert"), Plies: 4, MinProb: 0.01, DeathValue: &dead}
	bits := search.ExpectimaxOptions{Eval: eval.NewLines(eval.NneonneoWeights()), Plies: 5, MinProb: 0.002}
	positions, other := played(t, 9, soak.Pick(8, 40)), playedOn(t, board.Size{Rows: 3, Cols: 4}, soak.Pick(6, 24))
	o := generic
	o.TT = 4 << 20
	compareLoose(t, "boards", other, search.NewExpectimax(generic), search.NewExpectimax(o), 0.001)
	o = bits
	o.TT = 8 << 20
	for _, o.TTRootMove = range []bool{false, true} {
		compareLoose(t, fmt.Sprintf("bits, root move %v", o.TTRootMove), positions, compiled(t, bits), compiled(t, o), 0.005)
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

// compareLoose compares a search with a table to one without. On average, values may differ by a given share.
func compareLoose(t *testing.T, what string, positions []eval.Position, exact, loose searcher, share float64) {
	t.Helper()
	moved, moves, sum := 0, 0, 0.0
	for _, p := range positions {
		want, got := mustSearch(t, exact, search.Query{Position: p}), mustSearch(t, loose, search.Query{Position: p})
		if got.Nodes > want.Nodes {
			t.Errorf("%s: %d nodes, without table %d", what, got.Nodes, want.Nodes)
		}
		if got.Move != want.Move {
			moved++
		}
		for d, m := range want.Moves {
			if !m.Legal || m.Value == got.Moves[d].Value {
				continue
			}
			off := math.Abs(got.Moves[d].Value-m.Value) / math.Abs(m.Value)
			if !(off < 20*share) {
				t.Errorf("%s, %v: %v has value %v, exactly %v", what, p.Board, board.Direction(d), got.Moves[d].Value, m.Value)
			}
			moves++
			sum += off
		}
	}
	t.Logf("%s: %d of %d moves are others, %d values by %.2g in the mean", what, moved, len(positions), moves, sum/float64(moves))
	if moved > 1+len(positions)/10 || sum > share*float64(moves) {
		t.Errorf("%s: %d of %d moves are others, %d values by %v in the mean", what, moved, len(positions), moves, sum/float64(moves))
	}
}
