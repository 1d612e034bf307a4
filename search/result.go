package search

import (
	"math"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Query is a position to search.
type Query struct {
	eval.Position
	// All requests the exact value of every move. Without it a search that prunes may return an
	// upper bound for moves that are not the best.
	All bool
}

// NewQuery returns the query for a board in a game with the given score.
func NewQuery(b board.Board, score int64) Query {
	return Query{Position: eval.Position{Board: b, Score: score}}
}

// Exact returns the query with All set.
func (q Query) Exact() Query {
	q.All = true
	return q
}

// MoveValue is the value that a search found for one move.
type MoveValue struct {
	Legal bool
	// minus infinity: lost (see the package comment); NaN: unknown, because the search did not complete it
	Value float64
	Bound bool // Value is an upper bound
}

// Lost reports whether the move is legal and its value is minus infinity.
func (m MoveValue) Lost() bool { return m.Legal && math.IsInf(m.Value, -1) }

// Result is the answer to a query.
type Result struct {
	Move  board.Direction // the best move; undefined when OK is false
	OK    bool            // false on a board without a legal move
	Moves [4]MoveValue    // results for the moves, by direction
	Plies int             // depth of the iteration that the values come from, in the player's moves
	Nodes int64           // number of boards made, after moves and after spawns
}

// Best returns the value of Move.
func (r *Result) Best() float64 { return r.Moves[r.Move].Value }

// lead returns by how much the value of Move exceeds the values of all other legal moves. It returns +Inf if there
// are none.
func (r *Result) lead() float64 {
	lead := math.Inf(1)
	for d, m := range r.Moves {
		if m.Legal && board.Direction(d) != r.Move {
			lead = min(lead, r.Best()-m.Value)
		}
	}
	return lead
}

// newResult returns a result in which the legal moves are marked, and a list of these moves in
// order of direction.
func newResult(p *eval.Position) (r Result, order []board.Direction) {
	order = p.Board.Legal()
	for _, d := range order {
		r.Moves[d] = MoveValue{Legal: true, Value: math.NaN()}
	}
	return r, order
}

// Unsearched returns the result for a board with at most one legal move, which needs no search. The
// value of the move is unknown (NaN). ok is false for boards with several legal moves.
func Unsearched(p *eval.Position) (r Result, ok bool) {
	r, order := newResult(p)
	if len(order) == 1 {
		r.Move, r.OK = order[0], true
	}
	return r, len(order) <= 1
}

// orderBy reorders the moves so that the best move of an earlier result, if any, comes first.
func orderBy(order []board.Direction, earlier *Result) {
	for i, d := range order {
		if earlier != nil && d == earlier.Move {
			copy(order[1:i+1], order[:i])
			order[0] = d
		}
	}
}
