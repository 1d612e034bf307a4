package search

import (
	"math"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
)

// prunesMoves reports whether PruneMargin applies to the moves on a post-spawn board.
func (s *Expectimax) prunesMoves(plies int, q float64) bool {
	return s.o.PruneMargin > 0 && plies > 1 && q >= s.o.MinProb
}

// pruneMoves clears Moved of the moves whose value by the evaluator is more than PruneMargin below
// the best.
func (s *Expectimax) pruneMoves(p *eval.Position, all *[4]board.Afterstate, gains *[4]float64) {
	var worth [4]float64
	top := math.Inf(-1)
	for d := range all {
		if after := &all[d]; after.Moved {
			next := eval.Position{Board: after.Board, Score: p.Score + after.Reward}
			worth[d] = gains[d] + s.value(&next)
			top = max(top, worth[d])
		}
	}
	for d := range all {
		all[d].Moved = all[d].Moved && worth[d] >= top-s.o.PruneMargin
	}
}
