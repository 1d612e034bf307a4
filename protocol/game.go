package protocol

import "github.com/afterstate2048/afterstate/rules/board"

// OpenGame is the params of game.open and game.replay: all data that determines a game. Without moves
// game.open starts a new game.
type OpenGame struct {
	Size      board.Size  `json:"size" param:""`                            // zero: 4x4
	Start     board.Board `json:"start,omitzero" param:""`                  // the board to begin from, of any size; zero: two spawned tiles
	Spawn     string      `json:"spawn,omitempty" param:""`                 // a spawn rule's spec; empty: random
	Seed      uint64      `json:"seed" param:""`                            //
	Game      uint64      `json:"game,omitempty" param:""`                  // number of the game within the seed
	Moves     string      `json:"moves,omitempty" param:""`                 // packed as in records; base64 of either alphabet
	MoveCount int         `json:"move_count" param:"" range:"0:2^18"`       //
	Undone    int         `json:"undone,omitempty" param:"" range:"0:2^18"` // number of last moves that are undone
	Times     string      `json:"times,omitempty" param:""`                 // of all moves, packed as in records; empty: not known
	Keep      bool        `json:"keep,omitempty" param:""`                  // the game continues after the win
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
	Move board.Direction `json:"move" param:"required" want:"up, right, down or left"`
	// Time is how long the move took, for the record; nil: unknown.
	Time *int64 `json:"ms,omitempty" param:"" range:"0:2^40"`
}

// GameRecord is the result of game.record, game.replay and watch.record: a game as one line in the format of
// package rules/record, as Review accepts it.
type GameRecord struct {
	Record string `json:"record"`
}

// StartWatch is the params of watch.start.
type StartWatch struct {
	Player  string      `json:"player,omitempty" param:""` // a spec; empty: the server's default
	Size    board.Size  `json:"size" param:""`             // zero: 4x4
	Start   board.Board `json:"start,omitzero" param:""`   // the board to begin from, of any size; zero: two spawned tiles
	Spawn   string      `json:"spawn,omitempty" param:""`  // a spawn rule's spec; empty: random
	Seed    uint64      `json:"seed" param:""`
	Game    uint64      `json:"game,omitempty" param:""`
	Until   int64       `json:"until,omitempty" param:"" range:"0|tile:2:2^48"` // tile to stop at; 0: none
	Speed   float64     `json:"moves_per_s" param:"" range:"0|0.1:1000"`        // 0: unlimited
	Running bool        `json:"running" param:"" default:"true"`                // false: the game begins paused
}

// WatchKey is the result of watch.start, and the params of watch.step and watch.back. The key authorizes
// steering the game.
type WatchKey struct {
	ID  string `json:"id" param:"required"`
	Key string `json:"key" param:"required"`
}

// Steers returns the key, also for structs that embed it.
func (k *WatchKey) Steers() *WatchKey { return k }

// WatchRef is the params of watch.join, watch.leave and watch.record.
type WatchRef struct {
	ID string `json:"id" param:"required"`
}

// LinkWatch is the params of watch.links.
type LinkWatch struct {
	WatchRef
	Origin string `json:"origin,omitempty" param:""` // of the page in the client's browser, if any
}

// WatchLinks is the result of watch.links: addresses at which other devices follow the game, the most useful first. There
// are none if only this machine reaches the server.
type WatchLinks struct {
	Links []WatchLink `json:"links"`
}

// WatchLink is an address with its QR code: for each row a string of 0s and 1s, where 1 is black.
type WatchLink struct {
	Address string   `json:"address"`
	QR      []string `json:"qr"`
}

// SetWatch is the params of watch.set.
type SetWatch struct {
	WatchKey
	Running *bool    `json:"running,omitempty" param:""`                        // nil: unchanged
	Speed   *float64 `json:"moves_per_s,omitempty" param:"" range:"0|0.1:1000"` // 0: unlimited; nil: unchanged
	// Player is the spec of the player that takes over the game; empty: unchanged.
	Player string `json:"player,omitempty" param:""`
}

// MoveWatch is the params of watch.move.
type MoveWatch struct {
	WatchKey
	Move board.Direction `json:"move" param:"required" want:"up, right, down or left"`
}

// Frame is the state of a watched game: the params of watch.frame.
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
	Reached         bool        `json:"reached"`           // the tile to stop at was made
	FirstManualMove int         `json:"first_manual_move"` // the first manual move, counted from 1; 0: none
	TargetSpeed     float64     `json:"target_moves_per_s"`
	Speed           *float64    `json:"moves_per_s"`      // measured speed; null if not known
	DecisionCurrent bool        `json:"decision_current"` // decision is for board
	Decision        *Decision   `json:"decision"`         // null before the first one
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

// WatchList is the result of watch.list.
type WatchList struct {
	Games []WatchInfo `json:"games"`
}
