package protocol

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Explain is the params of explain; a [Reasons] is its result.
type Explain struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"" range:"0:2^52"`
	Player string      `json:"player,omitempty" param:""`
	// Tiles are the tiles whose chances are requested: games go on until they have made the largest of them, and every
	// eighth game to its end. Empty: the games end with the next tile, and after at most 50 moves if the player has no
	// network.
	Tiles  []int64 `json:"tiles,omitempty" param:"" range:"tile:4:2^48" items:"0:16"`
	Games  int     `json:"games,omitempty" param:"" range:"1:1000000"` // limit of games of each move; 0: none
	TimeMS float64 `json:"time_ms,omitempty" param:"" range:"1:10000"` // limit after the decision; 0: 1000
	Seed   uint64  `json:"seed,omitempty" param:""`                    // of the spawns; absent: 0
}

// Reasons is the result of explain: a decision and its explanation.
type Reasons struct {
	Decision
	Why Why `json:"why"`
}

// Why is the explanation of a decision, from games that were played on after each legal move.
type Why struct {
	PlayedBy string `json:"played_by"`
	Games    int    `json:"games"` // of each move
	// WholeGames is how many of these games were played to the end, for score, length and tiles larger than requested.
	WholeGames int                             `json:"whole_games"`
	Soon       int                             `json:"soon_moves"`    // number of moves for game_over
	Horizon    int                             `json:"horizon_moves"` // moves after which every game ended; 0: no limit
	Tiles      []int64                         `json:"tiles"`         // the requested tiles; the first is the goal
	Moves      map[board.Direction]MoveReasons `json:"moves"`         // legal moves only
	Verdict    *Verdict                        `json:"verdict"`
	Line       []LineStep                      `json:"line"` // the expected line, best move first
}

// MoveReasons are the results after one move.
type MoveReasons struct {
	GameOver Share              `json:"game_over"` // games that ended within soon_moves
	Tiles    ByTile[TileChance] `json:"tiles"`     // chance to make each tile
	Score    MeanOfGames        `json:"score"`     // final score, including the score of the position
	Length   MeanOfGames        `json:"length"`    // moves still to come, including this one
	// Exact are the exact values on solved sizes; absent elsewhere.
	Exact *ExactValues `json:"exact,omitempty"`
	Terms []Term       `json:"terms" ts:"Term[] | null"` // of the evaluator's value after the move; null without an evaluator
}

// TileChance is the chance to make a tile. For a requested tile it is the share of games that made it. For a larger
// tile it is the share of games that made the largest requested tile, times the share of games with that tile, played
// to the end, that made the larger one too.
type TileChance struct {
	Share
	Games int `json:"games"`
}

// MeanOfGames is a mean over the games that were played to the end.
type MeanOfGames struct {
	Mean stats.Figure   `json:"mean"` // null without games
	CI   stats.Interval `json:"ci95"`
}

// ExactValues are the exact values of a move.
type ExactValues struct {
	// Score is the expected final score under optimal play; null if the player has no exact values.
	Score *float64 `json:"score"`
	// Chances are the greatest chances to make each tile that has a solved table. For each tile, play
	// aims at this tile alone.
	Chances ByTile[float64] `json:"chances"`
}

// Verdict compares the decision with the games. It is null without games, with a single legal move, and with a horizon.
type Verdict struct {
	Advice  board.Direction  `json:"advice"`  // the decision's move
	Games   board.Direction  `json:"games"`   // the best move in the games
	Trusted board.Direction  `json:"trusted"` // games if it is clearly better, else advice
	Chance  PairedDifference `json:"chance"`  // of the goal, games minus advice
	Score   PairedDifference `json:"score"`   // final score, games minus advice
}

// PairedDifference is the difference of two moves in paired games.
type PairedDifference struct {
	Difference stats.Figure   `json:"difference"`
	CI         stats.Interval `json:"ci95"`
}

// Term is a named part of an evaluator's value; the terms add up to the value.
type Term struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // weighted
}

// LineStep is a move of the expected line.
type LineStep struct {
	Move  board.Direction `json:"move"`
	Board board.Board     `json:"board"` // after the move and the expected spawn
}
