package wire

import "afterstate/board"

// Methods of watched games. MethodFrame is a notification to their viewers.
const (
	MethodWatchStart  = "watch.start"
	MethodWatchList   = "watch.list"
	MethodWatchJoin   = "watch.join"
	MethodWatchLeave  = "watch.leave"
	MethodWatchSet    = "watch.set"
	MethodWatchStep   = "watch.step"
	MethodWatchBack   = "watch.back"
	MethodWatchMove   = "watch.move"
	MethodWatchRecord = "watch.record"
	MethodFrame       = "watch.frame"
)

// StartWatch is the params of watch.start.
type StartWatch struct {
	Player  string      `json:"player,omitempty"`      // a spec; empty: the server's default
	Size    board.Size  `json:"size" ts:"?"`           // zero: 4x4
	Start   board.Board `json:"start,omitzero" ts:"?"` // the board to begin from, of any size; zero: two spawned tiles
	Spawn   string      `json:"spawn,omitempty"`       // a spawn rule's spec; empty: random
	Seed    uint64      `json:"seed" ts:"?"`
	Game    uint64      `json:"game,omitempty"`
	Until   int64       `json:"until,omitempty"`    // tile to stop at; 0: none
	Speed   float64     `json:"moves_per_s" ts:"?"` // 0: unlimited
	Running bool        `json:"running" ts:"?"`     // false: the game begins paused
}

// ReadParams reads the params of watch.start.
func (p *StartWatch) ReadParams(params []byte) error {
	p.Running = true
	var seed, game *uint64
	err := readParams(MethodWatchStart, params,
		field{"player", optional, readString(&p.Player)},
		field{"size", optional, readSize(&p.Size)},
		field{"start", optional, readBoard(&p.Start)},
		field{"spawn", optional, readString(&p.Spawn)},
		field{"seed", optional, readSeed(&seed)},
		field{"game", optional, readSeed(&game)},
		field{"until", optional, readTile(&p.Until)},
		field{"moves_per_s", optional, readSpeed(&p.Speed)},
		field{"running", optional, readBool(&p.Running)},
	)
	if seed != nil {
		p.Seed = *seed
	}
	if game != nil {
		p.Game = *game
	}
	return err
}

// WatchKey is the result of watch.start. The key authorizes steering the game.
type WatchKey struct {
	ID  string `json:"id"`
	Key string `json:"key"`
}

// WatchRef is the params of watch.join, watch.leave and watch.record, and with a key of watch.step
// and watch.back.
type WatchRef struct {
	ID  string `json:"id"`
	Key string `json:"key,omitempty"`
}

// ReadParams reads the params of a method that takes an id, and a key if it steers the game.
func (p *WatchRef) ReadParams(method string, params []byte, steers bool) error {
	fields := []field{{"id", required, readString(&p.ID)}}
	if steers {
		fields = append(fields, field{"key", required, readString(&p.Key)})
	}
	return readParams(method, params, fields...)
}

// SetWatch is the params of watch.set.
type SetWatch struct {
	WatchRef
	Running *bool    `json:"running,omitempty"`     // nil: unchanged
	Speed   *float64 `json:"moves_per_s,omitempty"` // 0: unlimited; nil: unchanged
}

// ReadParams reads the params of watch.set.
func (p *SetWatch) ReadParams(params []byte) error {
	var running bool
	var speed float64
	return readParams(MethodWatchSet, params,
		field{"id", required, readString(&p.ID)},
		field{"key", required, readString(&p.Key)},
		field{"running", optional, func(value []byte) error { p.Running = &running; return readBool(&running)(value) }},
		field{"moves_per_s", optional, func(value []byte) error { p.Speed = &speed; return readSpeed(&speed)(value) }},
	)
}

// MoveWatch is the params of watch.move.
type MoveWatch struct {
	WatchRef
	Move board.Direction `json:"move"`
}

// ReadParams reads the params of watch.move.
func (p *MoveWatch) ReadParams(params []byte) error {
	move := &p.Move
	err := readParams(MethodWatchMove, params,
		field{"id", required, readString(&p.ID)},
		field{"key", required, readString(&p.Key)},
		field{"move", required, readMove(&move)},
	)
	p.Move = *move
	return err
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
	Reached         bool        `json:"reached"`           // the tile to stop at
	FirstManualMove int         `json:"first_manual_move"` // the first manual move, counted from 1; 0: none
	TargetSpeed     float64     `json:"target_moves_per_s"`
	Speed           *float64    `json:"moves_per_s"`      // measured; null if too little was measured
	DecisionCurrent bool        `json:"decision_current"` // decision is about board
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
