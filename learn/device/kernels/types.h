// Constants and structs.
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
	float reward[MAX_HORIZON], value[MAX_HORIZON]; // value: when the afterstate was chosen
	i32 stage[MAX_HORIZON];
} Game;

typedef char game_bytes[sizeof(Game) == 96 + 20 * MAX_HORIZON ? 1 : -1]; // gameBytes of setup.go

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
	float chosen_value, value;
	float part[8 * 33], sum[32], step[64]; // step and weight: of an update, eight patterns at once
	u64 weight[64];
} Warp;
