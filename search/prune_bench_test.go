package search_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/search"
)

// BenchmarkPruning searches positions of seeded games. nodes/op is the number of boards made per
// move; use it to compare kinds of pruning.
func BenchmarkPruning(b *testing.B) {
	positions := played(b, 1, 40)
	bench := func(name string, s searcher) {
		b.Run(name, func(b *testing.B) {
			var nodes int64
			for i := 0; b.Loop(); i++ {
				nodes += mustSearch(b, s, search.Query{Position: positions[i%len(positions)]}).Nodes
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
	for _, c := range []struct {
		eval  string
		leaf  search.Leaf
		plies int
	}{
		{"snake", search.LeafSpawn, 2},
		{"weighted-snake", search.LeafAfterstate, 3},
		{"snake-empty", search.LeafSpawn, 3},
	} {
		for _, star1 := range []bool{false, true} {
			name := fmt.Sprintf("%s/plies=%d/star1=%v", c.eval, c.plies, star1)
			bench(name, search.NewExpectimax(search.ExpectimaxOptions{Eval: evaluator(b, c.eval), Plies: c.plies, Leaf: c.leaf, Star1: star1}))
		}
	}
	for _, layers := range []int{4, 5} {
		for _, alphabeta := range []bool{false, true} {
			name := fmt.Sprintf("gradient/depth=%d/alphabeta=%v", layers, alphabeta)
			bench(name, search.NewMinimax(search.MinimaxOptions{Eval: evaluator(b, "gradient"), Layers: layers, AlphaBeta: alphabeta}))
		}
	}
}
