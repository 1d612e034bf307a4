package search

import (
	"math"

	"afterstate/board"
	"afterstate/eval"
)

// Query is a question to a search.
type Query struct {
	eval.Position
	// All asks for the exact value of every move. Without it a search that prunes
	// may know of a move only that it is not better than the best one.
	All bool
}

// NewQuery asks about a board in a game with that score.
func NewQuery(b board.Board, score int64) Query {
	return Query{Position: eval.Position{Board: b, Score: score}}
}

// Exact is the query with All set.
func (q Query) Exact() Query {
	q.All = true
	return q
}

// MoveValue is what a search found out about one move.
type MoveValue struct {
	Legal bool
	Value float64 // minus infinity: lost; NaN: not known (not searched to the end)
	Bound bool    // the true value may be lower
}

// Lost reports whether the move loses in every way the search looked at.
func (m MoveValue) Lost() bool { return m.Legal && math.IsInf(m.Value, -1) }

// Result is a search's answer.
type Result struct {
	Move  board.Direction // the best move; meaningless when OK is false
	OK    bool            // false on a board without a legal move
	Moves [4]MoveValue    // by direction
	Plies int             // depth in the player's moves that the answer rests on
	Nodes int64           // boards the search made, after moves and after spawns
}

// Best is the highest value of a legal move.
func (r *Result) Best() float64 { return r.Moves[r.Move].Value }

// choose sets Move to the legal move with the highest value, the lowest
// direction among equals, also when all are lost.
func (r *Result) choose() {
	for d, m := range r.Moves {
		if m.Legal && (!r.OK || m.Value > r.Moves[r.Move].Value || math.IsNaN(r.Moves[r.Move].Value) && !math.IsNaN(m.Value)) {
			r.Move, r.OK = board.Direction(d), true
		}
	}
}

// newResult is a result with the legal moves marked, and those moves in order.
func newResult(p *eval.Position) (r Result, order []board.Direction) {
	for _, d := range board.Directions {
		if _, _, moved := p.Board.Slide(d); moved {
			r.Moves[d] = MoveValue{Legal: true, Value: math.NaN()}
			order = append(order, d)
		}
	}
	return r, order
}

// orderBy puts the best move of an earlier result first.
func orderBy(order []board.Direction, earlier *Result) {
	for i, d := range order {
		if d == earlier.Move {
			copy(order[1:i+1], order[:i])
			order[0] = d
		}
	}
}
