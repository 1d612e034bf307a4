package learn

import (
	"context"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/eval/ntuple"
)

// Visits plays as Play does and counts how often each weight is read, by stage in the order of
// Network.Weights: at every fourth move, for all its afterstates. Package quant uses the counts to
// decide which weights need precision. A count takes four bytes. If ctx ends early, the counts so
// far are returned with its error.
func Visits(ctx context.Context, o PlayOptions) ([][]uint32, error) {
	const every = 4
	n := o.Network
	if n == nil {
		return nil, errNoNetwork
	}
	counts := make([][]uint32, n.StageCount())
	for i := range counts {
		counts[i] = make([]uint32, n.Entries())
	}
	begins := make([]int, len(n.Patterns))
	for p := 1; p < len(begins); p++ {
		begins[p] = begins[p-1] + n.Patterns[p-1].Entries()
	}
	// watch counts what a player looks at, from the first move of each game.
	watch := func(w *learning) {
		moves := 0
		w.looked = func(b *ntuple.Batch) {
			if moves++; moves%every != 0 {
				return
			}
			for k := range b.N {
				counted := counts[b.Stages[k]]
				for p, at := range b.At[k] {
					for _, i := range at {
						atomic.AddUint32(&counted[begins[p]+int(i)], 1)
					}
				}
			}
		}
	}
	games, err := play(ctx, o, watch)
	if err == nil && uint64(len(games)) < o.Games && o.Moves == 0 {
		err = ctx.Err()
	}
	return counts, err
}
