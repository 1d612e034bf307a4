package search

import (
	"context"
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Views.
//
// A network may evaluate a board with large tiles as another board with smaller tiles, its view
// ([eval.Downgrader]). Training follows one rule: wherever the network chooses a move, the rewards
// come from the moves on the view of the board, and each afterstate is again replaced by its view
// when it is evaluated. The searches follow this rule at the root and at every post-spawn board. So
// a search of one ply plays as package learn does, and deeper searches read no values that training
// would not have read. The boards in the tree are the real boards, since a view is equivalent to
// its board for two moves only.
//
// The function fit handles 4x4 boards that do not fit into nibbles.

// gains returns, for each move on b, the reward that is added to the value of its afterstate.
// Rewards come from b's view if the evaluator has views. They are 0 if values are not in points.
func (s *Expectimax) gains(b *board.Board, after *[4]board.Afterstate) (gains [4]float64) {
	if !s.points {
		return gains
	}
	if s.viewer != nil {
		if view := s.viewer.DowngradeBoard(*b); view != *b {
			var seen [4]board.Afterstate
			view.Afterstates(&seen)
			after = &seen
		}
	}
	for d := range after {
		gains[d] = float64(after[d].Reward)
	}
	return gains
}

// gain does what gains does, for one move.
func (s *Expectimax) gain(b *board.Board, d board.Direction, reward int64) float64 {
	if !s.points {
		return 0
	}
	if s.viewer != nil {
		if view := s.viewer.DowngradeBoard(*b); view != *b {
			_, reward, _ = view.Slide(d)
		}
	}
	return float64(reward)
}

// fit packs a 4x4 board into nibbles for a search of at most the given number of moves. If the
// board does not fit and the evaluator has views, fit lowers the tiles above the highest gaps
// between tiles, as a view does, until the board fits. An evaluator without views needs the real
// exponents. ok is false if the board cannot be packed.
func fit(b *board.Board, moves int, views bool) (packed bitboard.Board, ranks bitboard.Ranks, ok bool) {
	for minimum := uint8(bitboard.MaxExponent + 1); minimum > 2; minimum-- {
		packed, ranks, ok = bitboard.Downgrade(b, moves, minimum)
		ok = ok && (views || ranks == bitboard.IdentityRanks)
		if ok || !views {
			break
		}
	}
	return packed, ranks, ok
}

// fit sets s.ranks for a board that does not fit into nibbles, so that Expectimax searches the same
// packed board as Expectimax4. For all other boards it sets s.ranks to nil.
func (s *Expectimax) fit(b *board.Board, deepest int) {
	s.ranks = nil
	if s.viewer == nil || b.Size() != bitboard.Size {
		return
	}
	if _, ranks, ok := fit(b, deepest+1, true); ok && ranks != bitboard.IdentityRanks {
		s.ranks = &ranks
	}
}

// searched returns the position to search in place of p: the packed board if s.ranks is set,
// otherwise p itself.
func (s *Expectimax) searched(p *eval.Position) eval.Position {
	if s.ranks == nil {
		return *p
	}
	return eval.Position{Board: packAs(&p.Board, s.ranks).Board(), Score: p.Score}
}

// packAs packs a board with the given ranks, which must include all its exponents.
func packAs(b *board.Board, ranks *bitboard.Ranks) (packed bitboard.Board) {
	for i := range 16 {
		k := slices.Index(ranks[:], b.Cell(i))
		packed |= bitboard.Board(k) << (4 * i)
	}
	return packed
}

// Symmetric boards and moves.
//
// With an evaluator that is invariant under the board's symmetries, symmetric boards have equal
// values, and so have moves with equal rewards to symmetric afterstates. A table breaks this: its
// values depend on what was searched before, and under a node limit the depth of a search depends
// on which entries were replaced. So with a table
//
//   - only one of several equivalent root moves is searched, and
//   - where the order of search matters, Expectimax searches the canonical image of the board.
//
// TTExact, which restricts entries to lines of equal probability, would remove the cause but costs
// too many hits: see docs/lab/search.md.

// symmetry is the index of a symmetry in [board.Board.Symmetries].
type symmetry uint8

// move maps a move on a board to the equivalent move on its image.
func (t symmetry) move(d board.Direction) board.Direction {
	if t&4 != 0 {
		d = 3 - d
	}
	if vertical := d == board.Up || d == board.Down; vertical && t&2 != 0 || !vertical && t&1 != 0 {
		d = (d + 2) & 3
	}
	return d
}

// canonical returns the largest of a board's images of the same size, and the symmetry that maps the
// board to it. All these images have the same canonical board. Row by row, the largest image has its
// large tiles first, which seldom move. So successive boards of a game keep their orientation, and
// their searches find the network's weights in the processor's caches: with the smallest image, which
// the small tiles determine, champion took 10 % more time.
func canonical(b *board.Board) (largest board.Board, sym symmetry) {
	if packed, ok := bitboard.From(b); ok { // the same, faster
		images := packed.Symmetries()
		for t, image := range images {
			if image.Flip() > images[sym].Flip() { // Flip makes the first row the most significant
				sym = symmetry(t)
			}
		}
		return images[sym].Board(), sym
	}
	largest = *b
	for t := range 8 {
		if image := b.Image(t); image.Size() == b.Size() && less(&largest, &image) {
			largest, sym = image, symmetry(t)
		}
	}
	return largest, sym
}

func less(a, b *board.Board) bool {
	for r := range a.Size().Rows {
		if x, y := a.Row(r), b.Row(r); x != y {
			return x < y
		}
	}
	return false
}

// canonically answers a query by searching the canonical image of its board, if the order of search
// affects the result, and the board itself otherwise.
func (s *Expectimax) canonically(ctx context.Context, q Query, search func(context.Context, Query) (Result, error)) (Result, error) {
	image, sym := q, symmetry(0)
	if ordered := s.o.TT > 0 && (s.anytime || s.o.MinProb > 0); ordered && s.symmetric {
		image.Board, sym = canonical(&q.Board)
	}
	r, err := search(ctx, image)
	if err != nil {
		return r, err
	}
	r = r.fromCanonical(sym)
	r.survive(ctx, &q.Position, s.o.P4)
	return r, nil
}

// fromCanonical maps a result for the canonical image back to the original board.
func (r *Result) fromCanonical(sym symmetry) Result {
	b := *r
	for d := range b.Moves {
		b.Moves[d] = r.Moves[sym.move(board.Direction(d))]
	}
	b.Move, b.OK = BestMove(&b.Moves)
	return b
}

// moveClasses maps each direction to the move that is searched in its place: itself, or the
// equivalent root move with the lowest direction.
type moveClasses [4]board.Direction

// complete copies the results of the searched moves to the equivalent moves.
func (l *moveClasses) complete(r *Result) {
	for d, as := range l {
		r.Moves[d] = r.Moves[as]
	}
}

// moveClasses finds the equivalent root moves. Without a table every move is searched.
func (s *Expectimax) moveClasses(q *Query) moveClasses {
	l := moveClasses{0, 1, 2, 3}
	if !s.symmetric || s.o.TT == 0 {
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

// prunesMoves reports whether PruneMargin applies to the moves on a post-spawn board.
func (s *Expectimax) prunesMoves(plies int, q float64) bool {
	return s.o.PruneMargin > 0 && plies > 1 && q >= s.o.MinProb
}

// pruneMoves clears Moved of the moves whose static value (the reward plus the evaluator's value of the afterstate)
// is more than PruneMargin below the best one.
func (s *Expectimax) pruneMoves(p *eval.Position, all *[4]board.Afterstate, gains *[4]float64) {
	var worth [4]float64
	top := math.Inf(-1)
	for d := range all {
		if after := &all[d]; after.Moved {
			next := eval.Position{Board: after.Board, Score: p.Score + after.Reward}
			worth[d] = gains[d] + s.value(&next)
			top = max(top, worth[d])
		}
	}
	for d := range all {
		all[d].Moved = all[d].Moved && worth[d] >= top-s.o.PruneMargin
	}
}
