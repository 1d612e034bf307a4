package bitboard

import (
	"sync"

	"github.com/afterstate2048/afterstate/rules/board"
)

// push holds the XOR of a line before and after it is pushed: towards its first cell (first) and
// towards its last cell (last).
type push struct{ first, last uint16 }

// pushes and rewards are indexed by line. The reward is the same in both directions: of n adjacent
// equal tiles, n/2 pairs merge from either end.
var (
	pushes  [1 << 16]push
	rewards [1 << 16]int32
)

func init() {
	for line := range pushes {
		after, reward := pushCells(uint32(line))
		pushes[line].first = uint16(line) ^ uint16(after)
		rewards[line] = reward
		mirrored := Reverse(uint16(line))
		pushes[mirrored].last = mirrored ^ Reverse(uint16(after))
	}
}

// pushCells pushes a line of up to eight cells towards its first cell, cell by cell.
func pushCells(line uint32) (after uint32, reward int32) {
	n := uint(0)       // number of cells filled
	fresh := uint32(0) // exponent of the last filled cell if it may still merge, otherwise 0
	for ; line != 0; line >>= 4 {
		switch e := line & 15; {
		case e == 0:
		case e == fresh && e != MaxExponent:
			after += 1 << (4 * (n - 1))
			reward += 2 << e
			fresh = 0
		default:
			after |= e << (4 * n)
			fresh = e
			n++
		}
	}
	return after, reward
}

// Reverse returns a line in reverse order.
func Reverse(line uint16) uint16 {
	return line>>12 | line>>4&0x00f0 | line<<4&0x0f00 | line<<12
}

// SlideLine returns the XOR of a line before and after a push: first for a push towards its first
// cell (the lowest nibble), last for a push towards its last.
func SlideLine(line uint16) (first, last uint16) {
	p := pushes[line]
	return p.first, p.last
}

// Reward returns the sum of the values of the tiles that merge when a line is pushed, in either
// direction.
func Reward(line uint16) int32 { return rewards[line] }

// Afterstate is the result of one slide.
type Afterstate struct {
	Board  Board
	Reward int32 // sum of the values of merged tiles
	Moved  bool  // whether the slide changed anything
}

// Afterstates computes all four slides and stores the slide in direction d in out[d].
func (b Board) Afterstates(out *[4]Afterstate) {
	left, right, reward := b.sideways()
	out[board.Left] = Afterstate{b ^ left, reward, left != 0}
	out[board.Right] = Afterstate{b ^ right, reward, right != 0}
	up, down, reward := b.Transpose().sideways()
	out[board.Up] = Afterstate{b ^ up.Transpose(), reward, up != 0}
	out[board.Down] = Afterstate{b ^ down.Transpose(), reward, down != 0}
}

// Slides computes all four slides without rewards. out[d] is the board after the slide in direction
// d, or b itself if nothing moves.
func (b Board) Slides(out *[4]Board) {
	left, right := b.pushBoth()
	out[board.Right], out[board.Left] = b^right, b^left
	up, down := b.Transpose().pushBoth()
	out[board.Up], out[board.Down] = b^up.Transpose(), b^down.Transpose()
}

// pushBoth pushes all rows left and, separately, right. It returns the XOR of the board before and
// after each push.
func (b Board) pushBoth() (left, right Board) {
	p0, p1, p2, p3 := &pushes[uint16(b)], &pushes[uint16(b>>16)], &pushes[uint16(b>>32)], &pushes[uint16(b>>48)]
	left = Board(p0.first) | Board(p1.first)<<16 | Board(p2.first)<<32 | Board(p3.first)<<48
	right = Board(p0.last) | Board(p1.last)<<16 | Board(p2.last)<<32 | Board(p3.last)<<48
	return left, right
}

// sideways returns the results of pushBoth and the reward, which is the same for both pushes.
func (b Board) sideways() (left, right Board, reward int32) {
	left, right = b.pushBoth()
	reward = rewards[uint16(b)] + rewards[uint16(b>>16)] + rewards[uint16(b>>32)] + rewards[uint16(b>>48)]
	return left, right, reward
}

// Slide moves the tiles in a direction and returns the afterstate, the reward (the sum of the
// values of merged tiles), and whether anything changed.
func (b Board) Slide(d board.Direction) (after Board, reward int32, moved bool) {
	sideways := d == board.Left || d == board.Right
	lines := b
	if !sideways {
		lines = b.Transpose()
	}
	change, last, reward := lines.sideways()
	if d == board.Right || d == board.Down {
		change = last
	}
	after = lines ^ change
	if !sideways {
		after = after.Transpose()
	}
	return after, reward, change != 0
}

// Terminal reports whether no slide changes anything.
func (b Board) Terminal() bool {
	if b.EmptyMask() != 0 {
		return b == 0
	}
	left, _ := b.pushBoth() // a full row that merges in one direction merges in both
	up, _ := b.Transpose().pushBoth()
	return left|up == 0
}

// MaxCells is the number of cells that fit into a word.
const MaxCells = 16

// Fits reports whether boards of this size fit into a word: they have at most 16 cells.
func Fits(s board.Size) bool { return s.Cells() <= MaxCells }

// Lines slides boards of one size that are packed row-major into a word without gaps: cell i is in
// bits 4i to 4i+3. The program uses it for sizes with a side of five or six and at most 16 cells.
// As on 4x4, two 32768 tiles do not merge.
type Lines struct {
	rows, cols uint
	row        Board              // mask of the first row
	fives      *[1 << 20]LinePush // pushes of lines of five cells; nil if no side has five
}

// NewLines returns a Lines for boards of a size. The size must satisfy [Fits].
func NewLines(s board.Size) *Lines {
	l := &Lines{rows: uint(s.Rows), cols: uint(s.Cols), row: 1<<(4*uint(s.Cols)) - 1}
	if s.Rows == 5 || s.Cols == 5 {
		l.fives = fives()
	}
	return l
}

// Afterstates computes all four slides and stores the slide in direction d in out[d].
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
	next := 4 * (l.cols - 1) // bits, per row, by which a cell's nibble is shifted right to its place in the line
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

// LinePush holds the result of pushing a line of up to six cells: the XOR of the line before and
// after a push towards its first cell (First) and towards its last (Last). The reward is the same
// in both directions.
type LinePush struct {
	First, Last uint32
	Reward      int32
}

// fives returns the pushes of all lines of five cells: 12 MB, computed on first use.
var fives = sync.OnceValue(func() *[1 << 20]LinePush {
	t := new([1 << 20]LinePush)
	for line := range t {
		t[line] = PushLine(uint32(line), 5)
	}
	return t
})

// push returns the LinePush of a line of n cells.
func (l *Lines) push(line uint32, n uint) LinePush {
	switch {
	case n <= 4:
		missing := 4 * (4 - n) // bits by which the line is shorter than the lines of the table
		return LinePush{uint32(pushes[uint16(line)].first), uint32(pushes[uint16(line<<missing)].last) >> missing, rewards[uint16(line)]}
	case n == 5:
		return l.fives[line&(1<<20-1)]
	default:
		return PushLine(line, n)
	}
}

// PushLine computes the LinePush of a line of n cells, cell by cell.
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
