package learn

import (
	"context"
	"sync/atomic"

	"afterstate/bitboard"
	"afterstate/ntuple"
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
	// watch sets the trace of a worker before each game.
	watch := func(w *worker) {
		var after [4]bitboard.Afterstate
		at, moves := make([]ntuple.SymIndices, len(n.Patterns)), 0
		w.trace = func(b bitboard.Board) {
			if moves++; moves%every != 0 {
				return
			}
			w.rules.afterstates(b, &after)
			for d := range after {
				if !after[d].Moved {
					continue
				}
				n.Indices(at, after[d].Board)
				counted := counts[n.Stage(n.DowngradeBoard(after[d].Board))]
				for p := range at {
					for _, i := range at[p] {
						atomic.AddUint32(&counted[begins[p]+int(i)], 1)
					}
				}
			}
		}
	}
	games, err := play(ctx, o, watch)
	if err == nil && uint64(len(games)) < o.Games {
		err = ctx.Err()
	}
	return counts, err
}
