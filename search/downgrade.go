package search

import (
	"slices"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/eval"
)

// downgrade sets which board is searched in place of one that is asked about.
func (s *Expectimax) downgrade(b *board.Board, deepest int) {
	s.ranks = nil
	if s.o.Downgrade == 0 || !s.points || b.Largest() < s.o.Downgrade {
		return
	}
	if _, ranks, ok := bitboard.Downgrade(b, deepest+1, s.o.Downgrade); ok && ranks != bitboard.Plain {
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
