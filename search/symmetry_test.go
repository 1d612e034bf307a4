package search_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// sameValue reports whether two values are equal up to rounding.
func sameValue(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// sameButRounding reports whether two results are equal up to rounding and the number of nodes.
func sameButRounding(a, b *search.Result) bool {
	for d, m := range a.Moves {
		if n := b.Moves[d]; m.Legal != n.Legal || m.Bound != n.Bound || !sameValue(m.Value, n.Value) {
			return false
		}
	}
	return a.OK == b.OK && a.Plies == b.Plies && sameValue(a.Best(), a.Moves[b.Move].Value)
}

// orderSensitive are options under which the result may depend on the order of search.
func orderSensitive(t *testing.T) map[string]search.ExpectimaxOptions {
	dead := -400000.0
	auto := search.ExpectimaxOptions{
		Eval: evaluator(t, "expert"), Nodes: soak.Pick[int64](10_000, 30_000), SoftLimit: true, MinProb: 1e-3, PruneMargin: 80000, TT: 4 << 20, DeathValue: &dead,
	}
	all := map[string]search.ExpectimaxOptions{"auto": auto}
	add := func(name string, change func(o *search.ExpectimaxOptions)) {
		o := auto
		change(&o)
		all[name] = o
	}
	add("strict", func(o *search.ExpectimaxOptions) { o.TTExact = true })
	add("plies", func(o *search.ExpectimaxOptions) { o.Nodes, o.SoftLimit, o.Plies = 0, false, 4 })
	add("no margin", func(o *search.ExpectimaxOptions) { o.PruneMargin, o.Nodes = 0, 5000 })
	add("a crowded table", func(o *search.ExpectimaxOptions) { o.TT, o.MinProb = 1, 0 })
	add("by move", func(o *search.ExpectimaxOptions) { o.TTRootMove = true })
	add("spawns", func(o *search.ExpectimaxOptions) { o.Leaf, o.Nodes = search.LeafSpawn, 5000 })
	add("points", func(o *search.ExpectimaxOptions) { o.Eval, o.PruneMargin = symmetricPoints{}, 50 })
	add("pruned", func(o *search.ExpectimaxOptions) {
		o.TT, o.Eval, o.Star1, o.Nodes, o.Plies = 0, evaluator(t, "gradient"), true, 0, 3
	})
	return all
}

// symmetricPoints estimate a score by the empty cells.
type symmetricPoints struct{}

func (symmetricPoints) Unit() eval.Unit                { return eval.Points }
func (symmetricPoints) Value(p *eval.Position) float64 { return 10 * float64(p.Board.Empty()) }
func (symmetricPoints) Symmetric() bool                { return true }

// Moves with equal rewards to symmetric afterstates have equal values: left and right on 2,2/0,4,
// and up and down on boards that are their own vertical mirror image.
func TestMovesThatAreAlike(t *testing.T) {
	deal := newDealer(21)
	all := orderSensitive(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		o := all[name]
		positions := []eval.Position{query(parse(t, "2,2/0,4"), 0).Position}
		for _, size := range smallSizes {
			p := deal.position(size)
			for i := range size.Cells() {
				p.Board.Set(i, p.Board.Cell(min(i/size.Cols, size.Rows-1-i/size.Cols)*size.Cols+i%size.Cols))
			}
			positions = append(positions, p)
		}
		for _, p := range positions {
			searches := map[string]searcher{"boards": search.NewExpectimax(o)}
			if lines, ok := search.CompileLines(o.Eval); ok {
				searches["bits"] = search.NewExpectimax4(o, lines)
			}
			for kind, s := range searches {
				r := mustSearch(t, s, search.Query{Position: p, All: true})
				checkAlike(t, fmt.Sprintf("%s, %s, %v", name, kind, p.Board), &p.Board, &r)
			}
		}
	}
}

func checkAlike(t *testing.T, what string, b *board.Board, r *search.Result) {
	t.Helper()
	var all [4]board.Afterstate
	b.Afterstates(&all)
	for d := range all {
		for e := range d {
			if !all[d].Moved || !all[e].Moved || all[d].Reward != all[e].Reward {
				continue
			}
			for _, image := range all[d].Board.Symmetries() {
				if x, y := r.Moves[d].Value, r.Moves[e].Value; image == all[e].Board && !sameValue(x, y) {
					t.Errorf("%s: %v has value %v, %v has value %v", what, board.Direction(e), y, board.Direction(d), x)
				}
			}
		}
	}
}

// On every image of a board the images of its moves have equal values.
func TestImagesOfBoards(t *testing.T) {
	deal := newDealer(22)
	all := orderSensitive(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, size := range smallSizes {
			p := deal.position(size)
			o := all[name]
			o.Nodes /= 10
			want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
			for k, image := range p.Board.Symmetries() {
				got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: eval.Position{Board: image, Score: p.Score}})
				for d, m := range want.Moves {
					after, _, _ := p.Board.Slide(board.Direction(d))
					for e, n := range got.Moves {
						if x, _, moved := image.Slide(board.Direction(e)); moved && m.Legal && x == after.Symmetries()[k] && !m.Bound && !n.Bound && !sameValue(m.Value, n.Value) {
							t.Fatalf("%s: on %v %v has value %v, on %v %v has value %v", name, p.Board, board.Direction(d), m.Value, image, board.Direction(e), n.Value)
						}
					}
				}
				if got.Plies != want.Plies {
					t.Fatalf("%s: %v is searched to %d plies, %v to %d", name, p.Board, want.Plies, image, got.Plies)
				}
			}
		}
	}
}

// With TTExact a table changes no value, also with MinProb.
func TestStrictTableWithCutChangesNothing(t *testing.T) {
	deal := newDealer(23)
	fewer := 0
	for i := range 6 * len(smallSizes) {
		p := deal.position(smallSizes[i%len(smallSizes)])
		o := search.ExpectimaxOptions{Eval: evaluator(t, "weighted-snake"), MinProb: 0.003, Plies: 3}
		if p.Board.Size().Cells() <= 9 {
			o.Plies = 5
		}
		want := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
		o.TT, o.TTExact = 4<<20, true
		got := mustSearch(t, search.NewExpectimax(o), search.Query{Position: p})
		if got.Nodes < want.Nodes {
			fewer++
		}
		if got.Nodes = want.Nodes; got != want {
			t.Fatalf("%v:\n got %+v\nwant %+v", p.Board, got, want)
		}
	}
	if fewer < 10 {
		t.Errorf("the table made only %d trees smaller", fewer)
	}
}
