package learn

import (
	"fmt"
	"testing"
)

// BenchmarkMoves trains one network after another; ns/op is a move.
func BenchmarkMoves(b *testing.B) {
	for _, name := range []string{"4x6", "8x6"} {
		for _, how := range []string{"td", "tc", "tclambda", "play"} {
			b.Run(fmt.Sprint(name, "/", how), func(b *testing.B) {
				n := network(b, size4, name)
				rate := float32(0.1) / float32(n.Features())
				w := newWorker(n, &plain{n, newStepRate(rate)})
				if how == "tclambda" {
					w.setReturn(0.5, 5)
				}
				if how == "tc" || how == "tclambda" {
					w.learn = newCoherence(b, n, 10*rate)
				}
				game := uint64(0)
				play := func() int {
					w.seed(1, game)
					game++
					return w.play(w.fresh()).Moves
				}
				for range 2000 {
					play()
				}
				if how == "play" {
					w.learn = frozen{}
				}
				b.ResetTimer()
				for moves := 0; moves < b.N; {
					moves += play()
				}
			})
		}
	}
}
