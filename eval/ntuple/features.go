package ntuple

import (
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// SymIndices are the table indices of one pattern on a board, one for each of the eight symmetries,
// in the order of bitboard.Board.Symmetries. A board that is not square has four symmetries, each
// of them twice.
type SymIndices [8]uint32

// reader computes the indices of all patterns on a board.
type reader struct {
	size board.Size
	ways int // different symmetries: eight, or four on a board that is not square
	// places[p][s] is where the pattern's cells are, as seen under symmetry s: in a word, the shifts that bring them to the
	// bottom; on boards that do not fit into one, 8*row + column.
	places   [][8][]uint8
	controls []control // for words, the same as byte shuffles
	unrolled unrolled
	fast     bool // by machine code
}

// control is a byte shuffle: for each symmetry, which cells go into the eight bytes of an index;
// 0x80 is none. Two symmetries take 16 bytes, stored twice, for the upper and the lower halves of
// exponents. The last 16 bytes hold the number of bits of the lower halves.
type control [144]byte

func newReader(l *Layout) *reader {
	r := &reader{size: l.Size, ways: 4, fast: haveKernel, unrolled: unrolledFor(l)}
	if l.Size.Rows == l.Size.Cols {
		r.ways = 8
	}
	unit, row := 4, 4*stride(l.Size)
	if l.Wide() { // machine code only for its sums
		unit, row = 1, 8
	}
	for _, p := range l.Patterns {
		var places [8][]uint8
		for s := range places {
			for _, cell := range p {
				from := sourceCell(l.Size, s, int(cell))
				places[s] = append(places[s], uint8(row*(from/l.Size.Cols)+unit*(from%l.Size.Cols)))
			}
		}
		r.places = append(r.places, places)
		var c control
		for i := range c[:128] {
			c[i] = 0x80
		}
		for s := range places {
			for k, shift := range places[s] {
				place := 32*(s/2) + 8*(s%2) + len(p) - 1 - k
				c[place], c[place+16] = shift/4, shift/4
			}
		}
		c[128] = uint8(2 * len(p))
		r.controls = append(r.controls, c)
	}
	return r
}

// sourceCell is the cell that is in a cell of the board after symmetry s: bit 0 mirrors left and
// right, bit 1 top and bottom, bit 2 transposes.
func sourceCell(size board.Size, s, cell int) int {
	row, col := cell/size.Cols, cell%size.Cols
	if s&1 != 0 {
		col = size.Cols - 1 - col
	}
	if s&2 != 0 {
		row = size.Rows - 1 - row
	}
	if s&4 != 0 && size.Rows == size.Cols {
		row, col = col, row
	}
	return row*size.Cols + col
}

// read fills dst, one entry a pattern, by the fastest implementation there is.
func (r *reader) read(dst []SymIndices, b bitboard.Board) {
	switch {
	case r.fast:
		shuffle(&dst[0], &r.controls[0], len(r.controls), uint64(b))
	case r.unrolled == is4x6:
		indices4x6((*[4]SymIndices)(dst), b)
	case r.unrolled == is8x6:
		indices8x6((*[8]SymIndices)(dst), b)
	case r.unrolled == is12x6:
		indices12x6((*[12]SymIndices)(dst), b)
	default:
		r.general(dst, b)
	}
}

// general is the reference that the others are tested against.
func (r *reader) general(dst []SymIndices, b bitboard.Board) {
	for p := range r.places {
		for s := range 8 {
			var high, low uint32
			for _, shift := range r.places[p][s] {
				e := uint32(b >> shift & 15)
				high, low = high<<2|e>>2, low<<2|e&3
			}
			dst[p][s] = high<<(2*len(r.places[p][s])) | low
		}
	}
}

// Packs reports whether boards of a size fit into a word: those of at most 16 cells.
func Packs(size board.Size) bool { return bitboard.Fits(size) }

// stride is the number of nibbles from a cell to the one below it.
func stride(size board.Size) int {
	if size.Rows <= 4 && size.Cols <= 4 {
		return 4
	}
	return size.Cols
}

// Pack writes a board of at most 16 cells into a word. Up to 4x4 the cell in row r and column c is
// nibble 4r+c, and nibbles that a smaller board lacks are empty. With a side of five or six, cell i is
// nibble i, as in [bitboard.Lines]. ok is false for larger boards and for tiles above 32768.
func Pack(b *board.Board) (w bitboard.Board, ok bool) {
	size := b.Size()
	if !Packs(size) {
		return 0, false
	}
	for r, step := 0, stride(size); r < size.Rows; r++ {
		row := b.Row(r)
		if row&^0x0f0f0f0f0f0f0f0f != 0 {
			return 0, false
		}
		row |= row >> 4 // bytes to nibbles
		row = row&0xff | row>>8&0xff00 | row>>16&0xff0000
		w |= bitboard.Board(row) << (4 * step * r)
	}
	return w, true
}

// Unpack is the inverse of [Pack] for boards of a size.
func Unpack(w bitboard.Board, size board.Size) board.Board {
	b := board.New(size)
	step := stride(size)
	for i := range size.Cells() {
		b.Set(i, w.Cell(step*(i/size.Cols)+i%size.Cols))
	}
	return b
}
