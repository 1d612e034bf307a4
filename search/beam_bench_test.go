package search

import (
	"context"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/game"
)

// BenchmarkBeam plays games with a beam of 64 boards to depth 20; ns/op is a move.
func BenchmarkBeam(b *testing.B) {
	e := must.Get(eval.New("product"))(b)
	f := NewForesight(ForesightOptions{Eval: e, Depth: 20, Beam: 64})
	g, _ := game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
	for b.Loop() {
		if g.Over() {
			g, _ = game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
		}
		r := must.Get(f.Search(context.Background(), Query{Position: eval.Position{Board: g.Board(), Score: g.Score()}}, g))(b)
		must.Do(b, g.Move(r.Move))
	}
}
