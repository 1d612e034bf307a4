package solve

import "github.com/afterstate2048/afterstate/rules/bitboard"

// walls describes the boards of an ending: the layouts of their walls, and the keys of the boards. The rules for
// layouts are in endings.go.
type walls struct {
	layouts []Layout
	free    bool // walls may move to another layout or to a symmetric image
	// images maps a layout to 1 + an index into ways; 0 means that the ending does not allow walls on these cells.
	images [1 << 16]uint8
	ways   []image
	// A key is a number with one digit for each free cell except the last, whose tile follows from the sum. keys
	// holds the part of the key that a row adds, indexed by layout, row number, and bits of the row. Decoding splits
	// a key into a high and a low half of its digits.
	keys      [][4][1 << 16]uint32
	half      uint32 // number of possible values of the low half
	low, high []word // the cells that each value of a half stands for, layout after layout
	last      []uint // bit position of the last free cell, by index into layouts
}

// image says how to map boards whose walls are on an image of a layout back to the layout itself.
type image struct {
	layout     int     // index into walls.layouts
	symmetries []uint8 // as numbered in bitboard.Board.Symmetries; more than one if the layout is symmetric
}

// newWalls returns the walls of an ending with at most MaxLayouts layouts, each canonical and with the same number of
// walls. goal is the exponent of the goal; all tiles on free cells are smaller.
func newWalls(layouts []Layout, free bool, goal uint8) *walls {
	e := &walls{layouts: layouts, free: free}
	for n, l := range layouts {
		for s, w := range symmetries(l.word()) {
			// w is the image of l under symmetry s, so the inverse of s maps boards with the walls
			// of w back to l.
			at := layoutOf(w)
			if e.images[at] == 0 {
				e.ways = append(e.ways, image{layout: n})
				e.images[at] = uint8(len(e.ways))
			}
			way := &e.ways[e.images[at]-1]
			way.symmetries = append(way.symmetries, inverse[s])
		}
	}
	digits := 16 - layouts[0].Walls() - 1
	base := uint32(goal)
	e.half = power(base, digits/2)
	for _, l := range layouts {
		var cells []int // free cells
		for i := range 16 {
			if l>>i&1 == 0 {
				cells = append(cells, i)
			}
		}
		e.last = append(e.last, 4*uint(cells[digits]))
		first := uint32(len(e.keys)) * power(base, digits)
		e.keys = append(e.keys, [4][1 << 16]uint32{})
		keys := &e.keys[len(e.keys)-1]
		for r := range keys {
			for row := range keys[r] {
				for n, cell := range cells[:digits] {
					if cell/4 == r {
						keys[r][row] += uint32(row>>(cell%4*4)&15) * power(base, n)
					}
				}
				if r == 0 {
					keys[r][row] += first
				}
			}
		}
		e.low = append(e.low, boardsOf(base, cells[:digits/2])...)
		e.high = append(e.high, boardsOf(base, cells[digits/2:digits])...)
	}
	return e
}

// power returns base^n.
func power(base uint32, n int) uint32 {
	p := uint32(1)
	for range n {
		p *= base
	}
	return p
}

// boardsOf returns all boards that have exponents below base on the given cells and are empty elsewhere. The index of
// a board is the number that has these exponents as digits, in order from the lowest.
func boardsOf(base uint32, cells []int) []word {
	all := make([]word, power(base, len(cells)))
	for n := range all {
		left := uint32(n)
		for _, cell := range cells {
			all[n] |= word(left%base) << (4 * cell)
			left /= base
		}
	}
	return all
}

// inverse maps each symmetry to its inverse. Only the quarter turns are not their own inverses.
var inverse = [8]uint8{0, 1, 2, 3, 4, 6, 5, 7}

// symmetric returns the image of a board under a symmetry, numbered as in
// bitboard.Board.Symmetries.
func symmetric(w word, s uint8) word {
	b := bitboard.Board(w)
	if s >= 4 {
		b = b.Transpose()
	}
	if s&1 != 0 {
		b = b.Mirror()
	}
	if s&2 != 0 {
		b = b.Flip()
	}
	return word(b)
}

// allows reports whether a move from before to after is allowed. before must have its walls on a layout of the ending.
func (e *walls) allows(before, after word) bool {
	at := layoutOf(after)
	return at == layoutOf(before) || e.free && e.images[at] != 0
}

// canonical returns the smallest of a board's images whose walls are on a layout in walls.layouts.
func (e *walls) canonical(w word) word {
	way := &e.ways[e.images[layoutOf(w)]-1]
	minimum := symmetric(w, way.symmetries[0])
	for _, s := range way.symmetries[1:] {
		minimum = min(minimum, symmetric(w, s))
	}
	return minimum
}

// key and board convert between a canonical board and its key in the layer of its tile sum.
func (e *walls) key(w word) uint32 {
	keys := &e.keys[0]
	if len(e.keys) > 1 {
		keys = &e.keys[e.ways[e.images[layoutOf(w)]-1].layout]
	}
	return keys[0][w&0xffff] + keys[1][w>>16&0xffff] + keys[2][w>>32&0xffff] + keys[3][w>>48]
}

// board returns the board without the tile on its last free cell, and the bit position of that
// cell.
func (e *walls) board(key uint32) (w word, last uint) {
	high, low := key/e.half, key%e.half
	each := len(e.high) / len(e.layouts)
	n := 0
	if len(e.layouts) > 1 {
		n = int(high) / each
	}
	return e.layouts[n].word() | e.high[high] | e.low[n*int(e.half)+int(low)], e.last[n]
}
