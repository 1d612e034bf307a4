package search

import (
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Symmetric boards and moves.
//
// With an evaluator that is invariant under the board's symmetries, symmetric boards have equal
// values, and so have moves with equal rewards to symmetric afterstates. A table breaks this: its
// answers depend on what was searched before, and under a node limit the depth depends on what was
// replaced. So with a table
//
//   - only one of several equivalent first moves is searched, and
//   - where the order of search matters, Expectimax searches a canonical image of the board.
//
// TTExact, which restricts entries to lines of equal probability, would remove the cause but costs
// too many hits: see docs/search.md.
//
// 4x4 is an exception, so that games played by earlier builds are reproduced: there the first rule
// applies only to queries with All, and the second not at all.

// symmetry is the index of a symmetry in [board.Board.Symmetries].
type symmetry uint8

// move maps a move on the board to the equivalent move on the turned board.
func (t symmetry) move(d board.Direction) board.Direction {
	if vertical := d == board.Up || d == board.Down; vertical && t&1 != 0 || !vertical && t&2 != 0 {
		d = (d + 2) & 3
	}
	if t&4 != 0 {
		d = 3 - d
	}
	return d
}

// canonical returns the least image of a board of the same size, which is the same for all its
// images, and the symmetry that leads to it.
func canonical(b *board.Board) (least board.Board, how symmetry) {
	least = *b
	for t, image := range b.Symmetries() {
		if less(&image, &least) {
			least, how = image, symmetry(t)
		}
	}
	return least, how
}

func less(a, b *board.Board) bool {
	for r := range a.Size().Rows {
		if x, y := a.Row(r), b.Row(r); x != y {
			return x < y
		}
	}
	return false
}

// canonicalQuery returns the query for the canonical image of its board. ok is false if the board is
// searched as it is: where the order of search does not affect the result, and on 4x4.
func (s *Expectimax) canonicalQuery(q Query) (_ Query, how symmetry, ok bool) {
	ordered := s.o.TT > 0 && (s.anytime || s.o.MinProb > 0)
	if !ordered || !s.symmetric || q.Board.Size() == bitboard.Size {
		return q, 0, false
	}
	q.Board, how = canonical(&q.Board)
	return q, how, true
}

// fromCanonical maps a result for the turned board to the original board.
func (r *Result) fromCanonical(how symmetry) Result {
	b := *r
	for d := range b.Moves {
		b.Moves[d] = r.Moves[how.move(board.Direction(d))]
	}
	b.OK = false
	b.choose()
	return b
}

// moveClasses maps each direction to the first move that is searched for it: itself, or an equivalent
// move in a lower direction.
type moveClasses [4]board.Direction

// representatives returns the moves that are mapped to themselves.
func (l *moveClasses) representatives(moves []board.Direction) []board.Direction {
	kept := moves[:0]
	for _, d := range moves {
		if l[d] == d {
			kept = append(kept, d)
		}
	}
	return kept
}

// complete copies the results to equivalent moves.
func (l *moveClasses) complete(r *Result) {
	for d, as := range l {
		r.Moves[d] = r.Moves[as]
	}
}

// moveClasses finds equivalent moves; without a table each is its own.
func (s *Expectimax) moveClasses(q *Query) moveClasses {
	l := moveClasses{0, 1, 2, 3}
	if !s.symmetric || s.o.TT == 0 || !q.All && q.Board.Size() == bitboard.Size {
		return l
	}
	var all [4]board.Afterstate
	q.Board.Afterstates(&all)
	var images [4]board.Board
	for d := range all {
		if !all[d].Moved {
			continue
		}
		images[d], _ = canonical(&all[d].Board)
		for e := range d {
			if all[e].Moved && all[e].Reward == all[d].Reward && images[e] == images[d] {
				l[d] = l[e]
				break
			}
		}
	}
	return l
}
