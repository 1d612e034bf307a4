package player

import (
	"context"
	"errors"
)

// Forfeit is the error of a player that lost its game by its own fault, such as a bot that hangs.
// The player can still play other games.
type Forfeit struct {
	Reason string // the kind of fault, in fixed wording so that forfeits can be grouped
	Detail string // what came with it this time, or ""
}

func (f *Forfeit) Error() string {
	if f.Detail == "" {
		return f.Reason
	}
	return f.Reason + ": " + f.Detail
}

// Forfeited returns the forfeit in err, which is the result of a game, or nil for any other error.
// Once ctx has ended it returns nil, since stopping a player may look like its fault.
func Forfeited(ctx context.Context, err error) *Forfeit {
	var lost *Forfeit
	if err == nil || ctx.Err() != nil || !errors.As(err, &lost) {
		return nil
	}
	return lost
}
