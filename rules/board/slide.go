package board

import "math/bits"

// How a slide works. In a slide up, the tiles of every column move towards row 0. Columns are
// independent, so the bytes of a row are lanes, and one operation on a row's word handles all
// columns. Three steps:
//
//  1. close: where a cell is empty, take the tile below it. Repeating this over
//     neighbouring rows, one pass for each row but the last, closes every gap.
//  2. merge: from row 0 on, where two neighbours are equal tiles, the
//     first's exponent grows by one and the second is emptied. A merged tile does
//     not merge again, because the next pair begins with the emptied cell.
//  3. close once more.
//
// "down" reverses the rows, "left" transposes first, "right" does both. Rows that a smaller board
// lacks are empty rows after its last one, and no tile ever enters them. So two straight-line
// versions serve all sizes: four rows and six rows. No branch depends on the tiles, except in the
// sum of rewards.

// Slide moves the tiles in a direction and returns the afterstate, the reward (the sum of the
// values of merged tiles), and whether anything changed.
func (b *Board) Slide(d Direction) (after Board, reward int64, moved bool) {
	after.size = b.size
	if b.size.Rows <= 4 && b.size.Cols <= 4 {
		reward, moved = b.slideFour(d, &after.rows)
		return after, reward, moved
	}
	reward = b.slideSix(d, &after.rows)
	return after, reward, after.rows != b.rows
}

// slideFour does what Slide does, for boards of at most four rows and columns.
func (b *Board) slideFour(d Direction, out *[MaxSide]uint64) (reward int64, moved bool) {
	r0, r1, r2, r3 := b.rows[0], b.rows[1], b.rows[2], b.rows[3]
	n := b.size.Rows
	sideways := d == Left || d == Right
	if sideways {
		r0, r1, r2, r3 = transposeFour(r0, r1, r2, r3)
		n = b.size.Cols
	}
	reversed := d == Down || d == Right
	if reversed {
		r0, r1, r2, r3 = reverseFour(r0, r1, r2, r3, n)
	}
	r0, r1, r2, r3, early, late := pushLanes(r0, r1, r2, r3)
	reward = sumTiles(early | late<<32) // with four columns the upper half of a word is free
	if reversed {
		r0, r1, r2, r3 = reverseFour(r0, r1, r2, r3, n)
	}
	if sideways {
		r0, r1, r2, r3 = transposeFour(r0, r1, r2, r3)
	}
	*out = [MaxSide]uint64{r0, r1, r2, r3}
	changed := (r0 ^ b.rows[0]) | (r1 ^ b.rows[1]) | (r2 ^ b.rows[2]) | (r3 ^ b.rows[3])
	return reward, changed != 0
}

// fill returns a mask of all bits of the non-zero lanes of x.
func fill(x uint64) uint64 {
	m := occupied(x)
	return m<<1 - m>>7
}

// closeGap moves tiles from row b into the empty cells of row a and returns both rows.
func closeGap(a, b uint64) (uint64, uint64) {
	keep := fill(a)
	return a | b&^keep, b & keep
}

// mergePair merges equal tiles of the rows a and b into a. merged holds the tiles that result.
func mergePair(a, b uint64) (_, _, merged uint64) {
	equal := ^fill(a ^ b)               // lanes with equal values, including two empty cells
	a += equal & (a + lows) >> 7 & ones // increments the exponents of merging tiles, but not of empty cells
	return a, b &^ equal, a & equal
}

// pushLanes pushes all lanes towards r0. early holds the tiles that result from merges of the first
// and second pair of rows (at most one per lane), late the tiles from merges of the third pair.
func pushLanes(r0, r1, r2, r3 uint64) (_, _, _, _, early, late uint64) {
	r0, r1 = closeGap(r0, r1)
	r1, r2 = closeGap(r1, r2)
	r2, r3 = closeGap(r2, r3)
	r0, r1 = closeGap(r0, r1)
	r1, r2 = closeGap(r1, r2)
	r0, r1 = closeGap(r0, r1)

	r0, r1, m0 := mergePair(r0, r1)
	r1, r2, m1 := mergePair(r1, r2)
	r2, r3, m2 := mergePair(r2, r3)

	r1, r2 = closeGap(r1, r2)
	r2, r3 = closeGap(r2, r3)
	return r0, r1, r2, r3, m0 | m1, m2
}

// sumTiles sums the tile values of the non-zero lanes.
func sumTiles(x uint64) (sum int64) {
	for m := occupied(x); m != 0; m &= m - 1 {
		lane := uint(bits.TrailingZeros64(m)) &^ 7
		sum += 1 << (x >> lane & 63)
	}
	return sum
}

// reverseFour reverses the first n rows.
func reverseFour(r0, r1, r2, r3 uint64, n int) (_, _, _, _ uint64) {
	switch n {
	case 4:
		return r3, r2, r1, r0
	case 3:
		return r2, r1, r0, 0
	default:
		return r1, r0, 0, 0
	}
}

// transposeFour transposes the upper left 4x4 lanes, two rows per word: first the cells of every
// 2x2 block, then the blocks.
func transposeFour(r0, r1, r2, r3 uint64) (_, _, _, _ uint64) {
	p, q := r0|r1<<32, r2|r3<<32
	t := (p ^ p>>24) & 0xff00ff00
	p ^= t ^ t<<24
	t = (q ^ q>>24) & 0xff00ff00
	q ^= t ^ t<<24
	p, q = exchange(p, q, 16, 0x0000ffff0000ffff)
	return p & 0xffffffff, p >> 32, q & 0xffffffff, q >> 32
}

// slideSix does what Slide does, for all sizes. Slide uses it for boards with a side above four.
func (b *Board) slideSix(d Direction, out *[MaxSide]uint64) int64 {
	*out = b.rows
	n := b.size.Rows
	sideways := d == Left || d == Right
	if sideways {
		transposeSix(out)
		n = b.size.Cols
	}
	reversed := d == Down || d == Right
	if reversed {
		reverseSix(out, n)
	}
	reward := pushSix(out)
	if reversed {
		reverseSix(out, n)
	}
	if sideways {
		transposeSix(out)
	}
	return reward
}

func pushSix(r *[MaxSide]uint64) int64 {
	r0, r1, r2, r3, r4, r5 := r[0], r[1], r[2], r[3], r[4], r[5]
	r0, r1 = closeGap(r0, r1)
	r1, r2 = closeGap(r1, r2)
	r2, r3 = closeGap(r2, r3)
	r3, r4 = closeGap(r3, r4)
	r4, r5 = closeGap(r4, r5)
	r0, r1 = closeGap(r0, r1)
	r1, r2 = closeGap(r1, r2)
	r2, r3 = closeGap(r2, r3)
	r3, r4 = closeGap(r3, r4)
	r0, r1 = closeGap(r0, r1)
	r1, r2 = closeGap(r1, r2)
	r2, r3 = closeGap(r2, r3)
	r0, r1 = closeGap(r0, r1)
	r1, r2 = closeGap(r1, r2)
	r0, r1 = closeGap(r0, r1)

	r0, r1, m0 := mergePair(r0, r1)
	r1, r2, m1 := mergePair(r1, r2)
	r2, r3, m2 := mergePair(r2, r3)
	r3, r4, m3 := mergePair(r3, r4)
	r4, r5, m4 := mergePair(r4, r5)

	// Now no lane has two adjacent gaps between its tiles, or a gap before its first tile.
	r1, r2 = closeGap(r1, r2)
	r2, r3 = closeGap(r2, r3)
	r3, r4 = closeGap(r3, r4)
	r4, r5 = closeGap(r4, r5)
	r1, r2 = closeGap(r1, r2)
	r2, r3 = closeGap(r2, r3)
	r3, r4 = closeGap(r3, r4)
	*r = [MaxSide]uint64{r0, r1, r2, r3, r4, r5}
	// In a lane, neighbouring pairs never both merge.
	return sumTiles(m0|m1) + sumTiles(m2|m3) + sumTiles(m4)
}

func reverseSix(r *[MaxSide]uint64, n int) {
	for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
}

// transposeSix transposes all lanes, in blocks of 1, 2 and 4 of an 8x8 matrix whose last rows and
// lanes are empty.
func transposeSix(r *[MaxSide]uint64) {
	const by1, by2, by4 = 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff
	r0, r1 := exchange(r[0], r[1], 8, by1)
	r2, r3 := exchange(r[2], r[3], 8, by1)
	r4, r5 := exchange(r[4], r[5], 8, by1)
	r0, r2 = exchange(r0, r2, 16, by2)
	r1, r3 = exchange(r1, r3, 16, by2)
	r4, r6 := exchange(r4, 0, 16, by2)
	r5, r7 := exchange(r5, 0, 16, by2)
	r0, r4 = exchange(r0, r4, 32, by4)
	r1, r5 = exchange(r1, r5, 32, by4)
	r2, _ = exchange(r2, r6, 32, by4)
	r3, _ = exchange(r3, r7, 32, by4)
	*r = [MaxSide]uint64{r0, r1, r2, r3, r4, r5}
}

// exchange swaps the bits of x at mask<<shift with the bits of y at mask.
func exchange(x, y uint64, shift uint, mask uint64) (uint64, uint64) {
	t := (x>>shift ^ y) & mask
	return x ^ t<<shift, y ^ t
}

// Afterstate is the result of one slide.
type Afterstate struct {
	Board  Board
	Reward int64 // sum of the values of merged tiles
	Moved  bool  // whether the slide changed anything
}

// Legal returns the legal directions, whose slides change something, in order.
func (b *Board) Legal() []Direction {
	legal := make([]Direction, 0, len(Directions))
	for _, d := range Directions {
		if _, _, moved := b.Slide(d); moved {
			legal = append(legal, d)
		}
	}
	return legal
}

// Afterstates computes all four slides and stores the slide in direction d in out[d], at about half
// the cost of four calls of Slide. On a board of at most four columns, half of every row's lanes
// are unused. So the rows are put into the lower half, and in reverse order into the upper half:
// one push slides the lower half up and the upper half down.
func (b *Board) Afterstates(out *[4]Afterstate) {
	if b.size.Rows > 4 || b.size.Cols > 4 {
		for _, d := range Directions {
			o := &out[d]
			o.Board, o.Reward, o.Moved = b.Slide(d)
		}
		return
	}
	r0, r1, r2, r3 := b.rows[0], b.rows[1], b.rows[2], b.rows[3]
	u0, u1, u2, u3, d0, d1, d2, d3, rewardUp, rewardDown := pushBoth(r0, r1, r2, r3, b.size.Rows)
	out[Up] = b.afterstate(u0, u1, u2, u3, rewardUp)
	out[Down] = b.afterstate(d0, d1, d2, d3, rewardDown)

	r0, r1, r2, r3 = transposeFour(r0, r1, r2, r3)
	u0, u1, u2, u3, d0, d1, d2, d3, rewardUp, rewardDown = pushBoth(r0, r1, r2, r3, b.size.Cols)
	u0, u1, u2, u3 = transposeFour(u0, u1, u2, u3)
	d0, d1, d2, d3 = transposeFour(d0, d1, d2, d3)
	out[Left] = b.afterstate(u0, u1, u2, u3, rewardUp)
	out[Right] = b.afterstate(d0, d1, d2, d3, rewardDown)
}

func (b *Board) afterstate(r0, r1, r2, r3 uint64, reward int64) Afterstate {
	changed := (r0 ^ b.rows[0]) | (r1 ^ b.rows[1]) | (r2 ^ b.rows[2]) | (r3 ^ b.rows[3])
	return Afterstate{Board{[MaxSide]uint64{r0, r1, r2, r3}, b.size}, reward, changed != 0}
}

// pushBoth slides n rows towards the first (results u0 to u3 and rewardU) and towards the last (d0
// to d3 and rewardD).
func pushBoth(r0, r1, r2, r3 uint64, n int) (u0, u1, u2, u3, d0, d1, d2, d3 uint64, rewardU, rewardD int64) {
	const half = 1<<32 - 1
	v0, v1, v2, v3 := reverseFour(r0, r1, r2, r3, n)
	r0, r1, r2, r3, early, late := pushLanes(r0|v0<<32, r1|v1<<32, r2|v2<<32, r3|v3<<32)
	d0, d1, d2, d3 = reverseFour(r0>>32, r1>>32, r2>>32, r3>>32, n)
	return r0 & half, r1 & half, r2 & half, r3 & half, d0, d1, d2, d3,
		sumTiles(early&half | late<<32), sumTiles(early>>32 | late&^half)
}

// Motion is the path of one tile in a slide.
type Motion struct {
	From   int  `json:"from"`   // cell before the slide, row-major
	To     int  `json:"to"`     // cell after the slide; equal to From if the tile stays
	Merged bool `json:"merged"` // the tile merges with another one at To
}

// Motions returns the motion of each tile in a slide, for animations, line by line, beginning at the edge towards
// which the tiles slide. It is also the reference implementation for Slide: applying the motions gives the same
// afterstate (TestSlideEqualsReference).
func (b *Board) Motions(d Direction) []Motion {
	motions := make([]Motion, 0, b.size.Cells()-b.Empty())
	count, length := b.size.Rows, b.size.Cols
	if d == Up || d == Down {
		count, length = length, count
	}
	for line := range count {
		settled := 0  // number of cells of the line already filled
		open := false // the last settled tile may still merge
		var last uint8
		for k := range length {
			from := b.lineCell(d, line, k)
			tile := b.Cell(from)
			switch {
			case tile == 0:
			case open && tile == last:
				motions[len(motions)-1].Merged = true
				motions = append(motions, Motion{from, b.lineCell(d, line, settled-1), true})
				open = false
			default:
				motions = append(motions, Motion{From: from, To: b.lineCell(d, line, settled)})
				settled++
				last, open = tile, true
			}
		}
	}
	return motions
}

// lineCell returns the k-th cell of a line that slides in direction d, counted from the edge towards which the tiles
// slide.
func (b *Board) lineCell(d Direction, line, k int) int {
	rows, cols := b.size.Rows, b.size.Cols
	switch d {
	case Up:
		return k*cols + line
	case Down:
		return (rows-1-k)*cols + line
	case Left:
		return line*cols + k
	default:
		return line*cols + cols - 1 - k
	}
}
