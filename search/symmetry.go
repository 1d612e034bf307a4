package search

import (
	"afterstate/bitboard"
	"afterstate/board"
)

// Symmetric boards and moves.
//
// Under an evaluator that values all images of a board alike, images have the same value,
// and so have moves to afterstates that are images of each other for the same reward. A
// table does not keep that: what it answers depends on what was searched before, and under
// a limit of nodes the depth depends on what it had no room for. So with a table
//
//   - only one of several first moves that are alike is searched, and
//   - where the order matters, Expectimax searches one image of a board, the same one for
//     all of them.
//
// To let entries answer only for lines that are just as likely would mend the cause, and
// TTExact does it, but it costs too many hits: see docs/search.md.
//
// Games on 4x4 are an exception, so that they stay what they were: there the first rule
// holds only for queries that ask for all values, and the second one not at all.

// turn is a symmetry of boards: bit 0 reverses the order of rows, then bit 1 that of
// columns, then bit 2 exchanges rows and columns.
type turn uint8

const turns = 8

func (t turn) board(b board.Board) board.Board {
	if t&1 != 0 {
		b = b.Flipped()
	}
	if t&2 != 0 {
		b = b.Transposed()
		b = b.Flipped()
		b = b.Transposed()
	}
	if t&4 != 0 {
		b = b.Transposed()
	}
	return b
}

// move is the move on the turned board that does what d does on the board.
func (t turn) move(d board.Direction) board.Direction {
	if vertical := d == board.Up || d == board.Down; vertical && t&1 != 0 || !vertical && t&2 != 0 {
		d = (d + 2) & 3
	}
	if t&4 != 0 {
		d = 3 - d
	}
	return d
}

// canonical is the least image of a board of the same size, the same for all of its
// images, and how it comes about.
func canonical(b *board.Board) (least board.Board, how turn) {
	least = *b
	for t := turn(1); t < turns; t++ {
		if t&4 != 0 && b.Size().Rows != b.Size().Cols {
			break
		}
		if image := t.board(*b); less(&image, &least) {
			least, how = image, t
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

// turned is the query about the canonical image of its board. ok is false where the board
// is searched as it stands: where the order has no part in the answer, and on 4x4.
func (s *Expectimax) turned(q Query) (_ Query, how turn, ok bool) {
	ordered := s.o.TT > 0 && (s.anytime || s.o.MinProb > 0)
	if !ordered || !s.symmetric || q.Board.Size() == bitboard.Size {
		return q, 0, false
	}
	q.Board, how = canonical(&q.Board)
	return q, how, true
}

// back is the result for the board whose turned image was searched.
func (r *Result) back(how turn) Result {
	b := *r
	for d := range b.Moves {
		b.Moves[d] = r.Moves[how.move(board.Direction(d))]
	}
	b.OK = false
	b.choose()
	return b
}

// likeness says of each direction which first move has its value: itself, or a lower
// direction that is alike.
type likeness [4]board.Direction

// different are the moves whose values others do not give.
func (l *likeness) different(moves []board.Direction) []board.Direction {
	kept := moves[:0]
	for _, d := range moves {
		if l[d] == d {
			kept = append(kept, d)
		}
	}
	return kept
}

// complete gives the moves that were not searched their values.
func (l *likeness) complete(r *Result) {
	for d, as := range l {
		r.Moves[d] = r.Moves[as]
	}
}

// likeness finds moves that are alike.
func (s *Expectimax) likeness(q *Query) likeness {
	l := likeness{0, 1, 2, 3}
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
