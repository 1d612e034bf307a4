//go:build clib

package main

/*
#include <stdint.h>

// The state of a game; see afterstate_game_state.
typedef struct {
	int64_t score;
	int64_t moves;
	uint8_t legal[4]; // by direction, 0 or 1
	uint8_t won;      // a 2048 was made
} afterstate_game;
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime/cgo"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// played is a game that a program plays move by move.
type played struct {
	*game.Game
	meta record.Meta
}

func playedOf(handle C.uintptr_t) *played { return objectOf[*played](handle) }

// gameOptions is the JSON form of a new game.
type gameOptions struct {
	Size  board.Size  `json:"size"`
	P4    float64     `json:"p4"`
	Seed  uint64      `json:"seed"`
	Game  uint64      `json:"game"`
	Board board.Board `json:"board"` // to begin from, in place of two spawns
}

// afterstate_game_new begins a game that does not stop at 2048. The options are JSON:
// {"size":"4x4","p4":0.1,"seed":1,"game":0}, and "board" to begin from, as rows of tile values.
//
//export afterstate_game_new
func afterstate_game_new(options *C.char, handle *C.uintptr_t) (text *C.char) {
	defer guard(&text)
	var o gameOptions
	if err := decode(C.GoString(options), &o); err != nil {
		return errorText(err)
	}
	if !(o.P4 >= 0 && o.P4 <= 1) {
		return errorText(fmt.Errorf("p4 is %v: want the probability of a 4, from 0 to 1", o.P4))
	}
	g, err := game.New(game.Options{Size: o.Size, Board: o.Board, Spawner: game.NewRandom(o.Seed, o.Game, o.P4)})
	if err != nil {
		return errorText(err)
	}
	meta := record.Meta{Spawn: record.Random, P4: o.P4, Seed: o.Seed, Game: o.Game}
	*handle = C.uintptr_t(cgo.NewHandle(&played{g, meta}))
	return nil
}

// afterstate_game_open replays a record with random spawns, a line of JSON, and continues its game.
// size gets its rows and columns.
//
//export afterstate_game_open
func afterstate_game_open(line *C.char, handle *C.uintptr_t, size *C.int32_t) (text *C.char) {
	defer guard(&text)
	r, err := record.Parse([]byte(C.GoString(line)))
	if err != nil {
		return errorText(fmt.Errorf("record: %w", err))
	}
	if r.Spawn != record.Random {
		return errorText(fmt.Errorf("record: its tiles are of the rule %s: want a game with random tiles", r.Spawn))
	}
	g, err := r.Resume(game.NewRandom(r.Seed, r.Game, r.P4), false)
	if err != nil {
		return errorText(fmt.Errorf("record: %w", err))
	}
	sides := slice[int32](size, 2)
	sides[0], sides[1] = int32(r.Board.Size().Rows), int32(r.Board.Size().Cols)
	*handle = C.uintptr_t(cgo.NewHandle(&played{g, r.Meta}))
	return nil
}

// afterstate_game_free frees a game.
//
//export afterstate_game_free
func afterstate_game_free(handle C.uintptr_t) (text *C.char) {
	defer guard(&text)
	cgo.Handle(handle).Delete()
	return nil
}

// afterstate_game_move makes a move and spawns a tile. An illegal move is an error and changes
// nothing.
//
//export afterstate_game_move
func afterstate_game_move(handle C.uintptr_t, direction C.int32_t) (text *C.char) {
	defer guard(&text)
	if direction < 0 || direction > 3 {
		return errorText(fmt.Errorf("move %d: want 0 up, 1 right, 2 down or 3 left", direction))
	}
	g := playedOf(handle)
	d := board.Direction(direction)
	err := g.Move(d)
	switch {
	case errors.Is(err, game.ErrIllegal):
		err = fmt.Errorf("%v moves no tile of %v", d, g.Board())
	case errors.Is(err, game.ErrOver):
		err = fmt.Errorf("no move is legal on %v: the game is over", g.Board())
	}
	return errorText(err)
}

// afterstate_game_back undoes the given number of moves, or redoes them if it is negative, and sets
// it to the number of those that there were.
//
//export afterstate_game_back
func afterstate_game_back(handle C.uintptr_t, moves *C.int64_t) (text *C.char) {
	defer guard(&text)
	g := playedOf(handle)
	step, wanted := g.Undo, int64(*moves)
	if wanted < 0 {
		step, wanted = g.Redo, -max(wanted, -math.MaxInt64)
	}
	*moves = 0
	for range wanted {
		if !step() {
			break
		}
		*moves++
	}
	return nil
}

// afterstate_game_state writes the board, one byte a cell, and the rest of the state.
//
//export afterstate_game_state
func afterstate_game_state(handle C.uintptr_t, cells *C.uint8_t, state *C.afterstate_game) (text *C.char) {
	defer guard(&text)
	g := playedOf(handle)
	b := g.Board()
	writeBoard(&b, slice[uint8](cells, b.Size().Cells()))
	state.score, state.moves, state.won = C.int64_t(g.Score()), C.int64_t(g.Moves()), 0
	if g.Won() {
		state.won = 1
	}
	var all [4]board.Afterstate
	b.Afterstates(&all)
	for d := range all {
		state.legal[d] = 0
		if all[d].Moved {
			state.legal[d] = 1
		}
	}
	return nil
}

// afterstate_game_record writes the game as a record, a line of JSON without a newline, to free.
//
//export afterstate_game_record
func afterstate_game_record(handle C.uintptr_t, player *C.char, line **C.char) (text *C.char) {
	defer guard(&text)
	g := playedOf(handle)
	meta := g.meta
	meta.Player = C.GoString(player)
	data, err := record.Of(g.Game, meta).AppendJSON(nil)
	if err != nil {
		return errorText(err)
	}
	*line = C.CString(string(data))
	return nil
}
