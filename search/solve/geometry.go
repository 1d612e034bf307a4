package solve

import (
	"math/bits"
	"sync"

	"github.com/afterstate2048/afterstate/internal/each"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// word is a board with four bits per cell: the exponent of cell i, row-major, in bits 4i to 4i+3. Small
// boards have at most 9 cells and tiles up to 2^10; boards of endings have 16 cells.
type word = uint64

const (
	maxCells = 16
	maxRows  = 4 // powers of two let the compiler drop the bounds checks
	maxCols  = 4
)

// geometry holds the lookup tables for one board size, with at most as many rows as columns.
type geometry struct {
	rows, cols, cells int
	// keyMask selects all cells but the last. Within a layer (the boards of one tile sum) the last
	// cell follows from the others, so a key of 32 bits identifies a board of 9 cells.
	keyMask word
	walls   *walls // walls of an ending, nil for other problems

	// Reflections of the board. Endings do not use them; see walls.canonical.
	leftRight, upDown, diagonal mirror
	square                      bool

	row, col slides
	sums     []uint16 // sum of the tiles of four cells, indexed by their 16 bits
}

// mirror is a reflection. It exchanges the cells of mask a with the cells aShift bits higher, and the cells of mask b
// with the cells bShift bits higher. The cells of mask keep stay in place.
type mirror struct {
	keep, a, b     word
	aShift, bShift uint8
}

// of returns the reflected board.
func (m *mirror) of(w word) word {
	return w&m.keep |
		(w&m.a)<<(m.aShift&63) | w>>(m.aShift&63)&m.a |
		(w&m.b)<<(m.bShift&63) | w>>(m.bShift&63)&m.b
}

// slides holds the slide of every line of one length. An entry holds the cells after the slide, placed
// as in the first row or column of a board, and a quarter of the reward from bit rewardAt on.
type slides struct {
	back, forth []word // slides towards the line's first cell, and away from it
}

const (
	rewardAt  = 52
	cellsOnly = 1<<rewardAt - 1
)

// geometryOf returns the geometry for a problem. Problems of one size share it, except endings.
func geometryOf(p *Problem) *geometry {
	if p.Walls != "" {
		g := newGeometry(board.Size{Rows: 4, Cols: 4})
		g.walls = newWalls(p.layouts(), p.Free, p.goal())
		return g
	}
	for i, e := range extents {
		if e.Size == p.Size {
			return geometries[i]()
		}
	}
	panic("solve: no geometry of " + p.Size.String())
}

var geometries = each.Of(extents, func(e Extent) func() *geometry {
	return sync.OnceValue(func() *geometry { return newGeometry(e.Size) })
})

func newGeometry(s board.Size) *geometry {
	g := &geometry{rows: s.Rows, cols: s.Cols, cells: s.Cells(), square: s.Rows == s.Cols}
	g.keyMask = 1<<(4*(g.cells-1)) - 1
	at := func(r, c int) int { return r*g.cols + c }
	g.leftRight = newMirror(g.cells, func(r, c int) int { return at(r, g.cols-1-c) }, g.cols)
	g.upDown = newMirror(g.cells, func(r, c int) int { return at(g.rows-1-r, c) }, g.cols)
	if g.square {
		g.diagonal = newMirror(g.cells, func(r, c int) int { return at(c, r) }, g.cols)
	}
	g.row = newSlides(g.cols, 1)
	g.col = newSlides(g.rows, g.cols)
	g.sums = make([]uint16, 1<<16)
	for i := range g.sums {
		for n := i; n != 0; n >>= 4 {
			if n&15 != wall { // walls are not part of the sum
				g.sums[i] += uint16(board.Tile(uint8(n & 15)))
			}
		}
	}
	return g
}

// newMirror derives the masks of a reflection that exchanges cells over at most two distances.
func newMirror(cells int, image func(r, c int) int, cols int) (m mirror) {
	for i := range cells {
		to, mask := image(i/cols, i%cols), word(15)<<(4*i)
		switch distance := uint8(4 * (to - i)); {
		case to < i: // handled with the other cell of the pair
		case to == i:
			m.keep |= mask
		case m.a == 0 || m.aShift == distance:
			m.a, m.aShift = m.a|mask, distance
		default:
			m.b, m.bShift = m.b|mask, distance
		}
	}
	return m
}

// newSlides returns the slides of all lines of the given length. apart is the distance between neighbouring cells of
// a line on the board, in cells. Exponents stay below 16, since PushLine never merges two tiles of 2^15, which are
// walls.
func newSlides(length, apart int) (s slides) {
	for line := range uint32(1) << (4 * length) {
		p := bitboard.PushLine(line, uint(length))
		reward := word(p.Reward) / 4 << rewardAt
		s.back = append(s.back, spread(line^p.First, length, apart)|reward)
		s.forth = append(s.forth, spread(line^p.Last, length, apart)|reward)
	}
	return s
}

// spread spaces out the cells of a line to the distance apart.
func spread(line uint32, length, apart int) (w word) {
	for i := range length {
		w |= word(line>>(4*i)&15) << (4 * i * apart)
	}
	return w
}

// canonical returns the smallest of the board's images under its symmetries: eight on a square board,
// four on other boards.
func (g *geometry) canonical(w word) word {
	switch g.cells {
	case 9:
		return canonicalNine(w)
	case 16:
		return g.walls.canonical(w)
	}
	h := g.leftRight.of(w)
	v := g.upDown.of(w)
	minimum := min(w, h, v, g.upDown.of(h))
	if g.square {
		t := g.diagonal.of(w)
		th := g.leftRight.of(t)
		minimum = min(minimum, t, th, g.upDown.of(t), g.upDown.of(th))
	}
	return minimum
}

// canonicalNine does what canonical does, for 3x3. With constants it is twice as fast as with the
// masks of mirror.
func canonicalNine(w word) word {
	const (
		left, center = 0x00f00f00f, 0x0f00f00f0 // columns
		top, middle  = 0x000000fff, 0x000fff000 // rows
		diagonal     = 0xf000f000f
		above        = 0x000f000f0 // cells 1 and 5, which the transposition exchanges with 3 and 7
		corner       = 0x000000f00 // cell 2, which the transposition exchanges with cell 6
	)
	h := w&center | w&left<<8 | w>>8&left
	t := w&diagonal | w&above<<8 | w>>8&above | w&corner<<16 | w>>16&corner
	th := t&center | t&left<<8 | t>>8&left
	return min(w, h, t, th,
		w&middle|w&top<<24|w>>24, h&middle|h&top<<24|h>>24,
		t&middle|t&top<<24|t>>24, th&middle|th&top<<24|th>>24)
}

// rowOf and colOf return a line of a board, with its first cell in the lowest bits.
func (g *geometry) rowOf(w word, r int) uint32 {
	return uint32(w>>(4*uint(r*g.cols)&63)) & (1<<(4*uint(g.cols)) - 1)
}

func (g *geometry) colOf(w word, c int) uint32 {
	w >>= 4 * uint(c) & 63
	shift := 4 * uint(g.cols-1)
	return uint32(w&0xf | w>>(shift&63)&0xf0 | w>>(2*shift&63)&0xf00 | w>>(3*shift&63)&0xf000)
}

// sum returns the sum of the tiles, without walls.
func (g *geometry) sum(w word) int {
	return int(g.sums[w&0xffff]) + int(g.sums[w>>16&0xffff]) + int(g.sums[w>>32&0xffff]) + int(g.sums[w>>48])
}

// key and board convert between a canonical board and its key in the layer of its tile sum.
func (g *geometry) key(w word) uint32 {
	if g.walls != nil {
		return g.walls.key(w)
	}
	return uint32(w & g.keyMask)
}

func (g *geometry) board(key uint32, sum int) word {
	w, free := word(key), 4*uint(g.cells-1)
	if g.walls != nil {
		w, free = g.walls.board(key)
	}
	rest := sum - g.sum(w)
	if rest <= 0 {
		return w
	}
	return w | word(bits.TrailingZeros(uint(rest)))<<(free&63)
}

// allows reports whether the ending allows a move from before to after; without walls every move is
// allowed.
func (g *geometry) allows(before, after word) bool {
	return g.walls == nil || g.walls.allows(before, after)
}

// pack converts a board of the geometry's size, or of the transposed size, to a word.
func (g *geometry) pack(b *board.Board) (w word) {
	turned := b.Size().Cols != g.cols
	for i := range g.cells {
		r, c := i/g.cols, i%g.cols
		if turned {
			r, c = c, r
		}
		w |= word(b.At(r, c)) << (4 * i)
	}
	return w
}

// maxExponent returns the largest exponent that a tile can reach in a game on a board with this
// many cells.
func maxExponent(cells int) int { return cells + 1 }

// has returns a non-zero number if a board contains an exponent; pattern has this exponent in every
// cell.
func has(w, pattern word) word {
	x := w ^ pattern
	return (x - ones) &^ x & highs
}

const (
	ones  = 0x1111111111111111 // pattern of exponent 1
	highs = 0x8888888888888888
)
