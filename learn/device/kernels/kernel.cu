// The games of a training run on a graphics processor. A warp of 32 lanes plays one game: it does what the function
// play in learn/thread.go does, with the same random numbers and the same order of additions, so a single warp trains
// the same weights as the command "train -j 1", bit for bit. Games that are played at once update one set of weights
// without locks.
//
// scripts/ptx.py compiles this file to kernel.ptx. A C compiler makes a program that plays the lanes of a warp one
// after another (emulate.h). For that, all variables that lanes exchange are in a Warp, and lanes work in blocks:
//
//	LANES { ... }   every lane executes the block; lane is its number; all lanes wait before and after it
//	LANE0 { ... }   only lane 0 executes the block; the others wait
//
// Code outside these blocks must not write to memory, since all lanes execute it on a graphics processor.

#ifdef __CUDACC__
#include "device.h"
#else
#include "emulate.h"
#endif
#include "types.h"
#include "board.h"
#include "start.h"
#include "network.h"

FN float extend(const Setup *s, float reward, float now, float value) {
	return reward + ((1 - s->lambda) * now + s->lambda * value);
}

// before returns the place in a ring of h places that is n places before at.
FN int before(int at, int n, int h) { return at >= n ? at - n : at - n + h; }

// correct updates the oldest afterstate in a full ring towards its lambda-return. A thread of package learn reads all
// values of the ring again for it; so does a game that is played alone. Games that are played at once use the values that
// the afterstates had when they were chosen, a few moves ago, which takes half as many reads.
FN void correct(Setup *s, Warp *w) {
	const int h = s->horizon, at = w->game.at;
	if (s->warps > 1) {
		LANE0 {
			for (int i = 1; i < h; i++) { // from the newest afterstate
				int r = before(at, i, h);
				w->value = extend(s, w->game.reward[r], w->game.value[r], w->value);
			}
			w->views[0] = w->game.view[at];
			w->stages[0] = w->game.stage[at];
		}
		evaluate(s, w, 1);
		learn(s, w, w->value);
		return;
	}
	for (int k = 1; k <= h; k += 4) { // from the newest afterstate to the oldest, which is at the place at
		const int n = h - k < 3 ? h - k + 1 : 4;
		LANES if (lane < n) {
			int r = before(at, k + lane, h);
			w->views[lane] = w->game.view[r];
			w->stages[lane] = w->game.stage[r];
		}
		evaluate(s, w, n);
		LANE0 for (int i = 0; i < n; i++) {
			int r = before(at, k + i, h);
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
	for (int i = 1; i <= n; i++) {
		LANE0 {
			int r = before(w->game.at, i, h);
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
		w->chosen_value = w->values[best];
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
		g->value[g->at] = w->chosen_value;
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

// halve halves both TC sums of each weight whose absolute errors sum to more than limit. Sums of type float stop
// growing once they are 2^24 times as large as an error.
KERNEL halve(u64 *sums, u64 n, float limit) {
	EACH_WORD(i, n) {
		float *pair = (float *)&sums[i];
		if (pair[1] > limit && pair[1] < 3e38f) {
			pair[0] *= 0.5f;
			pair[1] *= 0.5f;
		}
	}
}
