package protocol

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Explain holds the parameters of the method explain, whose result is a [Reasons].
type Explain struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"" range:"0:2^52"`
	Player string      `json:"player,omitempty" param:""`
	// Tiles are the tiles whose chances are requested. A game ends when it makes the largest of these tiles, but
	// every eighth game is played to its end. If Tiles is empty, games end when they make the next tile above the
	// largest one on the board, and after at most 50 moves if the player has no network.
	Tiles []int64 `json:"tiles,omitempty" param:"" range:"tile:4:2^48" items:"0:16"`
	// Games is the maximum number of games after each move. 0 means no limit.
	Games int `json:"games,omitempty" param:"" range:"1:1000000"`
	// TimeMS is the time limit for the games, which start after the decision. 0 means 1000.
	TimeMS float64 `json:"time_ms,omitempty" param:"" range:"1:10000"`
	Seed   uint64  `json:"seed,omitempty" param:""` // seed of the spawns; absent: 0
}

// Reasons is the result of the method explain: a decision and its explanation.
type Reasons struct {
	Decision
	Why Why `json:"why"`
}

// Why explains a decision by the results of games that continue after each legal move, the same number after each.
type Why struct {
	PlayedBy string `json:"played_by"`
	Games    int    `json:"games"` // number of games played after each move
	// WholeGames is the number of these games that were played to the end. They provide the score, the length, and
	// the chances of tiles larger than requested.
	WholeGames int `json:"whole_games"`
	// Soon is the limit for MoveReasons.GameOver, which counts the games that ended within this
	// number of moves.
	Soon int `json:"soon_moves"`
	// Horizon is the number of moves after which each game was stopped. 0 means no limit.
	Horizon int                             `json:"horizon_moves"`
	Tiles   []int64                         `json:"tiles"` // the requested tiles; the first is the goal
	Moves   map[board.Direction]MoveReasons `json:"moves"` // legal moves only
	Verdict *Verdict                        `json:"verdict"`
}

// MoveReasons contains the results of the games after one move.
type MoveReasons struct {
	GameOver Share              `json:"game_over"` // share of games that ended within soon_moves
	Tiles    ByTile[TileChance] `json:"tiles"`     // chance to make each tile
	Score    MeanOfGames        `json:"score"`     // final score, which includes the score of the position
	Length   MeanOfGames        `json:"length"`    // number of moves to the end of the game, including this move
	// Exact contains the exact values on solved board sizes. It is absent for other sizes.
	Exact *ExactValues `json:"exact,omitempty"`
	// Terms are the parts of the evaluator's value after the move. They are null if the player has no evaluator.
	Terms []Term `json:"terms" ts:"Term[] | null"`
}

// TileChance is the chance to make a tile. For a requested tile, it is the share of games that made the tile. For a
// larger tile, it is the product of two shares: the share of games that made the largest requested tile, and the share
// of those played to the end that then also made the larger tile.
type TileChance struct {
	Share
	Games int `json:"games"`
}

// MeanOfGames is a mean over the games that were played to the end.
type MeanOfGames struct {
	Mean stats.Figure   `json:"mean"` // null if there are no games
	CI   stats.Interval `json:"ci95"`
}

// ExactValues are the exact values of a move.
type ExactValues struct {
	// Score is the expected final score under optimal play. It is null if the player has no exact
	// values.
	Score *float64 `json:"score"`
	// Chances contains the maximum chance to make each tile for which there is a solved table. Each
	// chance assumes play that aims only at this tile.
	Chances ByTile[float64] `json:"chances"`
}

// Verdict compares the decision with the results of the games. It is null if there are no games, if only one move
// is legal, or if the games have a horizon.
type Verdict struct {
	Advice  board.Direction  `json:"advice"`  // the decision's move
	Games   board.Direction  `json:"games"`   // the best move in the games
	Trusted board.Direction  `json:"trusted"` // the move in Games if it is significantly better, else the move in Advice
	Chance  PairedDifference `json:"chance"`  // chance to make the goal, Games minus Advice
	Score   PairedDifference `json:"score"`   // final score, Games minus Advice
}

// PairedDifference is the difference of two moves in paired games.
type PairedDifference struct {
	Difference stats.Figure   `json:"difference"`
	CI         stats.Interval `json:"ci95"`
}

// Term is a named part of an evaluator's value; the terms add up to the value.
type Term struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // already multiplied by the weight
}
