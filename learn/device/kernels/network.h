// Values of boards, and updates of weights.
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

// place returns the place in the weights of a stage that pattern p selects. x is a result of halves.
FN u64 place(const Setup *s, int p, u64 x) {
	u64 places = s->places[p];
	u32 upper = (u32)(x >> 32), lower = (u32)x, high = 0, low = 0;
	int n = (int)(places >> 56);
	UNROLL
	for (int i = 0; i < 7; i++, places >>= 8) {
		if (i >= n) break;
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

// evaluate sets the values of the first n views. Of up to four views, each takes eight lanes, one for each symmetry;
// of a single view, four patterns are read at once.
SLOW void evaluate(const Setup *s, Warp *w, int n) {
	const int step = n > 1 ? 1 : 4; // patterns that are read at once
	LANES if (lane < n) w->values[lane] = 0;
	for (int first = 0; first < s->patterns; first += 8 * step) {
		LANES {
			const int group = lane >> 3, k = n > 1 ? group : 0;
			if (k < n) {
				const u64 x = halves(turned(w->views[k], s->fixed ? 0 : lane & 7));
				const int stage = w->stages[k], own = stage == 0 || s->flat; // own: no weight is inherited
				const float *weights = s->weights + stage * s->entries;
				float read[8];
				UNROLL // so that all reads are under way at once
				for (int i = 0; i < 8; i++) {
					int p = first + step * i + (n > 1 ? 0 : group);
					read[i] = p < s->patterns && own ? read_float(weights + place(s, p, x)) : 0;
				}
				for (int i = 0; i < 8 && !own; i++) {
					int p = first + step * i + (n > 1 ? 0 : group);
					read[i] = p < s->patterns ? inherited(s, stage, place(s, p, x)) : 0;
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

// prepare finds the place and the step of weight i of an update. at is its place in the stage, and step the step at the
// full rate.
FN void prepare(Setup *s, Warp *w, int i, u64 at, float step) {
	const int stage = w->stages[0];
	u64 place = at + stage * s->entries;
	if (stage > 0 && !s->flat && read_float(s->weights + place) == 0)
		set_if_zero(s->weights + place, inherited(s, stage - 1, at));
	float ratio = 1;
	if (s->sums) {
		u64 pair = read_word(s->sums + place);
		float r = bits_to_float((u32)pair & 0x7fffffff) / bits_to_float((u32)(pair >> 32));
		if (r < 1) ratio = r;
	}
	w->weight[i] = place;
	w->step[i] = ratio * step;
}

// learn moves the value of the first view, which evaluate has computed, towards target.
SLOW void learn(Setup *s, Warp *w, float target) {
	const float delta = target - w->values[0], size = delta < 0 ? -delta : delta, step = w->game.rate * delta;
	LANE0 w->game.errors += (double)size;
	for (int first = 0; first < s->patterns; first += 8) { // two weights for each lane
		LANES {
			const u64 x = halves(turned(w->views[0], s->fixed ? 0 : lane & 7));
			UNROLL
			for (int i = 0; i < 2; i++) {
				const int p = first + 4 * i + (lane >> 3);
				if (p < s->patterns) prepare(s, w, 32 * i + lane, place(s, p, x), step);
			}
		}
		LANES for (int i = lane; i < 64 && first + i / 8 < s->patterns; i += 32) {
			u64 at = w->weight[i];
			add_float(s->weights + at, w->step[i]);
			if (s->sums) {
				add_float((float *)(s->sums + at), delta);
				add_float((float *)(s->sums + at) + 1, size);
			}
		}
	}
	if (s->warps == 1) fence(); // so that the next read of this game sees the changes
}
