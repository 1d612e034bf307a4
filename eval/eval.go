package eval

import (
	"math"

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

// Shown is a value as people shall see it. No game takes points away, so an estimate of
// less than 0 points to come is shown as 0. Programs get the value itself.
func (u Unit) Shown(value float64) float64 {
	if u == Points && value < 0 && !math.IsInf(value, -1) {
		return 0
	}
	return value
}

// Evaluator judges a position that is not dead. It may be used by one goroutine
// at a time.
type Evaluator interface {
	Value(p *Position) float64
	Unit() Unit
}

// Viewer is an evaluator in points that values some boards as others, which are like them
// for the next moves and which it knows better. Rewards that are added to its values must be
// those of the view: whoever chooses a move on a board takes the rewards of the moves on
// View of that board.
type Viewer interface {
	Evaluator
	Views() bool // false: every board as it is
	View(b board.Board) board.Board
}

// Bounder is an evaluator that can tell beforehand how far its value can go. The
// bounds hold for every board that can follow p within so many more spawns and
// any number of moves, p itself included. Star1 and Star2 prune by them.
type Bounder interface {
	Bounds(p *Position, spawns int) (low, high float64)
}
