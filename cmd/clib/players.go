//go:build clib

package main

/*
#include <stdint.h>
*/
import "C"

import (
	"context"
	"fmt"
	"math"
	"runtime"
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
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// capabilities are those of the command line (cli/internal/program), except that specs may not
// start programs: callers can do that themselves.
func capabilities() catalog.Capabilities {
	return catalog.Capabilities{ReadFile: catalog.ReadFile, Networks: networks.Find, Trusted: true}
}

// networks resolves training runs, model files, raw or quantized, and the embedded network.
var networks = models.Library{Files: true, Run: func(run string) (string, error) {
	path, err := checkpoint(run)
	if err != nil {
		err = fmt.Errorf(`%w; a file is model="FILE", in double quotes`, err)
	}
	return path, err
}}

// Errors about sizes that are not solved name Python's way.
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

// checkpoint returns the file of a run's network.
func checkpoint(run string) (string, error) {
	folder, err := runs.Default()
	if err != nil {
		return "", err
	}
	return folder.Checkpoint(run)
}

// question is a batch of boards for a player, and the arrays for its results.
type question struct {
	maker  catalog.Maker
	seed   uint64
	first  uint64 // game number of the first board
	size   board.Size
	boards []uint8 // exponents
	scores []int64 // nil: all 0
	moves  []int8  // -1 if no move is legal
	values [][4]float64
	points atomic.Bool // the values are in points
}

// afterstate_decide starts deciding n boards with a player, using the given number of threads (0:
// all cores). Board i is treated as the beginning of game number first + i of the seed. It writes
// the moves, -1 on boards without a legal one, and, unless values is NULL, the value of each move:
// NaN if illegal or unknown, minus infinity if lost. points is set to 1 if values are in points
// still to come, 0 for another scale. The arrays must stay valid until afterstate_call_end, which
// returns NULL or an error.
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
	return errorText(callOf(handle).begin(func(ctx context.Context) *C.char {
		if !q.size.Valid() {
			return errorText(sizeError(q.size))
		}
		q.boards = slice[uint8](boards, int(n)*q.size.Cells())
		q.scores = slice[int64](scores, some(scores, int(n)))
		q.moves = slice[int8](moves, int(n))
		q.values = slice[[4]float64](values, some(values, int(n)))
		if err := q.choose(name, players); err != nil {
			return errorText(err)
		}
		err := q.ask(ctx, players)
		*points = 0
		if q.points.Load() {
			*points = 1
		}
		return errorText(err)
	}, errorText))
}

// choose parses the player's spec and checks that there is memory for that many players.
func (q *question) choose(spec string, players int) (err error) {
	if q.maker, err = catalog.Parse(spec, capabilities()); err == nil && q.maker.Foresees {
		err = errForesees
	}
	if err != nil {
		return fmt.Errorf("player: %w", err)
	}
	if needed := memory.Times(int64(players), q.maker.Memory); needed > 0 {
		return memory.Check(needed)
	}
	return nil
}

// ask evaluates the boards with the given number of players in parallel. The first error stops it.
func (q *question) ask(ctx context.Context, threads int) error {
	drivers := make([]player.Driver, threads)
	for i := range drivers {
		drivers[i].Player = q.maker.New()
		defer drivers[i].Close()
	}
	return workers.Each(ctx, threads, len(q.moves), func(ctx context.Context, worker, i int) error {
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
			return fmt.Errorf("score %d: want 0 to %d", ask.Score, int64(env.MaxScore))
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
