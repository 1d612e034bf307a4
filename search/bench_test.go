package search

import (
	"context"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/game"
)

// BenchmarkForesight plays games with foresight at depth 4; ns/op is a move.
func BenchmarkForesight(b *testing.B) {
	e := must.Get(eval.New("product"))(b)
	var nodes int64
	f := NewForesight(ForesightOptions{Eval: e, Depth: 4})
	index := uint64(0)
	g, _ := game.New(game.Options{Spawner: game.NewRandom(1, index, game.P4)})
	for b.Loop() {
		if g.Over() {
			index++
			g, _ = game.New(game.Options{Spawner: game.NewRandom(1, index, game.P4)})
		}
		q := Query{Position: eval.Position{Board: g.Board(), Score: g.Score()}}
		r := must.Get(f.Search(context.Background(), q, g))(b)
		nodes += r.Nodes
		must.Do(b, g.Move(r.Move))
	}
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
}
