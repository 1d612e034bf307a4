package ntuple

import (
	"slices"

	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// merged contains the 16-bit weights of the layout 5x4 on 4x4 boards, one table for each pattern. Cell i of the
// pattern is nibble i of the table's index.
//
// Two symmetries read the same line of four cells, in opposite orders, and two to eight symmetries read the same
// 2x2 square. An entry is the sum of the weights for all these orders. So a value needs 17 reads instead of 40.
type merged [5]mergedTable

type mergedTable [1 << 16]int32

// Merge prepares a 16-bit network of the layout 5x4 on 4x4 boards, so that computing a value takes half the time. The
// values do not change. For other networks ok is false, and Merge does nothing.
func (n *Network) Merge() (ok bool) {
	if n.reader.unrolled != is5x4 || len(n.Stages) > 1 || n.Walls > 0 || n.int16 == nil {
		return false
	}
	m := new(merged)
	for p, pattern := range n.Patterns {
		for s := range 8 {
			// for each cell of the pattern, the index in the pattern of the cell that symmetry s reads
			var order []int
			for _, cell := range pattern {
				order = append(order, slices.Index(pattern, uint8(sourceCell(n.Size, s, int(cell)))))
			}
			if !slices.Contains(order, -1) {
				m[p].add(n.Int16Table(0, p), pattern, order)
			}
		}
	}
	n.merged = m
	return true
}

// add adds the weights of a pattern to the table, for a symmetry that reads the pattern's cells in
// the given order.
func (t *mergedTable) add(weights []int16, pattern Pattern, order []int) {
	var exponents [4]uint8
	for x := range t {
		for i, from := range order {
			exponents[i] = uint8(x >> (4 * from) & 15)
		}
		t[x] += int32(weights[pattern.Index(exponents[:])])
	}
}

// sum returns the sum of the weights of a board.
func (m *merged) sum(b bitboard.Board) int32 {
	t := b.Transpose()
	mirror, flip, turned := b.Mirror(), b.Flip(), t.Flip()
	rotated := mirror.Flip()
	edges := m[0][uint16(b)] + m[0][uint16(flip)] + m[0][uint16(t)] + m[0][uint16(turned)]
	lines := m[1][uint16(b>>16)] + m[1][uint16(flip>>16)] + m[1][uint16(t>>16)] + m[1][uint16(turned>>16)]
	corners := m[2][square(b)] + m[2][square(mirror)] + m[2][square(flip)] + m[2][square(rotated)]
	sides := m[3][square(b>>4)] + m[3][square(flip>>4)] + m[3][square(t>>4)] + m[3][square(turned>>4)]
	return edges + lines + corners + sides + m[4][square(b>>20)]
}

// square returns the table index of the 2x2 square whose top left cell is cell 0.
func square(b bitboard.Board) uint16 { return uint16(b&0xff | b>>8&0xff00) }
