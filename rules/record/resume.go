package record

import (
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Resume replays the record so that the game can continue. Unlike [Record.Replay] it takes the
// spawner for the moves to come, which must be new and of the record's rule and seed, and the game
// stops at the winning tile if stopAtWin is set: after a record whose last move won, it is paused.
func (r Record) Resume(spawner game.Spawner, stopAtWin bool) (*game.Game, error) {
	again := &resumed{Spawner: spawner, script: game.Scripted{Spawns: r.Spawns}}
	g, err := r.play(again, stopAtWin)
	again.script.Spawns = nil
	return g, err
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
