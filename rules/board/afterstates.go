package board

// Afterstate is the result of one slide.
type Afterstate struct {
	Board  Board
	Reward int64 // sum of the values of merged tiles
	Moved  bool  // whether the slide changed anything
}

// Legal returns the directions of the slides that change something, in order.
func (b *Board) Legal() []Direction {
	legal := make([]Direction, 0, len(Directions))
	for _, d := range Directions {
		if _, _, moved := b.Slide(d); moved {
			legal = append(legal, d)
		}
	}
	return legal
}

// Afterstates computes all four slides, out[d] being that of direction d, at about half the cost of
// four calls of Slide. On a board of at most four columns, half of every row's lanes are unused:
// the rows are put into the lower half, and in reverse order into the upper half, so that one push
// slides the lower half up and the upper half down.
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

// pushBoth slides n rows towards the first (u) and towards the last (d).
func pushBoth(r0, r1, r2, r3 uint64, n int) (u0, u1, u2, u3, d0, d1, d2, d3 uint64, rewardU, rewardD int64) {
	const half = 1<<32 - 1
	v0, v1, v2, v3 := reverseFour(r0, r1, r2, r3, n)
	r0, r1, r2, r3, early, late := pushLanes(r0|v0<<32, r1|v1<<32, r2|v2<<32, r3|v3<<32)
	d0, d1, d2, d3 = reverseFour(r0>>32, r1>>32, r2>>32, r3>>32, n)
	return r0 & half, r1 & half, r2 & half, r3 & half, d0, d1, d2, d3,
		sumTiles(early&half | late<<32), sumTiles(early>>32 | late&^half)
}
