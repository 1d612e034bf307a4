package search_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/learn/learntest"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/search"
)

// untamed returns a network with random weights.
func untamed(t testing.TB, stages ...ntuple.Stage) *ntuple.Network {
	t.Helper()
	return learntest.Random(t, square, "5x4", stages...)
}

// likeTheNetworksReference compares the fast search to Expectimax without table.
func likeTheNetworksReference(t *testing.T, o search.ExpectimaxOptions, n *ntuple.Network, deal dealer, positions int) {
	t.Helper()
	plain := o
	plain.Eval, plain.TT = ntuple.Evaluator{Network: n}, 0
	sameAnswers(t, o, search.NewExpectimax(plain), search.NewNetwork4(o, n), deal, positions)
}

func TestNetworkIsExpectimax(t *testing.T) {
	some := 9
	for _, n := range []*ntuple.Network{untamed(t), untamed(t, ntuple.Stage{}, ntuple.Stage{11})} {
		for i, o := range []search.ExpectimaxOptions{
			{Plies: 1}, {Plies: 2}, {Plies: 3}, {Plies: 2, P4: -1}, {Plies: 2, P4: 1}, {Plies: 2, P4: 0.5},
			{Plies: 1, Leaf: search.LeafSpawn}, {Plies: 2, Leaf: search.LeafSpawn}, {Plies: 3, Nodes: 1 << 40},
			{Plies: 3, MinProb: 0.02}, {Plies: 4, MinProb: 0.02, PruneMargin: 300}, {Plies: 3, MinProb: 0.03, P4: 0.5, PruneMargin: 100},
			{Plies: 5, Nodes: 1 << 40, MinProb: 0.05, PruneMargin: 200}, {DepthByTiles: &some, MinProb: 0.02, PruneMargin: 200},
			{Plies: 2, Nodes: 1 << 40},
			{Plies: 3, TT: search.MinTT, TTExact: true},
			{Plies: 3, TT: search.MinTT, TTExact: true, Nodes: 1 << 40},
		} {
			positions := 30
			if o.Plies > 2 || o.DepthByTiles != nil {
				positions = 6
			}
			likeTheNetworksReference(t, o, n, newDealer(uint64(i)), positions)
		}
	}
}

func TestNetworkTree(t *testing.T) {
	for i, o := range []search.ExpectimaxOptions{
		{Plies: 2}, {Plies: 2}, {Plies: 3, MinProb: 0.1, PruneMargin: 200}, {Plies: 2, TT: search.MinTT},
	} {
		n := untamed(t).WithDowngrade([]uint8{0, 9, 10, 0}[i])
		deal := newDealer(uint64(i))
		plain := o
		plain.Eval = ntuple.Evaluator{Network: n}
		for range 3 {
			q := search.Query{Position: deal.any()}
			if _, _, ok := bitboard.Pack(&q.Board, 4); !ok {
				continue
			}
			slow := mustTree(t, search.NewExpectimax(plain), q.Position, search.TreeOptions{Boards: 1 << 20})
			fast := mustTree(t, search.NewNetwork4(o, n), q.Position, search.TreeOptions{Boards: 1 << 20})
			compareTrees(t, fmt.Sprintf("%+v, %v", o, q.Board), fast.Root, slow.Root)
			if fast.Boards != slow.Boards || fast.Depth != slow.Depth {
				t.Fatalf("%+v, %v: %d boards to depth %d, want %d to %d", o, q.Board, fast.Boards, fast.Depth, slow.Boards, slow.Depth)
			}
		}
	}
}
