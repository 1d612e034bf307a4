package wire

import "afterstate/board"

// MethodOdds plays games on after each move.
const MethodOdds = "odds"

// Limits of odds.
const (
	maxOddsTiles = 16
	maxOddsGames = 1_000_000
	maxOddsTime  = 10_000 // milliseconds
)

// FindOdds is the params of odds; an [OddsAnswer] is its result.
type FindOdds struct {
	Board  board.Board `json:"board"`
	Score  int64       `json:"score,omitempty"`
	Player string      `json:"player,omitempty"`
	Tiles  []int64     `json:"tiles,omitempty"`   // empty: the next tile and the one after it
	Games  int         `json:"games,omitempty"`   // limit of games of each move; 0: none
	TimeMS float64     `json:"time_ms,omitempty"` // limit of the time for games; 0: 1000
	Seed   *uint64     `json:"seed,omitempty"`    // of the spawns; absent: 0
	Exact  bool        `json:"exact,omitempty"`   // do not stop when one move is better than all others
}

// ReadParams reads the params of odds.
func (p *FindOdds) ReadParams(params []byte) error {
	return readParams(MethodOdds, params,
		field{"board", required, readBoard(&p.Board)},
		field{"score", optional, readInt(&p.Score, 0, 1<<52)},
		field{"player", optional, readString(&p.Player)},
		field{"tiles", optional, readTiles(&p.Tiles, maxOddsTiles)},
		field{"games", optional, readInt(&p.Games, 1, maxOddsGames)},
		field{"time_ms", optional, readNumber(&p.TimeMS, 1, maxOddsTime)},
		field{"seed", optional, readSeed(&p.Seed)},
		field{"exact", optional, readBool(&p.Exact)},
	)
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

// TileOdds is the share of games that made a tile.
type TileOdds struct {
	Share
	Games int `json:"games"`
}

// MeanOdds is the mean of whole games.
type MeanOdds struct {
	Mean *float64    `json:"mean"` // null without games
	CI   *Interval95 `json:"ci95"`
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
	Difference *float64    `json:"difference"`
	CI         *Interval95 `json:"ci95"`
}
