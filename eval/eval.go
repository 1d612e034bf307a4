package eval

import (
	"afterstate/board"
)

// Position is what an evaluator looks at.
type Position struct {
	Board board.Board
	Score int64 // the game's score at this board
}

// Unit says what an evaluator's numbers mean.
type Unit string

const (
	// Points estimate the score still to come; a search adds the rewards on its path.
	Points Unit = "points"
	// Heuristic values are on any scale; a search looks at leaves only.
	Heuristic Unit = "heuristic"
)

// Evaluator judges a position that is not dead. It may be used by one goroutine
// at a time.
type Evaluator interface {
	Value(p *Position) float64
	Unit() Unit
}

// Bounder is an evaluator that can tell beforehand how far its value can go. The
// bounds hold for every board that can follow p within so many more spawns and
// any number of moves, p itself included. Star1 and Star2 prune by them.
type Bounder interface {
	Bounds(p *Position, spawns int) (low, high float64)
}
