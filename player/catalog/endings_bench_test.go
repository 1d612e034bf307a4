package catalog_test

import (
	"os"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/game"
)

// BenchmarkEndings plays from the start boards of endings, an iteration a game: the shares of games that make the second
// 512 and the 32768, and the time of a move. PLAYER is the spec; the default is champion.
//
//	go test ./player/catalog -run '^$' -bench Endings -benchtime 1000x
func BenchmarkEndings(b *testing.B) {
	spec := "champion"
	if s := os.Getenv("PLAYER"); s != "" {
		spec = s
	}
	m, err := catalog.Parse(spec, catalog.Capabilities{
		Trusted: true, Networks: (&models.Library{Files: true}).Find, ReadFile: os.ReadFile,
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range stages.Endings() {
		b.Run(name, func(b *testing.B) {
			starts, err := stages.OpenEnding(name)
			if err != nil {
				b.Fatal(err)
			}
			p := m.New()
			if err := player.Prepare(b.Context(), p, bitboard.Size); err != nil {
				b.Fatal(err)
			}
			complete, made, moves := 0, 0, 0
			var thinking time.Duration
			for i := range b.N {
				g, err := game.New(game.Options{Board: starts[i%len(starts)].Board, Spawner: game.NewRandom(1, uint64(i), game.P4)})
				if err != nil {
					b.Fatal(err)
				}
				d := player.Driver{Player: p, Game: g}
				if err := d.Begin(b.Context(), 1, uint64(i)); err != nil {
					b.Fatal(err)
				}
				best := 0
				for best < endings.Made {
					begun := time.Now()
					moved, err := d.Move(b.Context())
					if err != nil {
						b.Fatal(err)
					}
					if !moved {
						break
					}
					if thinking, moves = thinking+time.Since(begun), moves+1; i == 0 && moves == 1 {
						thinking = 0 // the network was loaded
					}
					now := g.Board()
					packed, _ := bitboard.From(&now)
					_, walls := endings.Of(packed)
					best = max(best, walls)
				}
				if best >= endings.Complete {
					complete++
				}
				if best >= endings.Made {
					made++
				}
			}
			b.ReportMetric(100*float64(complete)/float64(b.N), "%complete")
			b.ReportMetric(100*float64(made)/float64(b.N), "%32768")
			b.ReportMetric(1000*thinking.Seconds()/float64(max(moves, 1)), "ms/move")
		})
	}
}
