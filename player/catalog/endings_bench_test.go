package catalog_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/game"
)

// BenchmarkEndings plays from the start boards of endings, an iteration a game: the shares of games that make the second
// 512 and the 32768, and the time of a move. PLAYER is the spec; the default is champion. It logs how well the player knows
// its chance: boards of its games, every 16 moves, by the chance that it expected, and the share of them that led to a 32768.
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
	must.Do(b, err)
	for _, name := range stages.Endings() {
		b.Run(name, func(b *testing.B) {
			starts := must.Get(stages.OpenEnding(name))(b)
			p := m.New()
			must.Do(b, player.Prepare(b.Context(), p, bitboard.Size))
			complete, made, moves := 0, 0, 0
			var thinking time.Duration
			var truth calibration
			for i := range b.N {
				g, err := game.New(game.Options{Board: starts[i%len(starts)].Board, Spawner: game.NewRandom(1, uint64(i), game.P4)})
				must.Do(b, err)
				d := player.Driver{Player: p, Game: g}
				must.Do(b, d.Begin(b.Context(), 1, uint64(i)))
				best := 0
				var expected []float64
				for n := 0; best < endings.Made; n++ {
					begun := time.Now()
					moved := must.Get(d.Move(b.Context()))(b)
					if !moved {
						break
					}
					if thinking, moves = thinking+time.Since(begun), moves+1; i == 0 && moves == 1 {
						thinking = 0 // the network was loaded
					}
					if n%16 == 0 && !d.Decision.Unvalued() {
						expected = append(expected, d.Decision.Best()/endings.Points)
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
				truth.add(expected, best >= endings.Made)
			}
			b.ReportMetric(100*float64(complete)/float64(b.N), "%complete")
			b.ReportMetric(100*float64(made)/float64(b.N), "%32768")
			b.Log(truth.String())
			b.ReportMetric(1000*thinking.Seconds()/float64(max(moves, 1)), "ms/move")
		})
	}
}

// calibration has the boards of games by the chance that was expected, in tenths: the sums of the chances, and of the games won.
type calibration struct{ boards, expected, won [10]float64 }

func (c *calibration) add(expected []float64, won bool) {
	for _, v := range expected {
		i := min(max(int(10*v), 0), 9)
		c.boards[i]++
		c.expected[i] += v
		if won {
			c.won[i]++
		}
	}
}

// String lists expected/won in percent for each tenth, and the mean error: the difference of both, weighted by the boards.
func (c *calibration) String() string {
	sum, wrong := 0.0, 0.0
	var text strings.Builder
	text.WriteString("expected/won (boards):")
	for i, n := range c.boards {
		if n > 0 {
			fmt.Fprintf(&text, " %.1f/%.1f (%.0f)", 100*c.expected[i]/n, 100*c.won[i]/n, n)
			sum, wrong = sum+n, wrong+math.Abs(c.expected[i]-c.won[i])
		}
	}
	fmt.Fprintf(&text, "; mean error %.1f points of %.0f boards", 100*wrong/max(sum, 1), sum)
	return text.String()
}
