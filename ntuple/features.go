package ntuple

import (
	"afterstate/bitboard"
	"afterstate/board"
)

// Octet is where a pattern reads its table: one index for each of the eight
// symmetries, in the order of bitboard.Board.Symmetries. A board that is not
// square has four symmetries, each of them twice.
type Octet [8]uint32

// reader finds the indices of all patterns on a board.
type reader struct {
	// nibbles[p][s] are the shifts that bring the pattern's cells, as seen under
	// symmetry s, to the bottom.
	nibbles  [][8][]uint8
	controls []control // the same as byte shuffles
	unrolled unrolled
	fast     bool // by machine code
}

// control says for each symmetry which of the board's cells go into the eight places
// of an index, one byte each; 0x80 is none. Two symmetries make 16 bytes, which are
// there twice, for the upper and the lower halves of exponents. The last 16 bytes are
// the number of bits that the lower halves take.
type control [144]byte

func newReader(l *Layout) *reader {
	r := &reader{fast: haveKernel}
	for _, p := range l.Patterns {
		var shifts [8][]uint8
		for s := range shifts {
			for _, cell := range p {
				shifts[s] = append(shifts[s], 4*source(l.Size, s, int(cell)))
			}
		}
		r.nibbles = append(r.nibbles, shifts)
		var c control
		for i := range c[:128] {
			c[i] = 0x80
		}
		for s := range shifts {
			for k, shift := range shifts[s] {
				place := 32*(s/2) + 8*(s%2) + len(p) - 1 - k
				c[place], c[place+16] = shift/4, shift/4
			}
		}
		c[128] = uint8(2 * len(p))
		r.controls = append(r.controls, c)
	}
	r.unrolled = unrolledFor(l)
	return r
}

// source is the nibble that stands in a cell of the board after symmetry s: bit 0
// reverses rows, bit 1 their order, bit 2 makes columns of them.
func source(size board.Size, s, cell int) uint8 {
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
	return uint8(4*row + col)
}

// read fills dst, one octet a pattern, in the fastest way there is.
func (r *reader) read(dst []Octet, b bitboard.Board) {
	switch {
	case r.fast:
		shuffle(&dst[0], &r.controls[0], len(r.controls), uint64(b))
	case r.unrolled == is4x6:
		octets4x6((*[4]Octet)(dst), b)
	case r.unrolled == is8x6:
		octets8x6((*[8]Octet)(dst), b)
	default:
		r.general(dst, b)
	}
}

// general is the twin that the others are proved equal to.
func (r *reader) general(dst []Octet, b bitboard.Board) {
	for p := range r.nibbles {
		for s := range 8 {
			var high, low uint32
			for _, shift := range r.nibbles[p][s] {
				e := uint32(b >> shift & 15)
				high, low = high<<2|e>>2, low<<2|e&3
			}
			dst[p][s] = high<<(2*len(r.nibbles[p][s])) | low
		}
	}
}

// Word is a board of at most 4x4 in the nibbles of a bitboard, its cell in row r
// and column c in nibble 4r+c; what a smaller board lacks is empty. ok is false for
// larger boards and tiles above 32768.
func Word(b *board.Board) (w bitboard.Board, ok bool) {
	size := b.Size()
	if size.Rows > 4 || size.Cols > 4 {
		return 0, false
	}
	for i := range size.Cells() {
		e := b.Cell(i)
		if e > bitboard.MaxExponent {
			return 0, false
		}
		w |= bitboard.Board(e) << (4 * (4*(i/size.Cols) + i%size.Cols))
	}
	return w, true
}

// unword is the board of a size that Word made nibbles of.
func unword(w bitboard.Board, size board.Size) board.Board {
	b := board.New(size)
	for i := range size.Cells() {
		b.Set(i, w.Cell(4*(i/size.Cols)+i%size.Cols))
	}
	return b
}
