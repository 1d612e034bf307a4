package protocol

import "github.com/afterstate2048/afterstate/rules/board"

// OpenGame holds the parameters of the method game.open: all data that determines a game. Without moves, it starts a
// new game.
type OpenGame struct {
	Size board.Size `json:"size" param:""` // zero: 4x4
	// Start is the start board, of any size. If it is zero, the game starts with two spawned tiles.
	Start board.Board `json:"start,omitzero" param:""`
	Spawn string      `json:"spawn,omitempty" param:""` // spec of the spawn rule; empty: random
	Seed  uint64      `json:"seed" param:""`            // seed of the spawn rule
	Game  uint64      `json:"game,omitempty" param:""`  // number of the game within the seed
	// Moves is packed as in records, in standard or URL-safe base64.
	Moves     string `json:"moves,omitempty" param:""`
	MoveCount int    `json:"move_count" param:"" range:"0:2^18"` // number of moves in Moves
}

// GameState is the result of the methods that play a game: all methods game.* except game.record.
type GameState struct {
	Board       board.Board `json:"board"`
	Score       int64       `json:"score"`
	Moves       int         `json:"moves"`         // number of moves made and not undone
	Undone      int         `json:"undone"`        // number of moves that can be redone
	Over        bool        `json:"over"`          // no move is legal
	Won         bool        `json:"won"`           // the winning tile was reached
	PausedOnWin bool        `json:"paused_on_win"` // moves are blocked until game.keep or an undo
	Step        *Step       `json:"step"`          // the move that the method made; null if it made none
}

// Step is a move, the motion of each tile, and the new tile.
type Step struct {
	Move    board.Direction `json:"move"`
	Reward  int64           `json:"reward"`
	Motions []board.Motion  `json:"motions"`
	Spawn   SpawnedTile     `json:"spawn"`
}

// SpawnedTile is a new tile. Cells are numbered row by row from 0.
type SpawnedTile struct {
	Cell int   `json:"cell"`
	Tile int64 `json:"tile"`
}

// MoveGame holds the parameters of the method game.move.
type MoveGame struct {
	Move board.Direction `json:"move" param:"required" want:"up, right, down or left"`
	// Time is how long the move took, in milliseconds, for the record. Nil means unknown.
	Time *int64 `json:"ms,omitempty" param:"" range:"0:2^40"`
}

// GameRecord is the result of the methods game.record and watch.record: a game as one line in the format of
// package rules/record. The methods review.* accept it.
type GameRecord struct {
	Record string `json:"record"`
}

// StartWatch holds the parameters of the method watch.start.
type StartWatch struct {
	Player string     `json:"player,omitempty" param:""` // the player's spec; empty: the server's default
	Size   board.Size `json:"size" param:""`             // zero: 4x4
	// Start is the start board, of any size. If it is zero, the game starts with two spawned tiles.
	Start   board.Board `json:"start,omitzero" param:""`
	Spawn   string      `json:"spawn,omitempty" param:""` // spec of the spawn rule; empty: random
	Seed    uint64      `json:"seed" param:""`
	Game    uint64      `json:"game,omitempty" param:""`
	Until   int64       `json:"until,omitempty" param:"" range:"0|tile:2:2^48"` // tile at which the game stops; 0: none
	Speed   float64     `json:"moves_per_s" param:"" range:"0|0.1:1000"`        // moves per second; 0: unlimited
	Running bool        `json:"running" param:"" default:"true"`                // false: the game starts paused
}

// WatchKey is the result of the method watch.start, and holds the parameters of the methods
// watch.step and watch.back. Its key authorizes the client to control the game.
type WatchKey struct {
	ID  string `json:"id" param:"required"`
	Key string `json:"key" param:"required"`
}

// Steers returns the WatchKey itself. Structs that embed WatchKey inherit this method; the server calls it to get the
// key.
func (k *WatchKey) Steers() *WatchKey { return k }

// WatchRef holds the parameters of the methods watch.join, watch.leave and watch.record.
type WatchRef struct {
	ID string `json:"id" param:"required"`
}

// LinkWatch holds the parameters of the method watch.links.
type LinkWatch struct {
	WatchRef
	Origin string `json:"origin,omitempty" param:""` // origin of the page in the client's browser; empty: not known
}

// WatchLinks is the result of the method watch.links: addresses at which other devices can follow the game, the most
// useful first. The list is empty if no other device can reach the server.
type WatchLinks struct {
	Links []WatchLink `json:"links"`
}

// WatchLink is an address with its QR code. QR contains a string of 0s and 1s for each row, where 1
// is black.
type WatchLink struct {
	Address string   `json:"address"`
	QR      []string `json:"qr"`
}

// SetWatch holds the parameters of the method watch.set.
type SetWatch struct {
	WatchKey
	Running *bool    `json:"running,omitempty" param:""`                        // nil: unchanged
	Speed   *float64 `json:"moves_per_s,omitempty" param:"" range:"0|0.1:1000"` // 0: unlimited; nil: unchanged
	// Player is the spec of the player that takes over the game. Empty means unchanged.
	Player string `json:"player,omitempty" param:""`
}

// MoveWatch holds the parameters of the method watch.move.
type MoveWatch struct {
	WatchKey
	Move board.Direction `json:"move" param:"required" want:"up, right, down or left"`
}

// Frame is the state of a watched game. It holds the parameters of the notification watch.frame.
type Frame struct {
	ID              string      `json:"id"`
	Player          string      `json:"player"`
	Spawn           string      `json:"spawn"`
	Seed            uint64      `json:"seed"`
	Board           board.Board `json:"board"`
	Score           int64       `json:"score"`
	Moves           int         `json:"moves"`
	Running         bool        `json:"running"`
	Over            bool        `json:"over"`
	Reached         bool        `json:"reached"`           // the tile at which the game stops was made
	FirstManualMove int         `json:"first_manual_move"` // number of the first manual move, counted from 1; 0: none
	TargetSpeed     float64     `json:"target_moves_per_s"`
	Speed           *float64    `json:"moves_per_s"`      // measured speed; null if not known
	DecisionCurrent bool        `json:"decision_current"` // the decision is for the current board
	Decision        *Decision   `json:"decision"`         // null before the first decision
	Step            *Step       `json:"step"`             // null if moves are too fast to be shown
	Watchers        int         `json:"watchers"`
	Loading         bool        `json:"loading,omitempty"` // the player's network is being loaded
	Error           string      `json:"error,omitempty"`   // why the game stopped
	PausedIdle      bool        `json:"paused_idle,omitempty"`
}

// WatchInfo is a game in the result of watch.list.
type WatchInfo struct {
	ID       string      `json:"id"`
	Player   string      `json:"player"`
	Size     board.Size  `json:"size"`
	Score    int64       `json:"score"`
	Board    board.Board `json:"board"`
	Over     bool        `json:"over"`
	Watchers int         `json:"watchers"`
}

// WatchList is the result of the method watch.list.
type WatchList struct {
	Games []WatchInfo `json:"games"`
}
