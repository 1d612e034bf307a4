//go:build unix

package catalog_test

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/afterstate2048/afterstate/eval/champion"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/eval/ntuple/quant"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/game"
)

// linesOf is the number of moves played from each start board.
const linesOf = 20

// BenchmarkLate plays some moves from each board of a late stage with the embedded network, its
// weights on huge pages. ns/op is a decision; nodes/s are those a second of processor time. Builds whose searches are equal decide the same boards.
func BenchmarkLate(b *testing.B) {
	file := must.Get(champion.Main().File())(b)
	network := must.Get(quant.DequantizeInt16(file))(b)
	b.Cleanup(network.Close)
	starts := must.Get(stages.Open(32256))(b)
	caps := catalog.Capabilities{Networks: func(string, bool) (models.Source, error) {
		return models.Source{Load: func() (*ntuple.Network, error) { return network, nil }}, nil
	}}
	specs := []string{"champion", "champion(nodes=120000,min_prob=3e-4,tt=16MB)", "ntuple(plies=3)"}
	if s := os.Getenv("SPEC"); s != "" {
		specs = []string{s}
	}
	for _, spec := range specs {
		b.Run(spec, func(b *testing.B) {
			m := must.Get(catalog.Parse(spec, caps))(b)
			p := m.New()
			var nodes, moves int64
			var g *game.Game
			begun := processorTime(b)
			for b.Loop() {
				if moves%linesOf == 0 || g.Over() {
					start := starts[int(moves/linesOf)%len(starts)].Board
					g = must.Get(game.New(game.Options{Board: start, Spawner: game.NewRandom(1, uint64(moves), game.P4)}))(b)
					p.Start(1, uint64(moves))
				}
				d := decide(b, p, query(g))
				must.Do(b, g.Move(d.Move))
				nodes += d.Nodes
				moves++
			}
			b.ReportMetric(float64(nodes)/(processorTime(b)-begun).Seconds(), "nodes/s")
			b.ReportMetric(float64(nodes)/float64(moves), "nodes/op")
		})
	}
}

// processorTime is what this process has used.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var u unix.Rusage
	must.Do(t, unix.Getrusage(unix.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
