package search

import (
	"context"
	"testing"

	"afterstate/eval"
	"afterstate/game"
)

// BenchmarkBeam plays games with a beam of 64 boards to depth 20; ns/op is a move.
func BenchmarkBeam(b *testing.B) {
	e, err := eval.New("product")
	if err != nil {
		b.Fatal(err)
	}
	f := NewForesight(ForesightOptions{Eval: e, Depth: 20, Beam: 64})
	g, _ := game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
	for b.Loop() {
		if g.Over() {
			g, _ = game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
		}
		r, err := f.Search(context.Background(), Query{Position: eval.Position{Board: g.Board(), Score: g.Score()}}, g)
		if err != nil {
			b.Fatal(err)
		}
		if err := g.Move(r.Move); err != nil {
			b.Fatal(err)
		}
	}
}
