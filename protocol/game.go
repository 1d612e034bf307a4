package protocol

import "github.com/afterstate2048/afterstate/rules/board"

// OpenGame is the params of game.open and game.replay: all data that determines a game. Without moves
// game.open starts a new game.
type OpenGame struct {
	Size      board.Size  `json:"size" param:""`                     // zero: 4x4
	Start     board.Board `json:"start,omitzero" param:""`           // the board to begin from, of any size; zero: two spawned tiles
	Spawn     string      `json:"spawn,omitempty" param:""`          // a spawn rule's spec; empty: random
	Seed      uint64      `json:"seed" param:""`                     //
	Game      uint64      `json:"game,omitempty" param:""`           // number of the game within the seed
	Moves     string      `json:"moves,omitempty" param:""`          // packed as in records; base64 of either alphabet
	MoveCount int         `json:"move_count" param:"max=2^18"`       //
	Undone    int         `json:"undone,omitempty" param:"max=2^18"` // number of last moves that are undone
	Keep      bool        `json:"keep,omitempty" param:""`           // the game continues after the win
}

// GameState is the result of the methods of a played game, except game.record and game.replay.
type GameState struct {
	Board       board.Board `json:"board"`
	Score       int64       `json:"score"`
	Moves       int         `json:"moves"`         // moves made and not undone
	Undone      int         `json:"undone"`        // moves that can be redone
	Over        bool        `json:"over"`          // no move is left
	Won         bool        `json:"won"`           // the winning tile was reached
	PausedOnWin bool        `json:"paused_on_win"` // waits for game.keep or an undo
	Step        *Step       `json:"step"`          // the move that led to the board; null if nothing moved
}

// Step is a move, the movement of each tile, and the new tile.
type Step struct {
	Move    board.Direction `json:"move"`
	Reward  int64           `json:"reward"`
	Motions []board.Motion  `json:"motions"`
	Spawn   SpawnedTile     `json:"spawn"`
}

// SpawnedTile is a new tile; cells are row-major from 0.
type SpawnedTile struct {
	Cell int   `json:"cell"`
	Tile int64 `json:"tile"`
}

// MoveGame is the params of game.move.
type MoveGame struct {
	Move board.Direction `json:"move" param:"required"`
}

// GameRecord is the result of game.record, game.replay and watch.record: a game as one line in the format of
// package rules/record, as Review accepts it.
type GameRecord struct {
	Record string `json:"record"`
}
