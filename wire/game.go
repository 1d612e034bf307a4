package wire

import "afterstate/board"

// Methods of a played game; a connection has at most one.
const (
	MethodGameOpen   = "game.open"
	MethodGameMove   = "game.move"
	MethodGameUndo   = "game.undo"
	MethodGameRedo   = "game.redo"
	MethodGameKeep   = "game.keep"
	MethodGameRecord = "game.record"
)

// OpenGame is the params of game.open: all data that determines a game. Without moves it starts a
// new game.
type OpenGame struct {
	Size      board.Size  `json:"size" ts:"?"`           // zero: 4x4
	Start     board.Board `json:"start,omitzero" ts:"?"` // the board to begin from, of any size; zero: two spawned tiles
	Spawn     string      `json:"spawn,omitempty"`       // a spawn rule's spec; empty: random
	Seed      uint64      `json:"seed" ts:"?"`           //
	Game      uint64      `json:"game,omitempty"`        // number of the game within the seed
	Moves     string      `json:"moves,omitempty"`       // packed as in records; base64 of either alphabet
	MoveCount int         `json:"move_count" ts:"?"`     //
	Undone    int         `json:"undone,omitempty"`      // number of last moves that are undone
	Keep      bool        `json:"keep,omitempty"`        // the game continues after the win
}

// ReadParams reads the params of game.open.
func (p *OpenGame) ReadParams(params []byte) error {
	var seed, game *uint64
	err := readParams(MethodGameOpen, params,
		field{"size", optional, readSize(&p.Size)},
		field{"start", optional, readBoard(&p.Start)},
		field{"spawn", optional, readString(&p.Spawn)},
		field{"seed", optional, readSeed(&seed)},
		field{"game", optional, readSeed(&game)},
		field{"moves", optional, readString(&p.Moves)},
		field{"move_count", optional, readInt(&p.MoveCount, 0, 4*MaxLine)},
		field{"undone", optional, readInt(&p.Undone, 0, 4*MaxLine)},
		field{"keep", optional, readBool(&p.Keep)},
	)
	if seed != nil {
		p.Seed = *seed
	}
	if game != nil {
		p.Game = *game
	}
	return err
}

// GameState is the result of the methods of a played game, except game.record.
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
	Move board.Direction `json:"move"`
}

// ReadParams reads the params of game.move.
func (p *MoveGame) ReadParams(params []byte) error {
	move := &p.Move
	err := readParams(MethodGameMove, params, field{"move", required, readMove(&move)})
	p.Move = *move
	return err
}

// GameRecord is the result of game.record and watch.record: a game as one line in the format of
// package game/record, as Review accepts it.
type GameRecord struct {
	Record string `json:"record"`
}
