// The first board of each game, and the boards stored for restarts.
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
