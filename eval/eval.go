package eval

import (
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Position is the input of an evaluator: a board and its score.
type Position struct {
	Board board.Board
	Score int64 // the game's score at this board
}

// Unit is the unit of an evaluator's values.
type Unit string

const (
	// Points estimate the score still to come; a search adds the rewards on the path to a leaf.
	Points Unit = "points"
	// Chance values are the probability of reaching a goal, from 0 to 1. A search only compares
	// leaves; a dead position has value 0.
	Chance Unit = "chance"
	// Heuristic values are on an arbitrary scale; a search only compares leaves.
	Heuristic Unit = "heuristic"
)

// Shown returns the value to show to people: an estimate below 0 points is shown as 0, since no
// move takes points away. Minus infinity (lost) and heuristic values are unchanged. Do not use it
// for output that programs read.
func (u Unit) Shown(value float64) float64 {
	if u == Points && value < 0 && !math.IsInf(value, -1) {
		return 0
	}
	return value
}

// Evaluator evaluates positions that are not dead. It need not be safe for concurrent use.
type Evaluator interface {
	Value(p *Position) float64
	Unit() Unit
}

// Downgrader is an evaluator with tile downgrading: it replaces some boards by another board that is equivalent for
// the next moves and whose value it estimates more accurately. Rewards must come from that board too: a search that
// chooses a move on board b adds the rewards of the moves on DowngradeBoard(b).
type Downgrader interface {
	Evaluator
	Downgrades() bool // false: DowngradeBoard returns every board unchanged
	DowngradeBoard(b board.Board) board.Board
}

// Bounder is an evaluator that can bound its values. The bounds hold for p and for every board that
// can follow p within the given number of further spawns and any number of moves. Star1 uses
// them for pruning.
type Bounder interface {
	Bounds(p *Position, spawns int) (low, high float64)
}

// Linewise is an evaluator whose value is a sum of one value for each row and column, or the largest
// of several such sums. A search for small boards can look up the values of lines in tables.
type Linewise interface {
	Evaluator
	// LineSums returns the sums for boards of a size, or nothing if the value is not made of such sums.
	LineSums(s board.Size) []LineSum
}

// LineSum is one sum over the lines of a board. Row(i, cells) returns the value of row i, given its
// exponents from left to right; Column(i, cells) returns the value of column i, given its exponents
// from top to bottom. If Row or Column is nil, rows or columns add nothing.
type LineSum struct {
	Row, Column func(i int, cells []uint8) float64
	// A non-nil Even means that a square board has the same sum under all eight symmetries: Row(i, cells) equals
	// Row(n-1-i, cells), Column(i, cells), and Row(i, reversed cells). The values of lines are then integers below
	// 2^26 in absolute value. Even returns the value of a line on the border (outer) and of a line inside (inner).
	Even func(cells []uint8) (outer, inner float64)
}

// Symmetric is an evaluator that can report whether a board keeps its value, except for rounding, under the rotations
// and reflections that keep its size.
type Symmetric interface{ Symmetric() bool }

// IsSymmetric reports whether an evaluator is known to be symmetric.
func IsSymmetric(e Evaluator) bool {
	s, ok := e.(Symmetric)
	return ok && s.Symmetric()
}

// Symmetric returns true: rows, columns and both of their directions have equal terms.
func (*Lines) Symmetric() bool { return true }

// Symmetric returns true: terms do not depend on the location of tiles.
func (term) Symmetric() bool { return true }

// Symmetric returns true for edges: all sides of the border have equal weights.
func (e *weighted) Symmetric() bool { return e.symmetric }

// Symmetric returns true: the value is the best of the four corners.
func (*gradient) Symmetric() bool { return true }

// Symmetric reports whether all terms are symmetric.
func (s *Sum) Symmetric() bool {
	return !slices.ContainsFunc(s.Terms, func(t Term) bool { return !IsSymmetric(t.Eval) })
}
