package search

import (
	"math"
	"math/bits"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Lines is an evaluator compiled into tables for 4x4 boards. It is immutable, so searches can share
// it.
type Lines struct {
	source []eval.LineSum
	ranks  bitboard.Ranks
	even   *evenTables  // set if there is one even sum (see eval.LineSum.Even), else nil
	sums   []lineTables // the value of a board is the largest of these sums
}

// lineTables holds the tables of one sum: rows from the top, then columns from the left. A nil table
// adds nothing.
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

// compileLines builds the tables for packed boards in which nibble n represents the exponent ranks[n].
func compileLines(source []eval.LineSum, ranks bitboard.Ranks) *Lines {
	l := &Lines{source: source, ranks: ranks}
	if len(source) == 1 && source[0].Even != nil {
		outer, inner := new([1 << 16]int32), new([1 << 16]int32)
		eachLine(&ranks, func(line uint16, cells []uint8) {
			if back := bitboard.Reverse(line); back < line { // same value, already computed
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

// value evaluates board b, whose transpose is t.
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

// evenTables evaluates boards by an even sum (see eval.LineSum.Even). Rows and columns use the same tables, and lines
// i and 3-i have the same table, lines[i]. Values are integers, so the order of summation does not matter.
type evenTables struct {
	lines [4]*[1 << 16]int32
}

// lost marks a board without a legal move; it is less than any sum of lines.
const lost = math.MinInt32

// value returns the value of a board: the sum over its rows and over the rows of its transpose.
func (e *evenTables) value(b, transposed bitboard.Board) int32 {
	return e.rows(b) + e.rows(transposed)
}

func (e *evenTables) rows(b bitboard.Board) int32 {
	return e.lines[0][uint16(b)] + e.lines[1][uint16(b>>16)] + e.lines[2][uint16(b>>32)] + e.lines[3][uint16(b>>48)]
}

// spread puts the four cells of a row into the first column, one in each row.
func spread(row uint16) bitboard.Board {
	x := bitboard.Board(row)
	x = (x | x<<24) & 0x000000ff000000ff
	return (x | x<<12) & firstColumn
}

const firstColumn = 0x000f000f000f000f

// leafSum is a sum over the spawns of one tile: for each spawn, the value after the best last move.
type leafSum struct {
	sum  int64
	dead int // number of boards without a legal move, which sum does not include
}

// lastMoves searches the last move before the leaves: for every spawn of a 4 on b, and if twos is
// set also for every spawn of a 2, it adds the value after the best move. t is b's transpose. This
// is the innermost loop of the search. TestKernelOnAnyBoard compares it with plainLastMoves.
//
// A spawn changes one row and one column. So the four slides of b are made once, and for each spawn
// only its row and its column are slid again. A row that slides differently changes one row of the
// result and one cell of every column. The result is the same for all spawns in one gap of the row,
// that is, between the same two tiles.
func (e *evenTables) lastMoves(b, t bitboard.Board, twos bool) (two, four leafSum) {
	var across, along [2][16]int32
	free := b.EmptyMask()
	e.pushes(b, free, twos, &across)
	down := t.EmptyMask()
	e.pushes(t, down, twos, &along)
	for ; free != 0; free &= free - 1 {
		i := uint(bits.TrailingZeros64(free)) / 4
		j := (i>>2 | i<<2) & 15
		if twos {
			two.add(max(across[0][i&15], along[0][j]))
		}
		four.add(max(across[1][i&15], along[1][j]))
	}
	return two, four
}

func (s *leafSum) add(v int32) {
	if v == lost {
		s.dead++
		return
	}
	s.sum += int64(v)
}

// pushes sets, for a spawn on each empty cell of b, the value after the better of the two slides
// along the rows, or lost if neither slide moves a tile: best[0] for a 2, best[1] for a 4.
func (e *evenTables) pushes(b bitboard.Board, free uint64, twos bool, best *[2][16]int32) {
	x0, y0 := bitboard.SlideLine(uint16(b))
	x1, y1 := bitboard.SlideLine(uint16(b >> 16))
	x2, y2 := bitboard.SlideLine(uint16(b >> 32))
	x3, y3 := bitboard.SlideLine(uint16(b >> 48))
	changeX := bitboard.Board(x0) | bitboard.Board(x1)<<16 | bitboard.Board(x2)<<32 | bitboard.Board(x3)<<48
	changeY := bitboard.Board(y0) | bitboard.Board(y1)<<16 | bitboard.Board(y2)<<32 | bitboard.Board(y3)<<48
	first, last := b^changeX, b^changeY
	worthX, worthY := e.rows(first), e.rows(last)
	firstT, lastT := first.Transpose(), last.Transpose()
	begins := free &^ (free << 4 & 0x1110111011101110) // first cell of every gap
	// values after a 4 (v) and a 2 (w), for the slides to the first cell (x) and to the last cell (y) of a row
	var vx, vy, wx, wy int32
	for f := free; f != 0; f &= f - 1 {
		k := uint(bits.TrailingZeros64(f)) & 63
		row := k & 48
		line := uint16(b >> row)
		four := line | 2<<(k&15)
		two := line | 1<<(k&15)
		x, y := bitboard.SlideLine(four)
		x2, y2 := bitboard.SlideLine(two)
		if begins>>k&1 != 0 {
			shift := row / 4
			table := e.lines[row/16]
			hole := ^(bitboard.Board(firstColumn) << shift)
			restX, restY := worthX-table[uint16(first>>row)], worthY-table[uint16(last>>row)]
			holeX, holeY := firstT&hole, lastT&hole
			vx = restX + table[four^x] + e.rows(holeX|spread(four^x)<<shift)
			vy = restY + table[four^y] + e.rows(holeY|spread(four^y)<<shift)
			if twos {
				wx = restX + table[two^x2] + e.rows(holeX|spread(two^x2)<<shift)
				wy = restY + table[two^y2] + e.rows(holeY|spread(two^y2)<<shift)
			}
		}
		others := ^(bitboard.Board(0xffff) << row)
		otherX, otherY := changeX&others, changeY&others
		v, w := int32(lost), int32(lost)
		if otherX|bitboard.Board(x) != 0 {
			v = vx
		}
		if otherY|bitboard.Board(y) != 0 {
			v = max(v, vy)
		}
		if otherX|bitboard.Board(x2) != 0 {
			w = wx
		}
		if otherY|bitboard.Board(y2) != 0 {
			w = max(w, wy)
		}
		best[0][k/4&15] = w
		best[1][k/4&15] = v
	}
}
