package arena

import (
	"context"
	"fmt"
	"time"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// gameRunner plays games of one seed, in one goroutine.
type gameRunner struct {
	Setup
	spawner func(seed, index uint64) game.Spawner

	driver player.Driver     // of the last game
	moved  []board.Direction // its moves
}

// play plays one game. Its time runs from the first decision to the last one, the game's own work
// included; preparing players is not. A forfeited game ends at the board it had.
func (t *gameRunner) play(ctx context.Context, p player.Player, index uint64) (*game.Game, Outcome, error) {
	t.moved = t.moved[:0]
	o := game.Options{Size: t.Size, Spawner: t.spawner(t.Seed, index)}
	if t.Starts != nil {
		o.Board = t.Starts.of(index).Board
	}
	g, err := game.New(o)
	if err != nil {
		return nil, Outcome{}, err
	}
	t.driver = player.Driver{Player: p, Game: g, Stop: t.Stop}
	err = t.driver.Begin(ctx, t.Seed, index)
	start := time.Now()
	if err == nil {
		err = t.moves(ctx)
	}
	lost := player.Forfeited(ctx, err)
	if err != nil && lost == nil {
		return nil, Outcome{}, err
	}
	b := g.Board()
	out := Outcome{
		Seed: t.Seed, Index: index, Score: g.Score(), Largest: b.Largest(),
		Moves: g.Moves(), Sum: b.Sum(), Elapsed: time.Since(start),
	}
	if lost != nil {
		out.Forfeit = *lost
	}
	return g, out, nil
}

// moves plays the game's moves to its end.
func (t *gameRunner) moves(ctx context.Context) error {
	d := &t.driver
	for {
		moved, err := d.Move(ctx)
		switch {
		case err != nil && err == ctx.Err():
			return err
		case err != nil:
			return fmt.Errorf("move %d on board %v: %w", d.Game.Moves()+1, d.Game.Board(), err)
		case !moved:
			return nil
		}
		t.moved = append(t.moved, d.Decision.Move)
	}
}
