package search

import (
	"math"

	"github.com/afterstate2048/afterstate/rules/board"
)

// choose sets Move to the legal move with the highest value, lost moves included. It breaks ties: the lowest direction
// wins. Searches that compare other numbers keep the rule by comparing with > in order of direction: the greedy player and
// perfect (player/catalog), self-play (learn/turn.go).
func (r *Result) choose() {
	for d, m := range r.Moves {
		if m.Legal && (!r.OK || m.Value > r.Moves[r.Move].Value || math.IsNaN(r.Moves[r.Move].Value) && !math.IsNaN(m.Value)) {
			r.Move, r.OK = board.Direction(d), true
		}
	}
}
