package search

import (
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Lines is an evaluator compiled into tables for 4x4 boards. It is immutable, so searches may share
// it.
type Lines struct {
	source []eval.LineSum
	ranks  bitboard.Ranks
	even   *evenTables  // nil: not even
	sums   []lineTables // the value is the largest of these
}

// lineTables hold one sum: rows from the top, then columns from the left; nil if a line adds
// nothing.
type lineTables [8]*[1 << 16]float64

// CompileLines compiles a heuristic evaluator that is an eval.Linewise; ok is false for others.
func CompileLines(e eval.Evaluator) (l *Lines, ok bool) {
	linewise, ok := e.(eval.Linewise)
	if !ok || e.Unit() != eval.Heuristic {
		return nil, false
	}
	sums := linewise.LineSums(bitboard.Size)
	if len(sums) == 0 {
		return nil, false
	}
	return compileLines(sums, bitboard.IdentityRanks), true
}

// compileLines builds the tables for boards whose nibbles have these ranks.
func compileLines(source []eval.LineSum, ranks bitboard.Ranks) *Lines {
	l := &Lines{source: source, ranks: ranks}
	if len(source) == 1 && source[0].Even != nil {
		outer, inner := new([1 << 16]int32), new([1 << 16]int32)
		eachLine(&ranks, func(line uint16, cells []uint8) {
			if back := bitboard.Reverse(line); back < line { // the same value, known already
				outer[line], inner[line] = outer[back], inner[back]
				return
			}
			border, inside := source[0].Even(cells)
			outer[line], inner[line] = int32(border), int32(inside)
		})
		l.even = &evenTables{[4]*[1 << 16]int32{outer, inner, inner, outer}}
		return l
	}
	l.sums = make([]lineTables, len(source))
	for k, s := range source {
		for i := range 4 {
			l.sums[k][i] = lineTable(s.Row, i, &ranks)
			l.sums[k][4+i] = lineTable(s.Column, i, &ranks)
		}
	}
	return l
}

func lineTable(worth func(int, []uint8) float64, i int, ranks *bitboard.Ranks) *[1 << 16]float64 {
	if worth == nil {
		return nil
	}
	t := new([1 << 16]float64)
	eachLine(ranks, func(line uint16, cells []uint8) { t[line] = worth(i, cells) })
	return t
}

func eachLine(ranks *bitboard.Ranks, do func(line uint16, cells []uint8)) {
	var cells [4]uint8
	for line := range 1 << 16 {
		for k := range cells {
			cells[k] = ranks[line>>(4*k)&15]
		}
		do(uint16(line), cells[:])
	}
}

// value evaluates a board; t is its transpose.
func (l *Lines) value(b, t bitboard.Board) float64 {
	if l.even != nil {
		return float64(l.even.value(b, t))
	}
	best := l.sums[0].value(b, t)
	for k := 1; k < len(l.sums); k++ {
		best = max(best, l.sums[k].value(b, t))
	}
	return best
}

func (s *lineTables) value(b, t bitboard.Board) (sum float64) {
	for i := range 4 {
		if table := s[i]; table != nil {
			sum += table[b.Row(i)]
		}
		if table := s[4+i]; table != nil {
			sum += table[t.Row(i)]
		}
	}
	return sum
}
