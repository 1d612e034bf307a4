package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/player"
	"afterstate/search"
)

// gameRunner plays games of one seed, in one goroutine.
type gameRunner struct {
	size    board.Size
	seed    uint64
	until   uint8 // exponent of the tile that ends a game; 0: none
	spawner func(seed, index uint64) (game.Spawner, error)

	made []board.Direction // the moves of the last game
}

// play plays one game. The clock runs from the first question to the last answer,
// the game's own work in between included; preparing players is not counted. A
// forfeited game ends where it stands.
func (t *gameRunner) play(ctx context.Context, p player.Player, index uint64) (*game.Game, Game, error) {
	spawner, err := t.spawner(t.seed, index)
	if err != nil {
		return nil, Game{}, err
	}
	p.Start(t.seed, index)
	t.made = t.made[:0]
	g, err := game.New(game.Options{Size: t.size, Spawner: spawner, Endless: true})
	if err != nil {
		return nil, Game{}, err
	}
	if s, ok := p.(player.Seer); ok {
		s.See(g)
	}
	var lost *player.Forfeit
	err = player.Prepare(ctx, p, t.size)
	start := time.Now()
	if err == nil {
		err = t.moves(ctx, p, g)
	}
	if err != nil && (ctx.Err() != nil || !errors.As(err, &lost)) {
		return nil, Game{}, err
	}
	b := g.Board()
	out := Game{
		Seed: t.seed, Index: index, Score: g.Score(), Largest: b.Largest(),
		Moves: g.Moves(), Elapsed: time.Since(start),
	}
	if lost != nil {
		out.Forfeit = *lost
	}
	return g, out, nil
}

// moves makes a game's moves to its end.
func (t *gameRunner) moves(ctx context.Context, p player.Player, g *game.Game) error {
	stop := ctx.Done()
	q := search.Query{Position: eval.Position{Board: g.Board()}}
	for !q.Board.Dead() && (t.until == 0 || q.Board.Largest() < t.until) {
		select {
		case <-stop: // not every player looks at ctx
			return ctx.Err()
		default:
		}
		d, err := p.Decide(ctx, q)
		if err != nil {
			return fmt.Errorf("move %d on board %v: %w", g.Moves()+1, q.Board, err)
		}
		if !d.OK {
			return fmt.Errorf("move %d on board %v: the player sees no move where there is one", g.Moves()+1, q.Board)
		}
		if err := g.Move(d.Move); err != nil {
			return fmt.Errorf("move %d on board %v: %w", g.Moves()+1, q.Board, err)
		}
		t.made = append(t.made, d.Move)
		q.Board, q.Score = g.Board(), g.Score()
	}
	return nil
}
