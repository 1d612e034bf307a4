package search

import (
	"slices"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/eval"
)

// Views.
//
// A network values boards with large tiles as boards of smaller ones ([eval.Viewer]), and it
// is trained by one rule: at every board that it chooses a move for, the rewards are those
// of the moves on the view of that board, and the boards after the moves are viewed anew to
// be valued. The searches follow the same rule at the root and at every board after a spawn
// below it. So a search of one ply plays as package learn does, and deeper ones value
// nothing that training would have shown the network otherwise. The boards in the tree are
// the real ones: a view is like its board for two moves only.
//
// What does not fit into nibbles is another matter: see fit.

// gains are what the rewards of a board's moves add to their values.
func (s *Expectimax) gains(b *board.Board, after *[4]board.Afterstate) (gains [4]float64) {
	if !s.points {
		return gains
	}
	if s.viewer != nil {
		if view := s.viewer.View(*b); view != *b {
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

// gain is what the reward of one move adds to its value.
func (s *Expectimax) gain(b *board.Board, d board.Direction, reward int64) float64 {
	if !s.points {
		return 0
	}
	if s.viewer != nil {
		if view := s.viewer.View(*b); view != *b {
			_, reward, _ = view.Slide(d)
		}
	}
	return float64(reward)
}

// fit writes a 4x4 board into nibbles for a search of so many moves. Where it must be
// written with smaller tiles because nibbles cannot hold it, the highest gaps in its chain
// of tiles are closed, as in a view. Without views the evaluator must see the board as it
// is, so ok is false there.
func fit(b *board.Board, moves int, views bool) (packed bitboard.Board, ranks bitboard.Ranks, ok bool) {
	for least := uint8(bitboard.MaxExponent + 1); least > 2; least-- {
		packed, ranks, ok = bitboard.Downgrade(b, moves, least)
		if ok && !views && ranks != bitboard.Plain {
			ok = false
		}
		if ok || !views {
			break
		}
	}
	return packed, ranks, ok
}

// fit sets which board is searched in place of one that does not fit into nibbles, as
// Expectimax4 does.
func (s *Expectimax) fit(b *board.Board, deepest int) {
	s.ranks = nil
	if s.viewer == nil || b.Size() != bitboard.Size {
		return
	}
	if _, ranks, ok := fit(b, deepest+1, true); ok && ranks != bitboard.Plain {
		s.ranks = &ranks
	}
}

// searched is the position that is searched in place of one in the tree.
func (s *Expectimax) searched(p *eval.Position) eval.Position {
	if s.ranks == nil {
		return *p
	}
	return eval.Position{Board: packAs(&p.Board, s.ranks).Board(), Score: p.Score}
}

// packAs is a board in nibbles of the given ranks, which it must not exceed.
func packAs(b *board.Board, ranks *bitboard.Ranks) (packed bitboard.Board) {
	for i := range 16 {
		k := slices.Index(ranks[:], b.Cell(i))
		packed |= bitboard.Board(k) << (4 * i)
	}
	return packed
}
