package bitboard

import (
	"sync"

	"github.com/afterstate2048/afterstate/rules/board"
)

// MaxCells is the most cells that a word holds.
const MaxCells = 16

// Fits reports whether a word holds boards of this size: those of at most 16 cells.
func Fits(s board.Size) bool { return s.Cells() <= MaxCells }

// Lines slides boards of one size whose cells lie row-major in a word without gaps, the cell i in bits
// 4i to 4i+3. Sizes with a side of five or six and at most 16 cells are packed so. As on 4x4, two
// 32768 tiles do not merge.
type Lines struct {
	rows, cols uint
	row        Board              // the nibbles of the first row
	fives      *[1 << 20]LinePush // nil without a side of five
}

// NewLines returns the slides of a size for which [Fits] holds.
func NewLines(s board.Size) *Lines {
	l := &Lines{rows: uint(s.Rows), cols: uint(s.Cols), row: 1<<(4*uint(s.Cols)) - 1}
	if s.Rows == 5 || s.Cols == 5 {
		l.fives = fives()
	}
	return l
}

// Afterstates computes all four slides, out[d] being that of direction d.
func (l *Lines) Afterstates(b Board, out *[4]Afterstate) {
	var left, right, up, down Board
	var rewardRows, rewardCols int32
	for r := range l.rows {
		at := 4 * l.cols * r
		p := l.push(uint32(b>>at&l.row), l.cols)
		left |= Board(p.First) << at
		right |= Board(p.Last) << at
		rewardRows += p.Reward
	}
	next := 4 * (l.cols - 1) // from a cell's nibble in its column to that in the line
	for c := range l.cols {
		x, line := b>>(4*c), Board(0)
		for r := range l.rows {
			line |= x >> (next * r) & (15 << (4 * r))
		}
		p := l.push(uint32(line), l.rows)
		for r := range l.rows {
			mask := Board(15) << (4 * r)
			up |= Board(p.First) & mask << (next*r + 4*c)
			down |= Board(p.Last) & mask << (next*r + 4*c)
		}
		rewardCols += p.Reward
	}
	out[board.Left] = Afterstate{b ^ left, rewardRows, left != 0}
	out[board.Right] = Afterstate{b ^ right, rewardRows, right != 0}
	out[board.Up] = Afterstate{b ^ up, rewardCols, up != 0}
	out[board.Down] = Afterstate{b ^ down, rewardCols, down != 0}
}

// LinePush is the change of a line of up to six cells when it is pushed, as XOR of before and after: towards its first
// cell and towards its last. The reward is the same in both directions.
type LinePush struct {
	First, Last uint32
	Reward      int32
}

// fives are the pushes of all lines of five cells: 12 MB, made when they are first needed.
var fives = sync.OnceValue(func() *[1 << 20]LinePush {
	t := new([1 << 20]LinePush)
	for line := range t {
		t[line] = PushLine(uint32(line), 5)
	}
	return t
})

// push returns the push of a line of n cells.
func (l *Lines) push(line uint32, n uint) LinePush {
	switch {
	case n <= 4:
		return LinePush{uint32(pushes[uint16(line)].first), pushToLast(line, n), rewards[uint16(line)]}
	case n == 5:
		return l.fives[line&(1<<20-1)]
	default:
		return PushLine(line, n)
	}
}

// pushToLast is the change of a line of up to four cells that is pushed towards its last cell.
func pushToLast(line uint32, n uint) uint32 {
	missing := 4 * (4 - n)
	return uint32(pushes[uint16(line<<missing)].last) >> missing
}

// PushLine pushes a line of n cells, cell by cell.
func PushLine(line uint32, n uint) LinePush {
	after, reward := pushCells(line)
	back, _ := pushCells(reverseLine(line, n))
	return LinePush{line ^ after, line ^ reverseLine(back, n), reward}
}

// reverseLine returns a line of n cells in reverse order.
func reverseLine(line uint32, n uint) (reversed uint32) {
	for range n {
		reversed = reversed<<4 | line&15
		line >>= 4
	}
	return reversed
}
