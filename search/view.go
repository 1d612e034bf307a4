package search

import (
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Views.
//
// A network evaluates boards with large tiles as boards of smaller ones ([eval.Downgrader]). It is
// trained by one rule: wherever it chooses a move, the rewards are those of the moves on the view
// of the board, and the afterstates are viewed again when they are evaluated. The searches follow
// this rule at the root and at every post-spawn board. So a search of one ply plays as package
// learn does, and deeper searches read no values that training would not have. The boards in the
// tree are the real ones: a view is equivalent to its board for two moves only.
//
// Boards that do not fit into nibbles are another case: see fit.

// gains returns what the rewards of a board's moves add to their values.
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

// gain returns what the reward of one move adds to its value.
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

// fit packs a 4x4 board into nibbles for a search of this many moves. If nibbles cannot hold it,
// the highest gaps between its tiles are closed, as in a view. Without views the evaluator must see
// the board as it is, so ok is false then.
func fit(b *board.Board, moves int, views bool) (packed bitboard.Board, ranks bitboard.Ranks, ok bool) {
	for least := uint8(bitboard.MaxExponent + 1); least > 2; least-- {
		packed, ranks, ok = bitboard.Downgrade(b, moves, least)
		if ok && !views && ranks != bitboard.IdentityRanks {
			ok = false
		}
		if ok || !views {
			break
		}
	}
	return packed, ranks, ok
}

// fit sets s.ranks for a board that does not fit into nibbles, so that the same packed board is
// searched as in Expectimax4.
func (s *Expectimax) fit(b *board.Board, deepest int) {
	s.ranks = nil
	if s.viewer == nil || b.Size() != bitboard.Size {
		return
	}
	if _, ranks, ok := fit(b, deepest+1, true); ok && ranks != bitboard.IdentityRanks {
		s.ranks = &ranks
	}
}

// searched returns the position that is searched for one in the tree.
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
