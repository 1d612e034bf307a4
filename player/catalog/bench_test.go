package catalog_test

import (
	"slices"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// BenchmarkDecide plays seeded games; ns/op is a decision, p50-ms and p99-ms are
// what half and nearly all of the decisions took at most.
func BenchmarkDecide(b *testing.B) {
	for _, spec := range []string{
		"auto", "snake", "weighted-snake", "alphabeta", "foresight", "foresight(depth=30,beam=64)",
		"deepening(time=20ms)", "deepening",
	} {
		b.Run(spec, func(b *testing.B) {
			m := must.Get(catalog.Parse(spec, catalog.Capabilities{}))(b)
			p := m.New()
			index := uint64(0)
			var g *game.Game
			var took []float64
			for b.Loop() {
				if g == nil || g.Over() {
					g, _ = game.New(game.Options{Size: board.Size{Rows: 4, Cols: 4}, Spawner: game.NewRandom(1, index, game.P4)})
					p.Start(1, index)
					index++
					player.See(p, g)
				}
				start := time.Now()
				d, err := p.Decide(b.Context(), search.NewQuery(g.Board(), g.Score()))
				took = append(took, time.Since(start).Seconds()*1000)
				must.Do(b, err)
				must.Do(b, g.Move(d.Move))
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)/2], "p50-ms")
			b.ReportMetric(took[len(took)*99/100], "p99-ms")
		})
	}
}
