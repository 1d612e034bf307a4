package eval

import (
	"math"
	"slices"

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

// Linewise is an evaluator whose value depends on rows and columns separately: a sum of a value for
// each line, or the largest of several such sums. A search for small boards can look such values up
// in tables.
type Linewise interface {
	Evaluator
	// LineSums returns the sums for boards of a size. An empty result means that the value has no
	// such form.
	LineSums(s board.Size) []LineSum
}

// LineSum is one sum over the lines of a board. Row(i, cells) is the value of row i, given its
// exponents from the left, Column(i, cells) that of column i from the top; nil: rows or columns add
// nothing.
type LineSum struct {
	Row, Column func(i int, cells []uint8) float64
	// Even, if not nil, declares that on square boards all eight symmetries have equal values, and that
	// values are integers below 2^26 in absolute value: Row(i, cells) equals Row(n-1-i, cells), Column(i,
	// cells), and Row(i, reversed cells). It returns the values of a line at the border and of one inside.
	Even func(cells []uint8) (outer, inner float64)
}

// Symmetric is implemented by evaluators that can report whether they give all images of a board
// under the rotations and reflections that keep its size the same value, except for rounding.
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

// Symmetric is true for edges: all sides of the border have equal weights.
func (e *weighted) Symmetric() bool { return e.symmetric }

// Symmetric returns true: the best corner counts.
func (*gradient) Symmetric() bool { return true }

// Symmetric reports whether all terms are symmetric.
func (s *Sum) Symmetric() bool {
	return !slices.ContainsFunc(s.Terms, func(t Term) bool { return !IsSymmetric(t.Eval) })
}
