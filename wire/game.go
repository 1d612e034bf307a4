package wire

import "afterstate/board"

// Methods of a game that a person plays; a connection has one game at most.
const (
	MethodGameOpen   = "game.open"
	MethodGameMove   = "game.move"
	MethodGameUndo   = "game.undo"
	MethodGameRedo   = "game.redo"
	MethodGameKeep   = "game.keep"
	MethodGameRecord = "game.record"
)

// OpenGame is the params of game.open: all that a game follows from. Without moves it
// is a new game.
type OpenGame struct {
	Size      board.Size `json:"size" ts:"?"`       // zero: 4x4
	Spawn     string     `json:"spawn,omitempty"`   // a spawn rule's spec; empty: random
	Seed      uint64     `json:"seed" ts:"?"`       //
	Game      uint64     `json:"game,omitempty"`    // number of the game within the seed
	Moves     string     `json:"moves,omitempty"`   // packed as in records, base64 of either alphabet
	MoveCount int        `json:"move_count" ts:"?"` //
	Undone    int        `json:"undone,omitempty"`  // how many of the last moves are taken back
	Keep      bool       `json:"keep,omitempty"`    // play on after the win
}

// ReadParams reads the params of game.open.
func (p *OpenGame) ReadParams(params []byte) error {
	var seed, game *uint64
	err := readParams(MethodGameOpen, params,
		field{"size", optional, readSize(&p.Size)},
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

// GameState is the result of the game's methods but game.record.
type GameState struct {
	Board       board.Board `json:"board"`
	Score       int64       `json:"score"`
	Moves       int         `json:"moves"`         // made and not taken back
	Undone      int         `json:"undone"`        // that can be made again
	Over        bool        `json:"over"`          // no move is left
	Won         bool        `json:"won"`           // the winning tile was made
	PausedOnWin bool        `json:"paused_on_win"` // for game.keep, or for moves to be taken back
	Step        *Step       `json:"step"`          // how the board came about; null if nothing moved
}

// Step is a move, the way of each tile, and the tile that followed.
type Step struct {
	Move    board.Direction `json:"move"`
	Reward  int64           `json:"reward"`
	Motions []board.Motion  `json:"motions"`
	Spawn   SpawnedTile     `json:"spawn"`
}

// SpawnedTile is a new tile; its cell is counted row by row from 0.
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

// GameRecord is the result of game.record and watch.record: a game as a line of the format
// of package game/record. Review takes such a line.
type GameRecord struct {
	Record string `json:"record"`
}
