package record

import (
	"errors"
	"fmt"

	"afterstate/board"
	"afterstate/game"
)

// Resume replays the record so that the game can continue. Unlike [Record.Replay] it takes the
// spawner for the moves to come, which must be new and of the record's rule and seed, and the game
// stops at the winning tile if stopAtWin is set: after a record whose last move won, it is paused.
func (r Record) Resume(spawner game.Spawner, stopAtWin bool) (*game.Game, error) {
	again := &resumed{Spawner: spawner, script: game.Scripted{Spawns: r.Spawns}}
	o := r.options(again)
	o.StopAtWin = stopAtWin
	g, err := game.New(o)
	if err != nil {
		return nil, err
	}
	for i, d := range r.Moves {
		if g.PausedOnWin() {
			g.KeepPlaying()
		}
		if err := g.Move(d); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	if g.Board() != r.Board || g.Score() != r.Score {
		return nil, errors.New("board and score are not those that the moves lead to")
	}
	again.script.Spawns = nil
	return g, nil
}

// resumed spawns the tiles of a record while there are any, then those of its rule. Rules other
// than Random depend on the board alone, so they need not be called for the record's tiles.
type resumed struct {
	game.Spawner
	script game.Scripted
}

func (r *resumed) Spawn(b *board.Board) (game.Spawn, error) {
	if r.script.Spawns != nil {
		return r.script.Spawn(b)
	}
	return r.Spawner.Spawn(b)
}
