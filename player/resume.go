package player

import (
	"errors"
	"fmt"

	"afterstate/board"
	"afterstate/game"
	"afterstate/game/record"
)

// Resume plays a record again so that the game can go on: unlike record's own replay
// with a spawner that knows what comes after, and with a win that can be asked about.
// The rule must be that of the record. The game waits if the record's last move won it.
func Resume(r record.Record, rule SpawnRule) (*game.Game, error) {
	again := &resumed{Spawner: rule.New(r.Seed, r.Game), script: game.Scripted{Spawns: r.Spawns}}
	g, err := game.New(game.Options{Size: r.Board.Size(), Spawner: again})
	if err != nil {
		return nil, err
	}
	for i, d := range r.Moves {
		if g.Waiting() {
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

// resumed spawns the tiles of a record as long as it has one, then those of its
// rule. Rules other than the random one depend on the board alone, so nothing is
// missed when they are not asked for the tiles of the record.
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
