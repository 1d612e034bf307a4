package player

import (
	"context"
	"errors"
	"time"

	"afterstate/board"
	"afterstate/game"
	"afterstate/search"
)

// ErrNoMove is the error of a player that has no move on a board that has one.
var ErrNoMove = errors.New("the player sees no move where there is one")

// Driver runs a player: the one place that knows in which order a player is started,
// shown the tiles to come, prepared and asked. The caller plays a game move by move,
//
//	d := player.Driver{Player: p, Game: g}
//	defer d.Close()
//	err := d.Begin(ctx, seed, index)
//	for more := err == nil; more; {
//		more, err = d.Move(ctx)
//	}
//	if lost := player.Forfeited(ctx, err); lost != nil {
//		... // the game is over where it stands
//	}
//
// or asks about positions, with [Driver.Start] and [Driver.Ask]. An error is the end
// of ctx, a forfeit (see [Forfeited]), or a failure of the player. Like its player, a
// Driver serves one game at a time and one goroutine.
type Driver struct {
	Player Player
	Game   *game.Game // what Begin and Move play; may be nil without them
	Until  int64      // tile at which Move ends the game; 0: none
	Goal   game.Goal  // at which Move ends the game; zero: none

	// Decision is the answer behind the last Move.
	Decision Decision

	query search.Query
	ready board.Size // the size that the player is prepared for
}

// Start begins game number index of a seed, whose tiles to come are shown to a player
// that knows them. A nil oracle shows nothing.
func (d *Driver) Start(seed, index uint64, o search.Oracle) {
	d.ready = board.Size{}
	d.Player.Start(seed, index)
	if o != nil {
		See(d.Player, o)
	}
}

// Prepare gets the player ready for boards of a size, once a game.
func (d *Driver) Prepare(ctx context.Context, size board.Size) error {
	if d.ready == size {
		return nil
	}
	err := Prepare(ctx, d.Player, size)
	if err == nil {
		d.ready = size
	}
	return err
}

// Begin starts Game as number index of a seed and prepares the player for its size.
func (d *Driver) Begin(ctx context.Context, seed, index uint64) error {
	d.Start(seed, index, d.Game)
	b := d.Game.Board()
	return d.Prepare(ctx, b.Size())
}

// Decide asks the player about a position. The decision's OK is false only on a board
// without a legal move.
func (d *Driver) Decide(ctx context.Context, q search.Query) (Decision, error) {
	answer, err := d.Player.Decide(ctx, q)
	if err == nil && !answer.OK && hasMove(&q.Board) {
		err = ErrNoMove
	}
	return answer, err
}

func hasMove(b *board.Board) bool {
	for _, d := range board.Directions {
		if _, _, moved := b.Slide(d); moved {
			return true
		}
	}
	return false
}

// Ask prepares the player for the position, asks about it, and fills in the time that
// the decision took, preparing not included.
func (d *Driver) Ask(ctx context.Context, q search.Query) (Decision, error) {
	if !q.Board.Dead() { // or there is nothing to get ready for
		if err := d.Prepare(ctx, q.Board.Size()); err != nil {
			return Decision{}, err
		}
	}
	start := time.Now()
	answer, err := d.Decide(ctx, q)
	answer.Elapsed = time.Since(start)
	return answer, err
}

// Move asks the player about the game and makes its move. It reports false, without an
// error, when the game is over or has reached Until or Goal. After an error the game is as it
// was before.
func (d *Driver) Move(ctx context.Context) (moved bool, err error) {
	q := &d.query
	q.Board, q.Score = d.Game.Board(), d.Game.Score()
	if q.Board.Dead() || d.Until != 0 && board.Tile(q.Board.Largest()) >= d.Until || d.Goal.Reached(&q.Board) {
		return false, nil
	}
	if err := ctx.Err(); err != nil { // not every player looks at ctx
		return false, err
	}
	if d.Decision, err = d.Player.Decide(ctx, *q); err != nil {
		return false, err
	}
	if !d.Decision.OK {
		return false, ErrNoMove
	}
	if err := d.Game.Move(d.Decision.Move); err != nil {
		return false, err
	}
	return true, nil
}

// Close releases what the player holds besides memory.
func (d *Driver) Close() error { return Close(d.Player) }
