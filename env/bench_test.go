package env_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"afterstate/board"
	"afterstate/env"
)

// allBuffers is room for everything a step tells.
func allBuffers(v *env.Vector) env.Buffers {
	view := func() env.View {
		return env.View{
			Observations: make([]uint8, v.Len()*v.ObservationSize()),
			Legal:        make([][4]bool, v.Len()),
			Scores:       make([]int64, v.Len()),
		}
	}
	return env.Buffers{
		Rewards: make([]float64, v.Len()), Terminated: make([]bool, v.Len()),
		Truncated: make([]bool, v.Len()), Illegal: make([]bool, v.Len()),
		Now: view(), Final: view(),
	}
}

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
				v, err := env.NewVector(n, env.Options{Size: c.size, Observation: c.see, Autoreset: env.SameStep})
				if err != nil {
					b.Fatal(err)
				}
				out, actions, r := allBuffers(v), make([]board.Direction, n), rand.NewPCG(1, 1)
				for b.Loop() {
					v.Sample(r, actions)
					v.Step(actions, &out)
				}
				b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds()/1e6, "Msteps/s")
			})
		}
	}
}

func BenchmarkEnv(b *testing.B) {
	e, err := env.New(env.Options{})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.NewPCG(1, 1)
	for b.Loop() {
		if out := e.Step(board.Direction(r.Uint64() & 3)); out.Terminated {
			e.Next()
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Msteps/s")
}
