package learn

import (
	"afterstate/bitboard"
	"afterstate/ntuple"
)

// turn is a post-spawn board whose afterstates a network evaluates.
type turn struct {
	batch           *ntuple.Batch
	rewards, points [4]int32 // of the batch's boards: as the network sees them, and as they are
}

// begin makes the moves on a board and prefetches the weights of the afterstates. It returns false
// if there is no legal move.
func (t *turn) begin(r *rules, n *ntuple.Network, b bitboard.Board) bool {
	var after, viewed [4]bitboard.Afterstate
	r.afterstates(b, &after)
	seen := &after
	if v := n.DowngradeBoard(b); v != b {
		seen = &viewed
		r.afterstates(v, seen)
	}
	moves := 0
	for d := range after {
		if after[d].Moved {
			t.batch.Boards[moves], t.points[moves&3], t.rewards[moves&3] = after[d].Board, after[d].Reward, seen[d].Reward
			moves++
		}
	}
	t.batch.N = moves
	n.Prefetch(t.batch)
	return moves > 0
}

// best evaluates the afterstates and returns the index of the best one in the batch, and its reward
// + value.
func (t *turn) best(n *ntuple.Network) (best int, value float32) {
	n.Sums(t.batch)
	for i := range t.batch.N {
		if v := t.batch.Values[i] + float32(t.rewards[i]); i == 0 || v > value {
			best, value = i, v
		}
	}
	return best, value
}
