package bitboard

import "afterstate/board"

// push is what changes in a line when it is pushed: XOR of before and after,
// towards the first cell (first) and towards the last one (last).
type push struct{ first, last uint16 }

// pushes and rewards answer for every line. The reward is the same in both
// directions: of n equal tiles in a row n/2 pairs merge from whichever end.
var (
	pushes  [1 << 16]push
	rewards [1 << 16]int32
)

func init() {
	for line := range pushes {
		after, reward := pushLine(uint16(line))
		pushes[line].first = uint16(line) ^ after
		rewards[line] = reward
		mirrored := Reverse(uint16(line))
		pushes[mirrored].last = mirrored ^ Reverse(after)
	}
}

// pushLine pushes a line towards its first cell, the way the rules say it.
func pushLine(line uint16) (after uint16, reward int32) {
	n := uint(0)       // cells filled
	fresh := uint16(0) // the last filled one, if it may still merge
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

// Reverse is a line from its other end.
func Reverse(line uint16) uint16 {
	return line>>12 | line>>4&0x00f0 | line<<4&0x0f00 | line<<12
}

// Push is what changes in a line, as XOR of before and after, when it is pushed
// towards its first cell (the lowest nibble) and towards its last one.
func Push(line uint16) (first, last uint16) {
	p := pushes[line]
	return p.first, p.last
}

// Reward is the sum of the values of the tiles that merge when a line is pushed,
// the same towards both ends.
func Reward(line uint16) int32 { return rewards[line] }

// Afterstate is the outcome of one slide.
type Afterstate struct {
	Board  Board
	Reward int32 // sum of the values of merged tiles
	Moved  bool  // whether the slide changed anything
}

// Afterstates makes all four slides at once, out[d] being that of direction d.
func (b Board) Afterstates(out *[4]Afterstate) {
	left, right, reward := b.sideways()
	out[board.Left] = Afterstate{b ^ left, reward, left != 0}
	out[board.Right] = Afterstate{b ^ right, reward, right != 0}
	up, down, reward := b.Transpose().sideways()
	out[board.Up] = Afterstate{b ^ up.Transpose(), reward, up != 0}
	out[board.Down] = Afterstate{b ^ down.Transpose(), reward, down != 0}
}

// Slides makes all four slides without their rewards, out[d] being the board after
// that of direction d: b itself where nothing moves.
func (b Board) Slides(out *[4]Board) {
	left, right := b.pushBoth()
	out[board.Right], out[board.Left] = b^right, b^left
	up, down := b.Transpose().pushBoth()
	out[board.Up], out[board.Down] = b^up.Transpose(), b^down.Transpose()
}

// pushBoth is what changes, as XOR, when all rows are pushed to the left and to
// the right.
func (b Board) pushBoth() (left, right Board) {
	p0, p1, p2, p3 := &pushes[uint16(b)], &pushes[uint16(b>>16)], &pushes[uint16(b>>32)], &pushes[uint16(b>>48)]
	left = Board(p0.first) | Board(p1.first)<<16 | Board(p2.first)<<32 | Board(p3.first)<<48
	right = Board(p0.last) | Board(p1.last)<<16 | Board(p2.last)<<32 | Board(p3.last)<<48
	return left, right
}

// sideways is pushBoth with the reward.
func (b Board) sideways() (left, right Board, reward int32) {
	left, right = b.pushBoth()
	reward = rewards[uint16(b)] + rewards[uint16(b>>16)] + rewards[uint16(b>>32)] + rewards[uint16(b>>48)]
	return left, right, reward
}

// Slide pushes the tiles in a direction and returns the afterstate, the sum of
// the values of merged tiles, and whether anything changed.
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

// Dead reports whether no slide changes anything.
func (b Board) Dead() bool {
	if b.EmptyMask() != 0 {
		return b == 0
	}
	left, _ := b.pushBoth() // a full row that merges, merges both ways
	up, _ := b.Transpose().pushBoth()
	return left|up == 0
}
