package player

import (
	"context"
	"io"
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
	Prepare(ctx context.Context) error
}

// Close lets go of what a player holds besides memory: a bot's process. Whoever
// makes a player closes it.
func Close(p Player) error {
	if c, ok := p.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
