package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/search"
)

// endingNetwork is an ending network for fewest walls or more.
func endingNetwork(t testing.TB, fewest int, weight func() float32) *ntuple.Network {
	t.Helper()
	l, err := ntuple.Named(square, "5x4")
	if err == nil {
		l, err = ntuple.EndingLayout(l, fewest)
	}
	must.Do(t, err)
	n := must.Get(ntuple.New(l))(t)
	t.Cleanup(n.Close)
	for s := range n.StageCount() {
		for p := range n.Patterns {
			w := n.Table(s, p)
			for i := range w {
				w[i] = weight()
			}
			made := slices.Repeat([]uint8{endings.LargestWall}, len(n.Patterns[p]))
			w[n.Patterns[p].Index(made)] = 0 // as no board has it, none is learned
		}
	}
	n.Bias = 1
	return n
}

// ending draws a board of an ending.
func ending(r *rand.PCG) eval.Position {
	b := endings.Start(3+int(r.Uint64()%4), r)
	_, walls := endings.Of(b)
	for moves := r.Uint64() % 120; moves > 0 && !b.Terminal(); moves-- {
		var after [4]bitboard.Afterstate
		b.Afterstates(&after)
		if a := after[r.Uint64()%4]; a.Moved {
			if _, now := endings.Of(a.Board); now == walls {
				b = a.Board.PlaceNth(int(r.Uint64()%uint64(a.Board.Empty())), 1)
			}
		}
	}
	return eval.Position{Board: b.Board()}
}

// With an ending network the fast search returns the chances of the general one.
func TestEndingNetworkIsExpectimax(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	n := endingNetwork(t, 3, func() float32 { return float32(random.NormFloat64() / 100) })
	for i, o := range []search.ExpectimaxOptions{
		{Plies: 1}, {Plies: 2}, {Plies: 3}, {Plies: 2, P4: 0.5}, {Plies: 4, MinProb: 0.02, PruneMargin: 0.03},
		{Plies: 3, MinProb: 0.03, P4: 0.5, PruneMargin: 0.01}, {Plies: 5, Nodes: 1 << 40, MinProb: 0.05, PruneMargin: 0.02},
		{Plies: 3, TT: search.MinTT, TTExact: true}, {Plies: 2, Leaf: search.LeafSpawn},
	} {
		plain := o
		plain.Eval, plain.TT = ntuple.Evaluator{Network: n}, 0
		slow, fast := search.NewExpectimax(plain), search.NewNetwork4(o, n)
		r := rand.NewPCG(uint64(i), 7)
		for range 8 {
			q := search.Query{Position: ending(r)}
			sameResult(t, fmt.Sprintf("%+v, %v", o, q.Board), slow, fast, q)
			if o.TT > 0 {
				continue
			}
			plainTree := mustTree(t, slow, q.Position, search.TreeOptions{Boards: 1 << 12})
			fastTree := mustTree(t, fast, q.Position, search.TreeOptions{Boards: 1 << 12})
			compareTrees(t, fmt.Sprintf("%+v, %v", o, q.Board), fastTree.Root, plainTree.Root)
		}
	}
}
