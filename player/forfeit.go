package player

import (
	"context"
	"io"

	"afterstate/board"
)

// Forfeit is the error of a player that lost its game by a fault of its own, such
// as a bot that hangs. The player can go on with another game.
type Forfeit struct {
	Reason string // the kind of fault, in the same words each time
	Detail string // what came with it this time, or ""
}

func (f *Forfeit) Error() string {
	if f.Detail == "" {
		return f.Reason
	}
	return f.Reason + ": " + f.Detail
}

// Preparer is a player that takes time before its first move of a game: who runs a
// game may call Prepare first, so that the time is not the move's. Decide prepares
// by itself where nobody did.
type Preparer interface {
	// Prepare gets ready for boards of a size. It fails when ctx ends first, or as
	// Decide would.
	Prepare(ctx context.Context, size board.Size) error
}

// Prepare prepares a player if it takes time to.
func Prepare(ctx context.Context, p Player, size board.Size) error {
	if slow, ok := p.(Preparer); ok {
		return slow.Prepare(ctx, size)
	}
	return nil
}

// Close lets go of what a player holds besides memory: a bot's process. Whoever
// makes a player closes it.
func Close(p Player) error {
	if c, ok := p.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
