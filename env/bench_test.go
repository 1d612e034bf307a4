package env_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
)

// BenchmarkVector makes random legal moves, the choice of which counts as well.
func BenchmarkVector(b *testing.B) {
	for _, c := range []struct {
		size board.Size
		see  env.Observation
	}{
		{board.Size{Rows: 4, Cols: 4}, env.Exponents},
		{board.Size{Rows: 4, Cols: 4}, env.Planes},
		{board.Size{Rows: 3, Cols: 3}, env.Exponents},
		{board.Size{Rows: 6, Cols: 6}, env.Exponents},
	} {
		for _, n := range []int{1, 64, 4096} {
			b.Run(fmt.Sprintf("%v/see=%d/n=%d", c.size, c.see, n), func(b *testing.B) {
				v := must.Get(env.NewVector(n, env.Options{Size: c.size, Observation: c.see, Autoreset: env.SameStep}))(b)
				out, actions, r := allBuffers(v), make([]board.Direction, n), rand.NewPCG(1, 1)
				before := testenv.ProcessorTime()
				for b.Loop() {
					v.Sample(r, actions)
					v.Step(actions, &out)
				}
				b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds()/1e6, "Msteps/s")
				b.ReportMetric(float64(b.N*n)/(testenv.ProcessorTime()-before).Seconds()/1e6, "Msteps/cpu-s")
			})
		}
	}
}
