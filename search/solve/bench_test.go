package solve

import (
	"context"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
)

// Both passes over 2x4, in boards a second; 3x3 has ten times as many.
func BenchmarkSolve(b *testing.B) {
	for _, size := range []string{"2x3", "2x4"} {
		b.Run(size, func(b *testing.B) {
			p := problem(b, size)
			var boards int64
			for b.Loop() {
				t := must.Get(Solve(context.Background(), p, Options{}))(b)
				boards = t.Boards
			}
			b.ReportMetric(float64(boards)*float64(b.N)/b.Elapsed().Seconds(), "boards/s")
		})
	}
}
