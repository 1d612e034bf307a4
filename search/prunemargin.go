package search

import (
	"math"

	"afterstate/board"
	"afterstate/eval"
)

// picks reports whether moves that look bad are left out on a board after a spawn.
func (s *Expectimax) picks(plies int, q float64) bool {
	return s.o.PruneMargin > 0 && plies > 1 && q >= s.o.MinProb
}

// leaveOut takes away the moves that the evaluator finds worse than the best one
// by more than the margin.
func (s *Expectimax) leaveOut(p *eval.Position, all *[4]board.Afterstate, gains *[4]float64) {
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
