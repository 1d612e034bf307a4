package search

import (
	"math"

	"github.com/afterstate2048/afterstate/rules/board"
)

// BestMove returns the legal move with the highest value; ok is false if no move is legal. Of equal values the lowest
// direction wins. NaN is below all other values. Other code that chooses moves is tested against BestMove: self-play
// (learn/turn.go) by TestPlay, trees (tree.go) by TestExpectimaxTree and others.
func BestMove(moves *[4]MoveValue) (best board.Direction, ok bool) {
	for d, m := range moves {
		if m.Legal && (!ok || m.Value > moves[best].Value || math.IsNaN(moves[best].Value) && !math.IsNaN(m.Value)) {
			best, ok = board.Direction(d), true
		}
	}
	return best, ok
}
