package player

import (
	"context"
	"errors"
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

// Forfeited tells a forfeit, which is a game's result, from a failure: it returns the
// forfeit in err, or nil for any other error. Once ctx has ended err counts as a
// failure, since stopping a player may look like its fault.
func Forfeited(ctx context.Context, err error) *Forfeit {
	var lost *Forfeit
	if err == nil || ctx.Err() != nil || !errors.As(err, &lost) {
		return nil
	}
	return lost
}
