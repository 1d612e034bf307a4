package protocol

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// FindOdds is the params of odds; an [OddsAnswer] is its result.
type FindOdds struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"max=2^52"`
	Player string      `json:"player,omitempty" param:""`
	Tiles  []int64     `json:"tiles,omitempty" param:"tile,items=16"`     // empty: the next tile and the one after it
	Games  int         `json:"games,omitempty" param:"min=1,max=1000000"` // limit of games of each move; 0: none
	TimeMS float64     `json:"time_ms,omitempty" param:"min=1,max=10000"` // limit of the time for games; 0: 1000
	Seed   uint64      `json:"seed,omitempty" param:""`                   // of the spawns; absent: 0
	Exact  bool        `json:"exact,omitempty" param:""`                  // do not stop when one move is better than all others
}

// OddsAnswer is the result of odds: a decision, and what games after each move lead to.
type OddsAnswer struct {
	Decision
	Odds Odds `json:"odds"`
}

// Odds are the results of games that were played on after each legal move.
type Odds struct {
	PlayedBy   string                       `json:"played_by"`
	Games      int                          `json:"games"`       // of each move
	WholeGames int                          `json:"whole_games"` // of these, played to the end: for score, moves and tiles larger than those asked for
	Stopped    string                       `json:"stopped" ts:"'games' | 'clear' | 'time'"`
	Asked      []int64                      `json:"asked"` // tiles, the first is the goal
	Moves      map[board.Direction]MoveOdds `json:"moves"` // legal moves only
	Verdict    *OddsVerdict                 `json:"verdict"`
	// Exact are the exact values of each legal move on solved sizes; absent elsewhere.
	Exact map[board.Direction]ExactOdds `json:"exact,omitempty"`
}

// ExactOdds are the exact values of a move.
type ExactOdds struct {
	// Score is the expected final score under optimal play; null if the player has no exact values.
	Score *float64 `json:"score"`
	// Chances are the greatest chances to make each tile whose goal is solved, each of play that aims
	// at this tile alone.
	Chances ByTile[float64] `json:"chances"`
}

// MoveOdds are the results after one move.
type MoveOdds struct {
	Tiles  ByTile[TileOdds] `json:"tiles"`  // chance to make each tile
	Score  MeanOdds         `json:"score"`  // final score, that of the position included
	Length MeanOdds         `json:"length"` // moves still to come, this one included
}

// TileOdds is the chance of a tile: for those that were asked for the share of games that made it, for larger ones that of the
// largest of these, times the share of whole games with it that made the larger one too.
type TileOdds struct {
	Share
	Games int `json:"games"`
}

// MeanOdds is the mean of whole games.
type MeanOdds struct {
	Mean stats.Figure   `json:"mean"` // null without games
	CI   stats.Interval `json:"ci95"`
}

// OddsVerdict compares the decision with the games. It is null without games and without a choice.
type OddsVerdict struct {
	Advice  board.Direction `json:"advice"`  // the decision's move
	Games   board.Direction `json:"games"`   // the best move in the games
	Trusted board.Direction `json:"trusted"` // games if it is clearly better, else advice
	Chance  OddsDifference  `json:"chance"`  // of the goal, games minus advice
	Score   OddsDifference  `json:"score"`   // final score, games minus advice
}

// OddsDifference is the difference of two moves in paired games.
type OddsDifference struct {
	Difference stats.Figure   `json:"difference"`
	CI         stats.Interval `json:"ci95"`
}
