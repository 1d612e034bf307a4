package eval

import (
	"math"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Position is the argument of an evaluator.
type Position struct {
	Board board.Board
	Score int64 // the game's score at this board
}

// Unit is the unit of an evaluator's values.
type Unit string

const (
	// Points estimate the score still to come; a search adds the rewards on its path.
	Points Unit = "points"
	// Chance values are the probability of an aim, from 0 to 1; a search compares leaves only, and death is 0.
	Chance Unit = "chance"
	// Heuristic values are on an arbitrary scale; a search compares leaves only.
	Heuristic Unit = "heuristic"
)

// Shown returns the value to show to people: an estimate below 0 points is shown as 0, since no
// move takes points away. Minus infinity (lost) and heuristic values are unchanged. Programs get
// the value itself.
func (u Unit) Shown(value float64) float64 {
	if u == Points && value < 0 && !math.IsInf(value, -1) {
		return 0
	}
	return value
}

// Evaluator evaluates a position that is not dead. It is for one goroutine at a time.
type Evaluator interface {
	Value(p *Position) float64
	Unit() Unit
}

// Downgrader is an evaluator in points that evaluates some boards as others (tile downgrading): boards
// that are equivalent for the next moves and that it knows better. The rewards added to its values
// must be those of the view: a search that chooses a move on a board uses the rewards of the moves
// on DowngradeBoard of that board.
type Downgrader interface {
	Evaluator
	Downgrades() bool // false: DowngradeBoard returns every board unchanged
	DowngradeBoard(b board.Board) board.Board
}

// Bounder is an evaluator with bounds for its future values. They hold for p and for every board
// that can follow p within the given number of further spawns and any number of moves. Star1 and
// Star2 prune by them.
type Bounder interface {
	Bounds(p *Position, spawns int) (low, high float64)
}
