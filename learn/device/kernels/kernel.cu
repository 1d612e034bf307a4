// The games of a training run on a graphics processor. A warp of 32 lanes plays one game: it does what the function
// play in learn/thread.go does, with the same random numbers and the same order of additions, so a single warp trains
// the same weights as the command "train -j 1", bit for bit. Games that are played at once update one set of weights
// without locks.
//
// scripts/ptx.py compiles this file to kernel.ptx. With emulate.h it is also a C program, which plays the lanes of a
// warp one after another. For that, all variables that lanes exchange are in a Warp, and lanes work in blocks:
//
//	LANES { ... }   every lane executes the block; lane is its number; all lanes wait before and after it
//	LANE0 { ... }   only lane 0 executes the block; the others wait
//
// Code outside these blocks must not write to memory, since all lanes execute it on a graphics processor.

#ifdef __CUDACC__
typedef unsigned char u8;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
#define FN static __device__ __forceinline__
#define SLOW static __device__ __noinline__
#define KERNEL extern "C" __global__ void __launch_bounds__(128, 8) // 32 warps on a multiprocessor
#define TABLE static __constant__ const
#define LANES for (int lane = (__syncwarp(), threadIdx.x & 31), once = 1; once; once = 0, __syncwarp())
#define EACH_WARP(w, number) \
	__shared__ Warp warps[4]; \
	Warp *w = &warps[threadIdx.x >> 5]; \
	u32 number = blockIdx.x * 4 + (threadIdx.x >> 5); \
	if (number < s->warps)
#define EACH_WORD(i, n) for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x)
#define UNROLL _Pragma("unroll")
// Weights change while they are read, so reads go to the level-2 cache, where atomic additions take place.
FN float read_float(const float *p) { return __ldcg(p); }
FN u64 read_word(const u64 *p) { return __ldcg(p); }
FN u32 read_count(const u32 *p) { return __ldcg(p); }
FN void add_float(float *p, float x) { atomicAdd(p, x); }
FN u32 add_count(u32 *p, u32 x) { return atomicAdd(p, x); }
FN u64 add_word(u64 *p, u64 x) { return atomicAdd(p, x); }
FN void set_if_zero(float *p, float x) { atomicCAS((u32 *)p, 0u, __float_as_uint(x)); }
FN float bits_to_float(u32 x) { return __uint_as_float(x); }
FN u64 high_product(u64 a, u64 b) { return __umul64hi(a, b); }
FN int ones(u64 x) { return __popcll(x); }
FN int length(u32 x) { return 32 - __clz((int)x); } // number of bits
FN int lowest(u64 x) { return __ffsll((i64)x) - 1; } // place of the lowest set bit
FN void fence(void) { __threadfence(); }
#endif
#define LANE0 LANES if (lane == 0)

#define MAX_PATTERNS 64
#define MAX_STAGES 32
#define MAX_HORIZON 32
#define MILESTONES 32
#define PER_MILESTONE 4096
#define MIN_STORED 16
#define MAX_WALLS 6
#define LARGEST_WALL 14
#define WALL 15

typedef struct { u64 hi, lo; } Pcg; // rand.PCG

// Result is a game that has ended.
typedef struct {
	u64 index, final, from;
	i64 score;
	double errors;
	i64 moves;
} Result;

// Game is a game in progress. See type learning in learn/thread.go.
typedef struct {
	u64 board;
	Pcg spawn, other;
	u64 index, from;
	i64 score;
	double errors;
	i32 moves, at, passed, playing;
	float rate, unused;
	u64 view[MAX_HORIZON]; // afterstates that are still to be updated
	float reward[MAX_HORIZON];
	i32 stage[MAX_HORIZON];
} Game;

// Setup is the state of a training run. setup.go has the same struct.
typedef struct {
	float *weights;       // by stage, pattern and index
	u64 *sums;            // both TC sums of each weight: signed in the lower half, absolute in the upper; or null
	u64 *pool;            // PER_MILESTONE boards for each milestone
	u32 *stored;          // number of boards put into each milestone
	const float *gumbel;  // 1024 quantiles
	Game *games;          // of each warp
	Result *results;
	u64 seed, next, end;  // games next to end-1 are still to start
	u64 total, anneal, join_every;
	u64 entries;          // weights of a stage
	i64 late;             // reward from which a board may be stored
	double rate, share;
	u64 begins[MAX_PATTERNS]; // place of each table in a stage
	u64 places[MAX_PATTERNS]; // twice the cells of each pattern, a byte each; their number is the highest byte
	u8 stages[MAX_STAGES][16]; // exponents of each condition, 0 after the last
	u32 results_used, results_room;
	u32 warps, playing; // playing: number of games in progress
	i32 patterns, stage_count, fixed, flat;
	i32 horizon, walls, downgrade, restart_tile;
	float lambda, slips, bias;
} Setup;

// Warp is the memory that the lanes of a warp share.
typedef struct {
	Game game;
	u64 shown;            // the board that moves are rewarded on: downgraded
	u64 after[8];         // the four slides of the board and the four of the shown board
	u32 gained[8];
	u32 row[32], points[32];
	u64 boards[4], views[4];
	i32 stages[4];
	float values[4];
	i64 score[4], reward[4];
	u64 chosen_view;
	i32 chosen_stage, chosen, moves, won;
	float value;
	float part[8 * 33], sum[32], step[32];
	u64 weight[32];
} Warp;

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

// view_of returns the board that the network reads.
FN u64 view_of(const Setup *s, u64 board) {
	int walls;
	if (s->walls > 0) return ending_of(board, &walls);
	return s->downgrade > 0 && at_least(board, s->downgrade) > 0 ? lower(board, s->downgrade) : board;
}

SLOW int stage_of(const Setup *s, u64 view) {
	int stage = s->stage_count - 1;
	for (; stage > 0; stage--) {
		int k = 0;
		while (k < 16 && s->stages[stage][k] != 0 && at_least(view, s->stages[stage][k]) > k) k++;
		if (k == 16 || s->stages[stage][k] == 0) break;
	}
	return stage;
}

// ending_milestone does what endingMilestone in learn/starts.go does.
FN int ending_milestone(u64 board) {
	int walls;
	u64 view = ending_of(board, &walls);
	if (walls > MAX_WALLS) return walls * MILESTONES;
	u64 small = tile_sum(view & ~(cells(view, WALL) * 15));
	u64 part = small * MILESTONES >> goal(walls);
	return walls * MILESTONES + (part < MILESTONES ? (int)part : MILESTONES - 1);
}

// milestone returns the milestone of a board, or -1 if it is not stored.
FN int milestone(const Setup *s, u64 board) {
	if (s->walls > 0) {
		int m = ending_milestone(board);
		return m >= s->walls * MILESTONES && m < (MAX_WALLS + 1) * MILESTONES ? m : -1;
	}
	if (s->restart_tile == 0 || at_least(board, s->restart_tile) == 0) return -1;
	u64 m = (tile_sum(board) >> (s->restart_tile - 1)) - 2;
	return m < MILESTONES ? (int)m : MILESTONES - 1;
}

// keep stores a board for restarts.
FN void keep(Setup *s, int m, u64 board, Pcg *random) {
	u64 at;
	if (read_count(&s->stored[m]) >= PER_MILESTONE || (at = add_count(&s->stored[m], 1)) >= PER_MILESTONE)
		at = next_random(random) % PER_MILESTONE;
	s->pool[(u64)m * PER_MILESTONE + at] = board;
}

// take draws a stored board of the MILESTONES milestones after first. It returns 0 if there are too few boards, or if
// another warp is just writing the board.
SLOW u64 take(Setup *s, int first, Pcg *random, int *from) {
	u32 usable = 0;
	for (int m = 0; m < MILESTONES; m++) {
		if (read_count(&s->stored[first + m]) >= MIN_STORED) usable |= 1u << m;
	}
	if (usable == 0) return 0;
	for (u64 n = next_random(random) % (u64)ones(usable); n > 0; n--) usable &= usable - 1;
	*from = first + lowest(usable);
	u64 count = read_count(&s->stored[*from]);
	u64 at = next_random(random) % (count < PER_MILESTONE ? count : PER_MILESTONE);
	return read_word(&s->pool[(u64)*from * PER_MILESTONE + at]);
}

FN int restarts(const Setup *s, Pcg *random) {
	return s->share > 0 && (double)(next_random(random) >> 11) / 9007199254740992.0 < s->share;
}

// spawn adds the tile that the random number selects.
FN u64 spawn(u64 board, u64 random) {
	u64 free = cells(board, 0);
	for (u64 n = (random >> 32) * (u64)ones(free) >> 32; n > 0; n--) free &= free - 1;
	free &= ~free + 1;
	return board | ((u32)random < 429496729u ? free << 1 : free);
}

// layouts has the cells of the walls, as in package endings; 16 marks the end of a short list.
TABLE u8 layouts[8][6] = {
	{3, 2, 1, 0, 4, 5}, {3, 2, 1, 0, 4, 5}, {0, 1, 2, 6, 5, 4}, {0, 4, 5, 1, 2, 6},
	{1, 0, 4, 5, 6, 2}, {3, 2, 7, 6, 0, 4}, {3, 2, 7, 6, 4, 0}, {3, 2, 6, 4, 0, 16},
};

// random_path writes the cells of a random path from a corner.
SLOW void random_path(int size, Pcg *random, u8 *path) {
	for (int n = 0; n < size;) {
		u32 seen = 1;
		path[0] = 0;
		for (n = 1; n < size; n++) {
			u8 next[4];
			int row = path[n - 1] / 4, col = path[n - 1] % 4, count = 0;
			for (int k = 0; k < 4; k++) {
				int r = row + (k == 1) - (k == 0), c = col + (k == 3) - (k == 2);
				if (r >= 0 && r < 4 && c >= 0 && c < 4 && !(seen >> (4 * r + c) & 1)) next[count++] = (u8)(4 * r + c);
			}
			if (count == 0) break;
			path[n] = next[draw(random, count)];
			seen |= 1u << path[n];
		}
	}
}

// ending_start does what endings.Start does.
SLOW u64 ending_start(int walls, Pcg *random) {
	u8 path[MAX_WALLS];
	int layout = draw(random, 8);
	for (int i = 0; i < MAX_WALLS; i++) path[i] = layouts[layout][i];
	if (draw(random, 16) == 0 || path[walls - 1] == 16) random_path(walls, random, path);
	u64 b = 0;
	for (int i = 0; i < walls; i++) b |= (u64)(LARGEST_WALL - i) << (4 * path[i]);
	i64 sum = 0, limit = (i64)1 << (goal(walls) - 1);
	int a = draw(random, 3);
	for (int n = 2 + a * draw(random, 3); n > 0; n--) {
		int e = 1;
		while (((i64)2 << e) < limit - sum && draw(random, 4) == 0) e++;
		sum += (i64)1 << e;
		if (sum >= limit) break;
		u64 free = cells(b, 0);
		for (int k = draw(random, ones(free)); k > 0; k--) free &= free - 1;
		b |= (u64)e << lowest(free);
	}
	return b;
}

// start_ending sets the first board of a game that trains an ending network, as startEnding in learn/starts.go does.
SLOW void start_ending(Setup *s, Game *g) {
	int joined = MAX_WALLS - s->walls + 1, from;
	if (s->join_every > 0 && 1 + g->index / s->join_every < (u64)joined) joined = (int)(1 + g->index / s->join_every);
	int walls = MAX_WALLS - joined + 1;
	if (draw(&g->other, 2) == 0) walls += draw(&g->other, joined);
	g->board = restarts(s, &g->other) ? take(s, walls * MILESTONES, &g->other, &from) : 0;
	if (g->board == 0) g->board = ending_start(walls, &g->other);
	g->passed = ending_milestone(g->board);
	ending_of(g->board, &walls);
	g->from = 0;
	for (int k = 0; k < walls && k < MAX_WALLS; k++) g->from += (u64)1 << goal(k);
}

// start begins the next game, if there is one and results have room.
SLOW void start(Setup *s, Game *g) {
	if (read_count(&s->results_used) + s->warps > s->results_room || read_word(&s->next) >= s->end) return;
	u64 index = add_word(&s->next, 1);
	if (index >= s->end) return;
	g->playing = 1;
	add_count(&s->playing, 1);
	g->index = index;
	g->score = g->from = 0;
	g->moves = g->at = 0;
	g->errors = 0;
	g->passed = -1;
	double rate = s->rate;
	if (s->anneal > 0 && s->total - index < s->anneal) rate *= (double)(s->total - index) / (double)s->anneal;
	g->rate = (float)rate;
	g->spawn.hi = s->seed;
	g->other.hi = ~s->seed;
	g->spawn.lo = g->other.lo = index;
	if (s->walls > 0) {
		start_ending(s, g);
		return;
	}
	g->board = spawn(0, next_random(&g->spawn));
	g->board = spawn(g->board, next_random(&g->spawn));
	if (restarts(s, &g->other)) {
		int m;
		u64 stored = take(s, 0, &g->other, &m);
		if (stored != 0) {
			g->board = stored;
			g->passed = m;
			g->from = (u64)(m + 2) << (s->restart_tile - 1);
		}
	}
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

// place returns the place in the weights of a stage that pattern p selects. x is a result of halves.
FN u64 place(const Setup *s, int p, u64 x) {
	u64 places = s->places[p];
	u32 upper = (u32)(x >> 32), lower = (u32)x, high = 0, low = 0;
	int n = (int)(places >> 56);
	for (int i = 0; i < n; i++, places >>= 8) {
		u32 shift = (u32)places & 31;
		high = high << 2 | (upper >> shift & 3);
		low = low << 2 | (lower >> shift & 3);
	}
	return s->begins[p] + (high << 2 * n | low);
}

// inherited returns the weight at a place, or if the stage has not learned it, that of the nearest stage before it that
// has.
FN float inherited(const Setup *s, int stage, u64 at) {
	const float *p = s->weights + stage * s->entries + at;
	float x = read_float(p);
	for (; x == 0 && stage > 0 && !s->flat; stage--) {
		p -= s->entries;
		x = read_float(p);
	}
	return x;
}

// evaluate sets the values of the first n views. Of up to four views, each takes eight lanes, one for each symmetry; of a
// single view, four patterns are read at once.
SLOW void evaluate(const Setup *s, Warp *w, int n) {
	const int step = n > 1 ? 1 : 4; // patterns that are read at once
	LANES if (lane < n) w->values[lane] = 0;
	for (int first = 0; first < s->patterns; first += 8 * step) {
		LANES {
			const int group = lane >> 3, k = n > 1 ? group : 0;
			if (k < n) {
				const u64 x = halves(turned(w->views[k], s->fixed ? 0 : lane & 7));
				float read[8];
				UNROLL
				for (int i = 0; i < 8; i++) {
					int p = first + step * i + (n > 1 ? 0 : group);
					read[i] = p < s->patterns ? inherited(s, w->stages[k], place(s, p, x)) : 0;
				}
				UNROLL
				for (int i = 0; i < 8; i++) w->part[33 * i + lane] = read[i];
			}
		}
		LANES {
			const int group = lane >> 3, i = lane & 7;
			const float *x = w->part + 33 * i + 8 * group;
			w->sum[n > 1 ? lane : 4 * i + group] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
		}
		LANES if (lane < n) {
			float value = w->values[lane];
			for (int i = 0; i < 8 * step && first + i < s->patterns; i++) value += w->sum[8 * lane + i];
			w->values[lane] = value;
		}
	}
	LANES if (lane < n) w->values[lane] += s->bias;
}

// learn moves the value of the first view, which evaluate has computed, towards target.
SLOW void learn(Setup *s, Warp *w, float target) {
	const float delta = target - w->values[0], size = delta < 0 ? -delta : delta, step = w->game.rate * delta;
	const int stage = w->stages[0];
	LANE0 w->game.errors += (double)size;
	for (int first = 0; first < s->patterns; first += 4) {
		LANES {
			const int p = first + (lane >> 3);
			if (p < s->patterns) {
				u64 at = place(s, p, halves(turned(w->views[0], s->fixed ? 0 : lane & 7)));
				if (stage > 0 && !s->flat && read_float(s->weights + stage * s->entries + at) == 0)
					set_if_zero(s->weights + stage * s->entries + at, inherited(s, stage - 1, at));
				at += stage * s->entries;
				float ratio = 1;
				if (s->sums) {
					u64 pair = read_word(s->sums + at);
					float r = bits_to_float((u32)pair & 0x7fffffff) / bits_to_float((u32)(pair >> 32));
					if (r < 1) ratio = r;
				}
				w->weight[lane] = at;
				w->step[lane] = ratio * step;
			}
		}
		LANES if (first + (lane >> 3) < s->patterns) {
			u64 at = w->weight[lane];
			add_float(s->weights + at, w->step[lane]);
			if (s->sums) {
				add_float((float *)(s->sums + at), delta);
				add_float((float *)(s->sums + at) + 1, size);
			}
		}
	}
	if (s->warps == 1) fence(); // so that the next read of this game sees the changes
}

FN float extend(const Setup *s, float reward, float now, float value) {
	return reward + ((1 - s->lambda) * now + s->lambda * value);
}

// correct updates the oldest afterstate in a full ring towards its lambda-return.
FN void correct(Setup *s, Warp *w) {
	const int h = s->horizon, at = w->game.at;
	for (int k = 0; k < h; k += 4) { // from the newest afterstate to the oldest
		const int n = h - k < 4 ? h - k : 4;
		LANES if (lane < n) {
			int r = (at + h - 1 - k - lane) % h;
			w->views[lane] = w->game.view[r];
			w->stages[lane] = w->game.stage[r];
		}
		evaluate(s, w, n);
		LANE0 for (int i = 0; i < n; i++) {
			int r = (at + h - 1 - k - i) % h;
			if (r != at) {
				w->value = extend(s, w->game.reward[r], w->values[i], w->value);
			} else {
				w->views[0] = w->views[i];
				w->stages[0] = w->stages[i];
				w->values[0] = w->values[i];
			}
		}
	}
	learn(s, w, w->value);
}

// finish updates the afterstates left in the ring, from the newest to the oldest, and writes the result.
SLOW void finish(Setup *s, Warp *w, float end) {
	const int h = s->horizon, n = w->game.moves < h ? w->game.moves : h;
	LANE0 w->value = end;
	for (int i = 0; i < n; i++) {
		LANE0 {
			int r = (w->game.at + h - 1 - i) % h;
			w->chosen = r;
			w->views[0] = w->game.view[r];
			w->stages[0] = w->game.stage[r];
		}
		evaluate(s, w, 1);
		learn(s, w, w->value);
		evaluate(s, w, 1);
		LANE0 w->value = extend(s, w->game.reward[w->chosen], w->values[0], w->value);
	}
	LANE0 {
		Game *g = &w->game;
		Result *r = &s->results[add_count(&s->results_used, 1)];
		r->index = g->index;
		r->final = g->board;
		r->from = g->from;
		r->score = g->score;
		r->errors = g->errors;
		r->moves = g->moves;
		g->playing = 0;
		add_count(&s->playing, ~0u); // - 1
	}
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

// slide sets the slides of the board and of the shown board: up, right, down, left. Each lane slides a row or column.
FN void slide(const Setup *s, Warp *w) {
	LANE0 w->shown = s->walls > 0 ? w->game.board : view_of(s, w->game.board);
	LANES {
		const int d = lane >> 2 & 3, line = lane & 3, vertical = (d & 1) == 0;
		const u64 b = lane < 16 ? w->game.board : w->shown;
		u32 row = (u32)(b >> 16 * line) & 0xffff, gained;
		if (vertical) {
			u64 x = b >> 4 * line;
			row = (u32)(x & 15) | (u32)(x >> 12 & 0xf0) | (u32)(x >> 24 & 0xf00) | (u32)(x >> 36 & 0xf000);
		}
		const int back = d == 1 || d == 2;
		u32 slid = slide_row(back ? reversed(row) : row, &gained);
		w->row[lane] = back ? reversed(slid) : slid;
		w->points[lane] = gained;
	}
	LANES if (lane < 8) {
		u64 b = 0;
		u32 gained = 0;
		for (int line = 0; line < 4; line++) {
			u64 row = w->row[4 * lane + line];
			if ((lane & 1) == 0) row = ((row & 15) | (row & 0xf0) << 12 | (row & 0xf00) << 24 | (row & 0xf000) << 36) << 4 * line;
			else row <<= 16 * line;
			b |= row;
			gained += w->points[4 * lane + line];
		}
		w->after[lane] = b;
		w->gained[lane] = gained;
	}
	LANE0 {
		int n = 0, won = 0;
		for (int d = 0; d < 4; d++) {
			if (w->after[d] == w->game.board) continue;
			w->boards[n] = w->after[d];
			w->score[n] = w->reward[n] = 0;
			if (s->walls > 0) {
				if (w->gained[d] >= 32768) won |= 1 << n;
			} else {
				w->score[n] = w->gained[d];
				w->reward[n] = w->gained[4 + d];
			}
			n++;
		}
		w->moves = n;
		w->won = won;
	}
	LANES if (lane < w->moves) {
		w->views[lane] = view_of(s, w->boards[lane]);
		w->stages[lane] = s->stage_count > 1 ? stage_of(s, w->views[lane]) : 0;
	}
}

// choose sets the chosen move and its reward + value.
FN void choose(const Setup *s, Warp *w) {
	LANE0 {
		const int n = w->moves;
		int best = 0;
		float value[4] = {0}, top = 0;
		for (int i = 0; i < n; i++) {
			value[i] = w->values[i] + (float)w->reward[i];
			float x = w->won >> i & 1 ? 1 : value[i];
			if (i == 0 || x > top) {
				best = i;
				top = x;
			}
		}
		if (s->slips > 0) { // as the function Slip in learn/slips.go
			float scale = value[0];
			for (int i = 1; i < n; i++) scale = value[i] > scale ? value[i] : scale;
			scale = s->slips * (scale > 1 ? scale : 1);
			u64 random = next_random(&w->game.other);
			for (int i = 0; i < n; i++, random >>= 16) {
				float x = value[i] + scale * s->gumbel[random & 1023];
				if (i == 0 || x > top) {
					best = i;
					top = x;
				}
			}
			top = value[best];
		}
		w->chosen = best;
		w->value = top;
		w->chosen_view = w->views[best];
		w->chosen_stage = w->stages[best];
	}
}

// move plays a move of the warp's game. It returns 0 if there is no game to play.
FN int move(Setup *s, Warp *w) {
	LANE0 if (!w->game.playing) start(s, &w->game);
	if (!w->game.playing) return 0;
	slide(s, w);
	if (w->moves == 0) {
		finish(s, w, 0);
		return 1;
	}
	evaluate(s, w, w->moves);
	choose(s, w);
	if (w->won >> w->chosen & 1) {
		LANE0 {
			w->game.score = 1;
			w->game.board = w->boards[w->chosen];
		}
		finish(s, w, 1);
		return 1;
	}
	if (w->game.moves >= s->horizon) correct(s, w);
	LANE0 {
		Game *g = &w->game;
		const int i = w->chosen;
		g->score += w->score[i];
		g->view[g->at] = w->chosen_view;
		g->stage[g->at] = w->chosen_stage;
		g->reward[g->at] = (float)w->reward[i];
		if (++g->at == s->horizon) g->at = 0;
		g->moves++;
		g->board = spawn(w->boards[i], next_random(&g->spawn));
		if (w->score[i] >= s->late) {
			int m = milestone(s, g->board);
			if (m > g->passed) {
				g->passed = m;
				keep(s, m, g->board, &g->other);
			}
		}
	}
	return 1;
}

// play continues the game of each warp, and starts further games, for the given number of moves.
KERNEL play(Setup *s, i32 moves) {
	EACH_WARP(w, number) {
		const int words = (int)(sizeof(Game) / 4);
		u32 *stored = (u32 *)&s->games[number], *shared = (u32 *)&w->game;
		LANES for (int i = lane; i < words; i += 32) shared[i] = stored[i];
		for (int m = 0; m < moves && move(s, w); m++) {}
		LANES for (int i = lane; i < words; i += 32) stored[i] = shared[i];
	}
}

// halve halves both TC sums of each weight whose absolute errors sum to more than limit. Sums of type float stop growing
// once they are 2^24 times as large as an error.
KERNEL halve(u64 *sums, u64 n, float limit) {
	EACH_WORD(i, n) {
		float *pair = (float *)&sums[i];
		if (pair[1] > limit && pair[1] < 3e38f) {
			pair[0] *= 0.5f;
			pair[1] *= 0.5f;
		}
	}
}
