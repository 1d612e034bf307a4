package search

import (
	"context"
	"testing"

	"afterstate/eval"
	"afterstate/game"
)

// BenchmarkForesight plays games with foresight at depth 4; ns/op is a move.
func BenchmarkForesight(b *testing.B) {
	for _, rebuild := range []bool{false, true} {
		name := "reroot"
		if rebuild {
			name = "rebuild"
		}
		b.Run(name, func(b *testing.B) {
			e, err := eval.New("product")
			if err != nil {
				b.Fatal(err)
			}
			var nodes int64
			f := NewForesight(ForesightOptions{Eval: e, Depth: 4, Rebuild: rebuild})
			index := uint64(0)
			g, _ := game.New(game.Options{Spawner: game.NewRandom(1, index, game.P4)})
			for b.Loop() {
				if g.Over() {
					index++
					g, _ = game.New(game.Options{Spawner: game.NewRandom(1, index, game.P4)})
				}
				q := Query{Position: eval.Position{Board: g.Board(), Score: g.Score()}}
				r, err := f.Search(context.Background(), q, g)
				if err != nil {
					b.Fatal(err)
				}
				nodes += r.Nodes
				if err := g.Move(r.Move); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}
