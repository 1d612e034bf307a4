package board

import "math/bits"

// How a slide works. Take "up": in every column the tiles fall towards row 0.
// Columns do not touch each other, so the bytes of a row are independent lanes
// and one operation on a row's word serves all columns. Three steps:
//
//  1. close: where a cell is empty, take the tile below it. Repeating this over
//     neighbouring rows, one pass for each row but the last, closes every gap.
//  2. merge: from the wall outwards, where two neighbours are equal tiles, the
//     first grows by one and the second is emptied. A merged tile is not looked
//     at again, because the next pair begins with the emptied one.
//  3. close once more.
//
// "down" gives the rows in reverse order, "left" transposes first, "right" does
// both. Rows that a smaller board lacks are empty rows far from the wall, which
// nothing ever moves into, so two straight-line versions serve all sizes: four
// rows, six rows. No branch depends on the tiles but the sum of rewards.

// Slide pushes the tiles in a direction and returns the afterstate, the sum of
// the values of merged tiles, and whether anything changed.
func (b *Board) Slide(d Direction) (after Board, reward int64, moved bool) {
	reward, moved = b.SlideTo(d, &after)
	return after, reward, moved
}

// SlideTo is Slide for inner loops: it writes the afterstate where it shall stay.
// It does so also when nothing moved. after must not be b.
func (b *Board) SlideTo(d Direction, after *Board) (reward int64, moved bool) {
	after.size = b.size
	if b.size.Rows <= 4 && b.size.Cols <= 4 {
		return b.slideFour(d, &after.rows)
	}
	reward = b.slideSix(d, &after.rows)
	return reward, after.rows != b.rows
}

// slideFour serves boards of at most four rows and columns.
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
	r0, r1, r2, r3, reward = pushFour(r0, r1, r2, r3)
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

// fill is a mask of the whole lanes of x that are not zero.
func fill(x uint64) uint64 {
	m := occupied(x)
	return m<<1 - m>>7
}

// closeGap moves tiles of b into empty cells of a.
func closeGap(a, b uint64) (uint64, uint64) {
	keep := fill(a)
	return a | b&^keep, b & keep
}

// mergePair merges equal tiles of a and b into a; merged holds the grown tiles.
func mergePair(a, b uint64) (_, _, merged uint64) {
	equal := ^fill(a ^ b)               // two empty cells count too
	a += equal & (a + lows) >> 7 & ones // but only tiles grow
	return a, b &^ equal, a & equal
}

func pushFour(r0, r1, r2, r3 uint64) (_, _, _, _ uint64, reward int64) {
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
	// A lane merges at the first or the second pair but never at both, and four
	// columns leave the upper half of a word free: one word holds all merges.
	return r0, r1, r2, r3, sumTiles(m0 | m1 | m2<<32)
}

// sumTiles adds the tile values of the non-zero lanes.
func sumTiles(x uint64) (sum int64) {
	for m := occupied(x); m != 0; m &= m - 1 {
		lane := uint(bits.TrailingZeros64(m)) &^ 7
		sum += 1 << (x >> lane & 63)
	}
	return sum
}

// reverseFour turns the order of the first n rows around.
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

// transposeFour mirrors the upper left 4x4 lanes along the main diagonal: two
// rows a word, first the cells of every 2x2 block, then the blocks.
func transposeFour(r0, r1, r2, r3 uint64) (_, _, _, _ uint64) {
	p, q := r0|r1<<32, r2|r3<<32
	t := (p ^ p>>24) & 0xff00ff00
	p ^= t ^ t<<24
	t = (q ^ q>>24) & 0xff00ff00
	q ^= t ^ t<<24
	t = (p>>16 ^ q) & 0x0000ffff0000ffff
	q ^= t
	p ^= t << 16
	return p & 0xffffffff, p >> 32, q & 0xffffffff, q >> 32
}

// slideSix serves all sizes; Slide sends it those with a side above four.
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

func pushSix(r *[MaxSide]uint64) (reward int64) {
	for last := MaxSide - 1; last > 0; last-- {
		for i := 0; i < last; i++ {
			r[i], r[i+1] = closeGap(r[i], r[i+1])
		}
	}
	for i := 0; i < MaxSide-1; i++ {
		var merged uint64
		r[i], r[i+1], merged = mergePair(r[i], r[i+1])
		reward += sumTiles(merged)
	}
	// At most every second row is empty now, the first never.
	for last := MaxSide - 1; last > MaxSide-3; last-- {
		for i := 1; i < last; i++ {
			r[i], r[i+1] = closeGap(r[i], r[i+1])
		}
	}
	return reward
}

func reverseSix(r *[MaxSide]uint64, n int) {
	for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
}

// transposeSix mirrors all lanes along the main diagonal, in blocks of 1, 2, 4.
func transposeSix(r *[MaxSide]uint64) {
	var w [8]uint64
	copy(w[:], r[:])
	for i := 0; i < 8; i += 2 {
		t := (w[i]>>8 ^ w[i+1]) & 0x00ff00ff00ff00ff
		w[i], w[i+1] = w[i]^t<<8, w[i+1]^t
	}
	for _, i := range [4]int{0, 1, 4, 5} {
		t := (w[i]>>16 ^ w[i+2]) & 0x0000ffff0000ffff
		w[i], w[i+2] = w[i]^t<<16, w[i+2]^t
	}
	for i := 0; i < 4; i++ {
		t := (w[i]>>32 ^ w[i+4]) & 0x00000000ffffffff
		w[i], w[i+4] = w[i]^t<<32, w[i+4]^t
	}
	copy(r[:], w[:MaxSide])
}
