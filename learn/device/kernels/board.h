// Random numbers and boards: views, spawns, symmetries and slides. A board has four bits for each cell, as a
// bitboard.Board.
// next_random returns the next number of a generator (PCG-DXSM).
FN u64 next_random(Pcg *p) {
	const u64 mul_hi = 2549297995355413924u, mul_lo = 4865540595714422341u;
	const u64 inc_hi = 6364136223846793005u, inc_lo = 1442695040888963407u;
	u64 hi = high_product(p->lo, mul_lo) + p->hi * mul_lo + p->lo * mul_hi;
	u64 lo = p->lo * mul_lo + inc_lo;
	hi += inc_hi + (lo < inc_lo);
	p->hi = hi;
	p->lo = lo;
	hi ^= hi >> 32;
	hi *= 0xda942042e4dd58b5u;
	hi ^= hi >> 48;
	return hi * (lo | 1);
}

// draw returns a number from 0 to n-1.
FN int draw(Pcg *p, int n) { return (int)((next_random(p) >> 32) * (u64)n >> 32); }

#define EACH 0x1111111111111111u // the lowest bit of every cell

// cells returns the lowest bit of every cell with this exponent.
FN u64 cells(u64 board, u32 exponent) {
	u64 x = board ^ EACH * exponent;
	x |= x >> 2;
	x |= x >> 1;
	return ~x & EACH;
}

// at_least returns the number of tiles of exponent e or more, for e from 1 to 15.
FN int at_least(u64 board, u32 e) {
	const u64 highs = 0x8888888888888888u;
	u64 low = board & ~highs;
	if (e >= 8) return ones((low + (16 - e) * EACH) & board & highs);
	return ones(((low + (8 - e) * EACH) | board) & highs);
}

FN u64 tile_sum(u64 board) {
	u64 sum = 0;
	for (; board != 0; board >>= 4) sum += ((u64)1 << (board & 15)) & ~(u64)1;
	return sum;
}

FN u32 exponents(u64 board) { // a set of bits
	u32 set = 0;
	for (; board != 0; board >>= 4) set |= 1u << (board & 15);
	return set & ~1u;
}

// lower does what bitboard.Board.Downgrade(2, minimum) does.
SLOW u64 lower(u64 b, int minimum) {
	u32 on = exponents(b), sum = (u32)tile_sum(b);
	while (on >> minimum != 0) {
		u32 missing = ~on & ((1u << (length(on) - 1)) - 1) & ~7u;
		int gap = 0;
		for (; missing != 0 && gap == 0;) {
			int m = length(missing) - 1;
			u32 rest = sum & ((2u << m) - 1);
			missing &= ~(1u << m);
			if (rest + 8 < 1u << m) { // then the smaller tiles sum to rest, unless they sum to 2^(m+1) or more
				u64 above = 0;
				for (int i = 0; i < 64; i += 4) {
					u32 e = b >> i & 15;
					if ((int)e > m) above += (u64)1 << e;
				}
				if (above == sum - rest) gap = m;
			}
		}
		if (gap == 0) break;
		for (int i = 0; i < 64; i += 4) {
			if ((int)(b >> i & 15) > gap) b -= (u64)1 << i;
		}
		u32 below = (1u << gap) - 1;
		on = (on & below) | (on >> 1 & ~below);
		sum = (sum & below) | (sum >> 1 & ~below);
	}
	return b;
}

FN int goal(int walls) { return LARGEST_WALL - walls > 9 ? LARGEST_WALL - walls : 9; }

// ending_of returns the view of a board and sets *walls, as endings.Of does.
FN u64 ending_of(u64 board, int *walls) {
	u64 view = board;
	if (cells(board, 15) != 0) {
		*walls = MAX_WALLS + 2;
		return 0xeeeeeeeeeeeeeeeeu;
	}
	for (*walls = 0;; ++*walls) {
		u64 tiles = cells(view, goal(*walls));
		if (tiles == 0) return view;
		if (*walls == MAX_WALLS || (tiles & (tiles - 1)) != 0) {
			*walls = MAX_WALLS + 1;
			return board;
		}
		view |= tiles * WALL;
	}
}

// spawn adds the tile that the random number selects.
FN u64 spawn(u64 board, u64 random) {
	u64 free = cells(board, 0);
	for (u64 n = (random >> 32) * (u64)ones(free) >> 32; n > 0; n--) free &= free - 1;
	free &= ~free + 1;
	return board | ((u32)random < 429496729u ? free << 1 : free);
}

// turned returns the view under symmetry n: bit 2 transposes, bit 0 mirrors left and right, bit 1 top and bottom.
FN u64 turned(u64 x, int n) {
	if (n & 4) {
		u64 t = (x ^ x >> 12) & 0x0000f0f00000f0f0u;
		x ^= t ^ t << 12;
		t = (x ^ x >> 24) & 0x00000000ff00ff00u;
		x ^= t ^ t << 24;
	}
	if (n & 1) {
		x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
		x = (x >> 8 & 0x00ff00ff00ff00ffu) | (x & 0x00ff00ff00ff00ffu) << 8;
	}
	if (n & 2) {
		x = (x >> 16 & 0x0000ffff0000ffffu) | (x & 0x0000ffff0000ffffu) << 16;
		x = x >> 32 | x << 32;
	}
	return x;
}

// halves returns the upper two bits of all exponents in the upper half of a word, and the lower two bits in the lower
// half.
FN u64 halves(u64 x) {
	u64 t = (x ^ x >> 2) & 0x0c0c0c0c0c0c0c0cu;
	x ^= t ^ t << 2;
	t = (x ^ x >> 4) & 0x00f000f000f000f0u;
	x ^= t ^ t << 4;
	t = (x ^ x >> 8) & 0x0000ff000000ff00u;
	x ^= t ^ t << 8;
	t = (x ^ x >> 16) & 0x00000000ffff0000u;
	return x ^ t ^ t << 16;
}

// slide_row slides a row towards its lowest cell. Two tiles 2^15 do not merge.
FN u32 slide_row(u32 row, u32 *gained) {
	u32 out = 0, last = 0;
	int n = 0;
	*gained = 0;
	for (; row != 0; row >>= 4) {
		u32 e = row & 15;
		if (e == 0) continue;
		if (e == last && e < 15) {
			out += 1u << (4 * n - 4);
			*gained += 2u << e;
			last = 0;
		} else {
			out |= e << (4 * n);
			n++;
			last = e;
		}
	}
	return out;
}

FN u32 reversed(u32 row) { return (row & 15) << 12 | (row & 0xf0) << 4 | (row >> 4 & 0xf0) | row >> 12; }
