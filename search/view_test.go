package search_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// lateBoards are from games of the champion: with sums of tiles from just below a stage's
// completion to just after it.
var lateBoards = []string{
	"8192,4096,2048,1024/64,128,256,512/8,16,32,2/4,0,2,0",
	"2,32,64,8192/2,16,128,4096/4,4,256,2048/2,2,512,1024",
	"8,2,512,1024/2,4,256,2048/0,16,128,4096/0,32,64,16384",
	"1024,4096,8192,16384/512,256,128,64/2,4,16,32/2,4,2,2",
	"2048,4096,8192,16384/512,256,128,64/2,4,16,32/2,0,4,4",
	"2048,4096,8192,16384/1024,256,128,64/4,16,32,4/4,2,2,0",
	"16384,64,0,0/8192,256,2,4/4096,512,8,4/2048,1024,8,0",
	"32768,64,32,2/4096,128,16,2/2048,256,8,0/1024,512,4,0",
	"1024,2048,4096,32768/512,256,128,64/2,8,16,32/0,0,2,4",
	"8,4,0,2/16,32,64,128/1024,512,256,32768/2048,4096,8192,2",
	"2048,8192,16384,32768/1024,512,256,128/2,16,32,64/0,2,4,8",
}

// late draws a board of a long chain of tiles, some of them twice or missing, so that gaps open and
// close within few moves.
func (d dealer) late() board.Board {
	if d.IntN(3) == 0 {
		b, err := board.Parse(lateBoards[d.IntN(len(lateBoards))])
		if err != nil {
			panic(err)
		}
		return b
	}
	for {
		b := board.New(square)
		e, free := 15-d.IntN(2), d.IntN(4)
		for cell := 0; cell < 16-free && e > 0; {
			switch d.IntN(10) {
			case 0:
				e--
			case 1:
				b.Set(snakeCells[cell], uint8(e))
				cell++
			default:
				b.Set(snakeCells[cell], uint8(e))
				e--
				cell++
			}
		}
		if b.Sum() < 65000 && !b.Terminal() {
			return b
		}
	}
}

var snakeCells = []int{0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12}

// viewed is the reference of a view: gaps are closed that cannot fill within a move, its spawn, and
// the next one's.
func viewed(minimum uint8) func(board.Board) board.Board {
	return func(b board.Board) board.Board {
		if minimum == 0 || b.Largest() < minimum {
			return b
		}
		small, _, ok := bitboard.Downgrade(&b, 2, minimum)
		if !ok {
			panic(b.String())
		}
		return small.Board()
	}
}

// shown evaluates the view of an afterstate with a network that does not downgrade.
func shown(n *ntuple.Network, minimum uint8) eval.Evaluator {
	blind, view := ntuple.Evaluator{Network: n.WithDowngrade(0)}, viewed(minimum)
	return stub{eval.Points, func(p *eval.Position) float64 {
		return blind.Value(&eval.Position{Board: view(p.Board), Score: p.Score})
	}}
}

// short returns the network in 16-bit integers, the form for players.
func short(t testing.TB, n *ntuple.Network) *ntuple.Network {
	t.Helper()
	s := must.Get(n.Int16())(t)
	t.Cleanup(s.Close)
	return s
}

// Wherever a search chooses a move, rewards are those of the view, and every leaf is evaluated by
// its view, as in training. The network's values are random and distinct for any two boards, so
// equal values come from equal leaves. Stages are chosen leaf by leaf.
func TestViewsAreTrainings(t *testing.T) {
	closed := 0 // boards with a view of their own
	for _, c := range []struct {
		minimum uint8 // 0: no views
		stage   uint8 // tile of the second stage
		short   bool
	}{{14, 11, false}, {10, 11, false}, {14, 12, true}, {0, 14, true}, {0, 14, false}} {
		minimum := c.minimum
		n := untamed(t, ntuple.Stage{}, ntuple.Stage{c.stage})
		if c.short {
			n = short(t, n)
		}
		n = n.WithDowngrade(minimum)
		for i, o := range []search.ExpectimaxOptions{
			{Plies: 1}, {Plies: 2}, {Plies: 3}, {Plies: 1, Leaf: search.LeafSpawn}, {Plies: 2, Leaf: search.LeafSpawn},
			{Plies: 3, MinProb: 0.02}, {Plies: 4, MinProb: 0.02, PruneMargin: 300}, {Plies: 3, P4: 0.5},
			{Plies: 3, Nodes: 1 << 40, TT: search.MinTT, TTExact: true},
		} {
			plain := plainExpectimax{worth: worth{eval: shown(n, minimum)}, view: viewed(minimum), leaf: o.Leaf, p4: 0.1, cut: o.MinProb, margin: o.PruneMargin}
			if o.P4 > 0 {
				plain.p4 = o.P4
			}
			fast := search.NewNetwork4(o, n)
			o.Eval = ntuple.Evaluator{Network: n}
			slow := search.NewExpectimax(o)
			deal := newDealer(uint64(i))
			for range soak.Pick(4, 12) {
				q := search.Query{Position: eval.Position{Board: deal.late()}, All: true}
				if viewed(minimum)(q.Board) != q.Board {
					closed++
				}
				want := plain.answer(q.Position, o.Plies)
				for what, s := range map[string]searcher{"fast": fast, "generic": slow} {
					got := mustSearch(t, s, q)
					for d := range board.Direction(4) {
						if v, legal := want[d]; legal != got.Moves[d].Legal || legal && !same(v, got.Moves[d].Value) && (o.TT == 0 || !sameValue(v, got.Moves[d].Value)) {
							t.Fatalf("%s, %+v from 2^%d, %v %v: %+v, want %v", what, o, minimum, q.Board, d, got.Moves[d], v)
						}
					}
				}
			}
		}
	}
	if closed < soak.Pick(12, 40) {
		t.Errorf("only %d boards had a view of their own", closed)
	}
}

// The fast search and the generic one agree on boards that do not fit into nibbles, and values come
// from the same leaves after any earlier queries.
func TestViewsOfLargeBoards(t *testing.T) {
	n := untamed(t).WithDowngrade(14)
	for i, o := range []search.ExpectimaxOptions{{Plies: 2}, {Plies: 3, MinProb: 0.02, PruneMargin: 200}, {Plies: 2, Nodes: 1 << 40}} {
		plain := o
		plain.Eval = ntuple.Evaluator{Network: n}
		slow, fast := search.NewExpectimax(plain), search.NewNetwork4(o, n)
		d := newDealer(uint64(i) + 90)
		for range 30 {
			q := search.Query{Position: d.large()}
			sameResult(t, fmt.Sprintf("%+v, %v", o, q.Board), slow, fast, q)
		}
	}
}
