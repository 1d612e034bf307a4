package ntuple

import (
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// SymIndices are the table indices of one pattern on a board, one for each of the eight symmetries,
// in the order of bitboard.Board.Symmetries. A board that is not square has four symmetries, which
// are listed twice. All eight indices of a fixed pattern (see [Layout]) are equal.
type SymIndices [8]uint32

// reader computes the indices of all patterns on a board.
type reader struct {
	size board.Size
	ways int // number of different symmetries: eight, or four on a board that is not square
	// places[p][s] contains the places of the cells of pattern p under symmetry s: in a word, the shifts that move
	// them to the lowest bits; on boards that do not fit into a word, 8*row + column.
	places   [][8][]uint8
	controls []control // the places in a word, as byte shuffles
	unrolled unrolled
	fast     bool // the assembly kernels are used
}

// control contains the byte shuffles that gather the cells of one pattern. For each symmetry it
// lists the cells that go into the eight bytes of an index; 0x80 means no cell. Two symmetries take
// 16 bytes, which are stored twice: for the upper and for the lower halves of exponents. The last
// 16 bytes contain the number of bits of the lower halves.
type control [144]byte

func newReader(l *Layout) *reader {
	r := &reader{size: l.Size, ways: 4, fast: haveKernel, unrolled: unrolledFor(l)}
	if l.Size.Rows == l.Size.Cols {
		r.ways = 8
	}
	unit, row := 4, 4*stride(l.Size)
	if l.Wide() { // for such boards, the kernels compute only sums
		unit, row = 1, 8
	}
	for _, p := range l.Patterns {
		var places [8][]uint8
		for s := range places {
			symmetry := s
			if l.Fixed {
				symmetry = 0
			}
			for _, cell := range p {
				from := sourceCell(l.Size, symmetry, int(cell))
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

// sourceCell returns the cell that symmetry s moves to the given cell: bit 0 of s mirrors left and
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

// read writes the indices of b to dst, one entry per pattern, with the fastest implementation available.
func (r *reader) read(dst []SymIndices, b bitboard.Board) {
	switch {
	case r.fast:
		shuffle(&dst[0], &r.controls[0], len(r.controls), uint64(b))
	case r.unrolled == is5x4:
		indices5x4((*[5]SymIndices)(dst), b)
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

// general is the reference implementation of read. Tests compare the other implementations with it.
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

// Packs reports whether boards of a size fit into a word, that is, have at most 16 cells.
func Packs(size board.Size) bool { return bitboard.Fits(size) }

// stride is the number of nibbles from a cell to the cell below it.
func stride(size board.Size) int {
	if size.Rows <= 4 && size.Cols <= 4 {
		return 4
	}
	return size.Cols
}

// Pack writes a board of at most 16 cells into a word. Up to 4x4 the cell in row r and column c is
// nibble 4r+c, and nibbles without a cell are empty. With a side of five or six, cell i is
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

// unrolled identifies the layouts whose index computation is unrolled in Go, for machines without the
// kernel.
type unrolled uint8

const (
	isOther unrolled = iota
	is5x4
	is4x6
	is8x6
	is12x6
)

func unrolledFor(l *Layout) unrolled {
	for name, kind := range map[string]unrolled{"5x4": is5x4, "4x6": is4x6, "8x6": is8x6, "12x6": is12x6} {
		n, err := Named(bitboard.Size, name)
		if err == nil && l.SamePatterns(&n) {
			return kind
		}
	}
	return isOther
}

// turned returns the halves of the exponents (see halves) under all symmetries, in order. Each is rotated by 180
// degrees: cell i of the transformed board is in bits 30-2i of each half, so that a row of cells reads like an
// index.
func turned(b bitboard.Board) (all [8]uint64) {
	x := halves(b)
	for s := 0; s < len(all); s += 4 {
		m := mirrorHalves(x)
		all[s], all[s+1], all[s+2], all[s+3] = flipHalves(m), flipHalves(x), m, x
		x = transposeHalves(x)
	}
	return all
}

// halves returns the upper two bits of all exponents in the upper half of a word, and the lower two
// bits in the lower half. In each half, cell i is in bits 2i and 2i+1.
func halves(b bitboard.Board) uint64 {
	x := uint64(b)
	t := (x ^ x>>2) & 0x0c0c0c0c0c0c0c0c
	x ^= t ^ t<<2
	t = (x ^ x>>4) & 0x00f000f000f000f0
	x ^= t ^ t<<4
	t = (x ^ x>>8) & 0x0000ff000000ff00
	x ^= t ^ t<<8
	t = (x ^ x>>16) & 0x00000000ffff0000
	return x ^ t ^ t<<16
}

// mirrorHalves, flipHalves and transposeHalves do what Mirror, Flip and Transpose of a bitboard.Board do, in both
// halves.
func mirrorHalves(x uint64) uint64 {
	x = x>>2&0x3333333333333333 | x&0x3333333333333333<<2
	return x>>4&0x0f0f0f0f0f0f0f0f | x&0x0f0f0f0f0f0f0f0f<<4
}

func flipHalves(x uint64) uint64 {
	x = x>>8&0x00ff00ff00ff00ff | x&0x00ff00ff00ff00ff<<8
	return x>>16&0x0000ffff0000ffff | x&0x0000ffff0000ffff<<16
}

func transposeHalves(x uint64) uint64 {
	t := (x ^ x>>6) & 0x00cc00cc00cc00cc
	x ^= t ^ t<<6
	t = (x ^ x>>12) & 0x0000f0f00000f0f0
	return x ^ t ^ t<<12
}

// indices5x4 fills the indices of the patterns 0123 4567 0145 1256 569a, the layout of the levels
// on 4x4.
func indices5x4(dst *[5]SymIndices, b bitboard.Board) {
	for s, x := range turned(b) {
		dst[0][s] = joined4(p0123(x))
		dst[1][s] = joined4(p4567(x))
		dst[2][s] = joined4(p0145(x))
		dst[3][s] = joined4(p1256(x))
		dst[4][s] = joined4(p569a(x))
	}
}

// indices4x6 fills the indices of the patterns 012345 456789 012456 45689a.
func indices4x6(dst *[4]SymIndices, b bitboard.Board) {
	for s, x := range turned(b) {
		dst[0][s] = joined(p012345(x))
		dst[1][s] = joined(p456789(x))
		dst[2][s] = joined(p012456(x))
		dst[3][s] = joined(p45689a(x))
	}
}

// indices8x6 fills the indices of the patterns 012456 456789 012345 234569 01259a 345678 134567
// 01489a.
func indices8x6(dst *[8]SymIndices, b bitboard.Board) {
	for s, x := range turned(b) {
		dst[0][s] = joined(p012456(x))
		dst[1][s] = joined(p456789(x))
		dst[2][s] = joined(p012345(x))
		dst[3][s] = joined(p234569(x))
		dst[4][s] = joined(p01259a(x))
		dst[5][s] = joined(p345678(x))
		dst[6][s] = joined(p134567(x))
		dst[7][s] = joined(p01489a(x))
	}
}

// indices12x6 fills the indices of the patterns of 8x6 and of the patterns 012468 012589 01269a
// 12589a.
func indices12x6(dst *[12]SymIndices, b bitboard.Board) {
	indices8x6((*[8]SymIndices)(dst[:]), b)
	for s, x := range turned(b) {
		dst[8][s] = joined(p012468(x))
		dst[9][s] = joined(p012589(x))
		dst[10][s] = joined(p01269a(x))
		dst[11][s] = joined(p12589a(x))
	}
}

// joined returns the index whose low twelve bits are bits 0 to 11 of x, and whose high twelve bits are bits 32 to 43.
func joined(x uint64) uint32 { return uint32(x>>20) | uint32(x) }

// joined4 returns the index whose low eight bits are bits 0 to 7 of x, and whose high eight bits are bits 32 to 39.
func joined4(x uint64) uint32 { return uint32(x>>24) | uint32(x) }

// The functions below move a pattern's cells next to each other in both halves, two bits each, from a
// word with cell i in bits 30-2i.

const both = 1<<32 + 1

func p0123(x uint64) uint64   { return x >> 24 & (0xff * both) }
func p4567(x uint64) uint64   { return x >> 16 & (0xff * both) }
func p0145(x uint64) uint64   { return x>>24&(0xf0*both) | x>>20&(0xf*both) }
func p1256(x uint64) uint64   { return x>>22&(0xf0*both) | x>>18&(0xf*both) }
func p569a(x uint64) uint64   { return x>>14&(0xf0*both) | x>>10&(0xf*both) }
func p012345(x uint64) uint64 { return x >> 20 & (0xfff * both) }
func p456789(x uint64) uint64 { return x >> 12 & (0xfff * both) }
func p012456(x uint64) uint64 { return x>>20&(0xfc0*both) | x>>18&(0x3f*both) }
func p45689a(x uint64) uint64 { return x>>12&(0xfc0*both) | x>>10&(0x3f*both) }
func p234569(x uint64) uint64 { return x>>16&(0xffc*both) | x>>12&(0x3*both) }
func p01259a(x uint64) uint64 { return x>>20&(0xfc0*both) | x>>16&(0x30*both) | x>>10&(0xf*both) }
func p345678(x uint64) uint64 { return x >> 14 & (0xfff * both) }
func p134567(x uint64) uint64 { return x>>18&(0xc00*both) | x>>16&(0x3ff*both) }
func p01489a(x uint64) uint64 { return x>>20&(0xf00*both) | x>>16&(0xc0*both) | x>>10&(0x3f*both) }
func p012468(x uint64) uint64 {
	return x>>20&(0xfc0*both) | x>>18&(0x30*both) | x>>16&(0xc*both) | x>>14&(0x3*both)
}
func p012589(x uint64) uint64 { return x>>20&(0xfc0*both) | x>>16&(0x30*both) | x>>12&(0xf*both) }
func p01269a(x uint64) uint64 { return x>>20&(0xfc0*both) | x>>14&(0x30*both) | x>>10&(0xf*both) }
func p12589a(x uint64) uint64 { return x>>18&(0xf00*both) | x>>14&(0xc0*both) | x>>10&(0x3f*both) }
