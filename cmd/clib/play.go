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
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/cgo"
	"sync/atomic"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/internal/memory"
	"github.com/afterstate2048/afterstate/internal/workers"
	"github.com/afterstate2048/afterstate/learn/runs"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// played is a game that the caller plays move by move.
type played struct {
	*game.Game
	meta record.Meta
}

// gameOptions is the JSON form of the options for a new game.
type gameOptions struct {
	Size  board.Size  `json:"size"`
	P4    float64     `json:"p4"`
	Seed  uint64      `json:"seed"`
	Game  uint64      `json:"game"`
	Board board.Board `json:"board"` // start board in place of two spawns
}

// afterstate_game_new starts a game that does not stop at 2048. The options are JSON:
// {"size":"4x4","p4":0.1,"seed":1,"game":0}, and optionally "board", a start board as rows of tile values.
//
//export afterstate_game_new
func afterstate_game_new(options *C.char, handle *C.uintptr_t) (text *C.char) {
	defer guard(&text)
	var o gameOptions
	if err := decode(C.GoString(options), &o); err != nil {
		return errorText(err)
	}
	if !(o.P4 >= 0 && o.P4 <= 1) {
		return errorText(fmt.Errorf("p4 is %v: must be the probability of a 4, from 0 to 1", o.P4))
	}
	g, err := game.New(game.Options{Size: o.Size, Board: o.Board, Spawner: game.NewRandom(o.Seed, o.Game, o.P4)})
	if err != nil {
		return errorText(err)
	}
	meta := record.Meta{Spawn: record.Random, P4: o.P4, Seed: o.Seed, Game: o.Game}
	*handle = C.uintptr_t(cgo.NewHandle(&played{g, meta}))
	return nil
}

// afterstate_game_open replays a record with random spawns, a line of JSON, and continues its game. It sets size[0] and
// size[1] to the numbers of rows and columns.
//
//export afterstate_game_open
func afterstate_game_open(line *C.char, handle *C.uintptr_t, size *C.int32_t) (text *C.char) {
	defer guard(&text)
	r, err := record.Parse([]byte(C.GoString(line)))
	if err != nil {
		return errorText(fmt.Errorf("record: %w", err))
	}
	if r.Spawn != record.Random {
		return errorText(fmt.Errorf("record: its spawn rule is %s: must be random", r.Spawn))
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
		return errorText(fmt.Errorf("move %d: must be 0 up, 1 right, 2 down or 3 left", direction))
	}
	g := objectOf[*played](handle)
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

// afterstate_game_back undoes *moves moves, or redoes moves if *moves is negative. It sets *moves to the number
// of moves that it undid or redid.
//
//export afterstate_game_back
func afterstate_game_back(handle C.uintptr_t, moves *C.int64_t) (text *C.char) {
	defer guard(&text)
	g := objectOf[*played](handle)
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

// afterstate_game_state writes the board, one byte per cell, and the fields of state.
//
//export afterstate_game_state
func afterstate_game_state(handle C.uintptr_t, cells *C.uint8_t, state *C.afterstate_game) (text *C.char) {
	defer guard(&text)
	g := objectOf[*played](handle)
	b := g.Board()
	writeBoard(&b, slice[uint8](cells, b.Size().Cells()))
	state.score, state.moves, state.won = C.int64_t(g.Score()), C.int64_t(g.Moves()), 0
	if g.Won() {
		state.won = 1
	}
	var all [4]board.Afterstate
	b.Afterstates(&all)
	legal := slice[bool](&state.legal[0], 4)
	for d := range all {
		legal[d] = all[d].Moved
	}
	return nil
}

// afterstate_game_record sets line to the record of the game, a line of JSON without a newline,
// which the caller frees. player is the player's name in the record.
//
//export afterstate_game_record
func afterstate_game_record(handle C.uintptr_t, player *C.char, line **C.char) (text *C.char) {
	defer guard(&text)
	g := objectOf[*played](handle)
	meta := g.meta
	meta.Player = C.GoString(player)
	data, err := record.Of(g.Game, meta).MarshalJSON()
	return answerText(line, string(data), err)
}

// capabilities returns what specs may use: as on the command line (cli/internal/program), except that they may not
// start programs or connect to them, which callers can do themselves.
func capabilities() catalog.Capabilities {
	return catalog.Capabilities{ReadFile: catalog.ReadFile, Networks: findNetwork, Trusted: true}
}

// networks finds the networks that specs name: those of training runs and of raw or quantized model files, and the
// embedded network.
var networks = models.Library{Files: true, Run: func(run string) (string, error) {
	path, err := checkpoint(run)
	if err != nil {
		err = fmt.Errorf(`%w; to name a file, write model="FILE", with the double quotes`, err)
	}
	return path, err
}}

// Errors about sizes that are not solved must name the Python call that solves them.
func init() {
	solve.HowTo = func(p solve.Problem) string {
		call := fmt.Sprintf("afterstate2048.solve(%q", p.Size)
		if p.Goal != 0 {
			call += fmt.Sprintf(", goal=%d", p.Goal)
		}
		if p.Spawn != solve.Random {
			return call + fmt.Sprintf(", spawn=%q)", p.Spawn)
		}
		if p.P4 != 0.1 {
			call += fmt.Sprintf(", p4=%v", p.P4)
		}
		return call + ")"
	}
}

// checkpoint returns the path of a training run's network.
func checkpoint(run string) (string, error) {
	folder, err := runs.Default()
	if err != nil {
		return "", err
	}
	return folder.Checkpoint(run)
}

// question is a batch of boards for a player, and the arrays for its results.
type question struct {
	seed   uint64
	first  uint64 // game number of the first board
	size   board.Size
	boards []uint8 // exponents
	scores []int64 // scores of the games; nil: all 0
	moves  []int8  // -1 for a board without a legal move
	values [][4]float64
	points atomic.Bool // the values are in points
}

// afterstate_decide starts deciding n boards with a player, using the given number of threads (0:
// all cores). Board i is treated as the beginning of game number first + i of the seed. It writes
// the moves, -1 on boards without a legal one. Unless values is NULL, it also writes the value of
// each move: NaN if the move is illegal or its value unknown, minus infinity if the move is lost.
// points is set to 1 if values are points still to come, and to 0 if they are on another scale. The
// arrays must stay valid until afterstate_call_end, which returns NULL or an error.
//
//export afterstate_decide
func afterstate_decide(handle C.uintptr_t, spec *C.char, seed, first C.uint64_t, n C.int64_t, rows, cols C.int32_t, boards *C.uint8_t,
	scores *C.int64_t, threads C.int32_t, moves *C.int8_t, values *C.double, points *C.int32_t) (text *C.char) {
	defer guard(&text)
	q := &question{seed: uint64(seed), first: uint64(first), size: board.Size{Rows: int(rows), Cols: int(cols)}}
	name := C.GoString(spec)
	if threads < 1 {
		threads = C.int32_t(runtime.GOMAXPROCS(0))
	}
	players := int(min(C.int64_t(threads), n))
	return errorText(objectOf[*call](handle).begin(func(ctx context.Context) *C.char {
		if !q.size.Valid() {
			return errorText(sizeError(q.size))
		}
		q.boards = slice[uint8](boards, int(n)*q.size.Cells())
		q.scores = optional[int64](scores, int(n))
		q.moves = slice[int8](moves, int(n))
		q.values = optional[[4]float64](values, int(n))
		err := q.ask(ctx, name, players)
		*points = 0
		if q.points.Load() {
			*points = 1
		}
		return errorText(err)
	}, errorText))
}

// ask evaluates the boards with the given number of players in parallel. First it checks that there is memory
// for the players. It stops at the first error.
func (q *question) ask(ctx context.Context, spec string, players int) error {
	maker, err := catalog.Parse(spec, capabilities())
	if err == nil && maker.Foresees {
		err = errors.New("it knows the coming spawns, which are not available here: use another player")
	}
	if err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if needed := memory.Times(int64(players), maker.Memory); needed > 0 {
		if err := memory.Check(needed); err != nil {
			return err
		}
	}
	drivers := make([]player.Driver, players)
	for i := range drivers {
		drivers[i].Player = maker.New()
		defer drivers[i].Close()
	}
	return workers.Each(ctx, players, len(q.moves), func(ctx context.Context, worker, i int) error {
		if err := q.decide(ctx, &drivers[worker], i); err != nil {
			return fmt.Errorf("board %d: %w", q.first+uint64(i), err)
		}
		return nil
	})
}

func (q *question) decide(ctx context.Context, p *player.Driver, i int) error {
	cells := q.size.Cells()
	b, err := boardOf(q.size, q.boards[i*cells:(i+1)*cells])
	if err != nil {
		return err
	}
	p.Start(q.seed, q.first+uint64(i), nil)
	ask := search.NewQuery(b, 0)
	ask.All = q.values != nil
	if q.scores != nil {
		if ask.Score = q.scores[i]; ask.Score < 0 || ask.Score > env.MaxScore {
			return fmt.Errorf("score %d: must be from 0 to %d", ask.Score, int64(env.MaxScore))
		}
	}
	prepare := p.PrepareFor
	if q.values != nil && !b.Terminal() { // a player that is not prepared may omit a value
		prepare = func(ctx context.Context, q *search.Query) error { return p.Prepare(ctx, q.Board.Size()) }
	}
	if err := prepare(ctx, &ask); err != nil {
		return err
	}
	d, err := p.Decide(ctx, ask)
	if err != nil {
		return err
	}
	q.moves[i] = -1
	if d.OK {
		q.moves[i] = int8(d.Move)
	}
	if d.Unit == eval.Points {
		q.points.Store(true)
	}
	if q.values != nil {
		for k, m := range d.Moves {
			if q.values[i][k] = m.Value; !m.Legal {
				q.values[i][k] = math.NaN()
			}
		}
	}
	return nil
}
