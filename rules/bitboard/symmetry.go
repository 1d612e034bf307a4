package bitboard

import "slices"

// Transpose returns the board mirrored along its main diagonal.
func (b Board) Transpose() Board {
	t := (b ^ b>>12) & 0x0000f0f00000f0f0 // the two cells off the diagonal in every 2x2 block
	b ^= t ^ t<<12
	t = (b ^ b>>24) & 0x00000000ff00ff00 // the two blocks off the diagonal
	return b ^ t ^ t<<24
}

// Mirror returns the board with every row reversed.
func (b Board) Mirror() Board {
	b = b>>4&0x0f0f0f0f0f0f0f0f | b&0x0f0f0f0f0f0f0f0f<<4
	return b>>8&0x00ff00ff00ff00ff | b&0x00ff00ff00ff00ff<<8
}

// Flip returns the board with the order of its rows reversed.
func (b Board) Flip() Board {
	b = b>>16&0x0000ffff0000ffff | b&0x0000ffff0000ffff<<16
	return b>>32 | b<<32
}

// Symmetries returns the eight rotations and reflections of the board, itself first; they may be
// equal.
func (b Board) Symmetries() [8]Board {
	m := b.Mirror()
	t := b.Transpose()
	u := t.Mirror()
	return [8]Board{b, m, b.Flip(), m.Flip(), t, u, t.Flip(), u.Flip()}
}

// Canonical returns the least of the eight symmetric boards, which is the same for all of them.
func (b Board) Canonical() Board {
	all := b.Symmetries()
	return slices.Min(all[:])
}
