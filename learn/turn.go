package learn

import (
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// turn is a post-spawn board whose afterstates a network evaluates.
type turn struct {
	batch           *ntuple.Batch
	rewards, points [4]int64 // of the batch's boards: as the network sees them, and as they are
	won             uint8    // bit i: the game ends at board i, with a score and a value of 1
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
			t.batch.Boards[moves], t.points[moves&3], t.rewards[moves&3] = after[d].Board, int64(after[d].Reward), int64(seen[d].Reward)
			moves++
		}
	}
	t.batch.N = moves
	n.Prefetch(t.batch)
	return moves > 0
}

// beginWide is begin for boards that do not fit into a word; b is the batch of t.
func (t *turn) beginWide(batch *ntuple.WideBatch, n *ntuple.Network, b *board.Board) bool {
	var after, viewed [4]board.Afterstate
	b.Afterstates(&after)
	seen := &after
	if v := n.DowngradeWide(*b); v != *b {
		seen = &viewed
		v.Afterstates(seen)
	}
	moves := 0
	for d := range after {
		if after[d].Moved {
			batch.Boards[moves], t.points[moves&3], t.rewards[moves&3] = after[d].Board, after[d].Reward, seen[d].Reward
			moves++
		}
	}
	batch.N = moves
	n.PrefetchWide(batch)
	return moves > 0
}

// best evaluates the afterstates and returns the index of the best one in the batch, and its reward
// + value.
func (t *turn) best(n *ntuple.Network) (best int, value float32) {
	n.Sums(t.batch)
	for i := range t.batch.N {
		v := t.batch.Values[i] + float32(t.rewards[i])
		if t.won>>i&1 != 0 {
			v = 1
		}
		if i == 0 || v > value {
			best, value = i, v
		}
	}
	return best, value
}
