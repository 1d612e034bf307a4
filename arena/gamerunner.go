package arena

import (
	"context"
	"fmt"
	"time"

	"afterstate/board"
	"afterstate/game"
	"afterstate/player"
	"afterstate/solve"
)

// gameRunner plays games of one seed, in one goroutine.
type gameRunner struct {
	Setup
	spawner func(seed, index uint64) (game.Spawner, error)

	exact *solve.Table // nil: moves are not judged

	driver player.Driver     // of the last game
	moved  []board.Direction // its moves
	boards []board.Board     // on which it made them; only if moves are judged
}

// play plays one game. Its time runs from the first decision to the last one, the game's own work
// included; preparing players is not. A forfeited game ends at the board it had.
func (t *gameRunner) play(ctx context.Context, p player.Player, index uint64) (*game.Game, Game, error) {
	spawner, err := t.spawner(t.Seed, index)
	if err != nil {
		return nil, Game{}, err
	}
	t.moved, t.boards = t.moved[:0], t.boards[:0]
	o := game.Options{Size: t.Size, Spawner: spawner}
	if t.Starts != nil {
		o.Board = t.Starts.of(index).Board
	}
	g, err := game.New(o)
	if err != nil {
		return nil, Game{}, err
	}
	t.driver = player.Driver{Player: p, Game: g, Stop: t.Stop}
	err = t.driver.Begin(ctx, t.Seed, index)
	start := time.Now()
	if err == nil {
		err = t.moves(ctx)
	}
	lost := player.Forfeited(ctx, err)
	if err != nil && lost == nil {
		return nil, Game{}, err
	}
	b := g.Board()
	out := Game{
		Seed: t.Seed, Index: index, Score: g.Score(), Largest: b.Largest(),
		Moves: g.Moves(), Sum: b.Sum(), Elapsed: time.Since(start),
	}
	if lost != nil {
		out.Forfeit = *lost
	}
	if t.exact != nil { // after the game, so that it does not count as the player's time
		if out.Regret, err = regret(t.exact, t.boards, t.moved); err != nil {
			return nil, Game{}, err
		}
	}
	return g, out, nil
}

// moves plays the game's moves to its end.
func (t *gameRunner) moves(ctx context.Context) error {
	d := &t.driver
	for {
		before := d.Game.Board()
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
		if t.exact != nil {
			t.boards = append(t.boards, before)
		}
	}
}
