package board

// Transposed returns the board mirrored along its main diagonal; RxC becomes CxR.
func (b *Board) Transposed() Board {
	t := Board{rows: b.rows, size: Size{b.size.Cols, b.size.Rows}}
	transposeSix(&t.rows)
	return t
}

// Flipped returns the board with its rows in reverse order.
func (b *Board) Flipped() Board {
	f := *b
	reverseSix(&f.rows, b.size.Rows)
	return f
}

// Symmetries returns the images of the board under the rotations and reflections that keep its
// size: eight for a square board, four for others. Bit 0 of an index reverses the rows, then bit 1 the columns, then
// bit 2 transposes; images may be equal.
func (b *Board) Symmetries() []Board {
	mirrored := func(x Board) Board { // columns in reverse order
		t := x.Transposed()
		t = t.Flipped()
		return t.Transposed()
	}
	flip := b.Flipped()
	all := []Board{*b, flip, mirrored(*b), mirrored(flip)}
	if b.size.Rows == b.size.Cols {
		for _, x := range all[:4] {
			all = append(all, x.Transposed())
		}
	}
	return all
}
