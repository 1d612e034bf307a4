package player

import (
	"context"
	"fmt"
	"io"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// Seer is a player that uses future spawns. The caller that runs a game passes it the game's
// spawner before the first move; other players never get it.
type Seer interface {
	See(search.Oracle)
}

// Preparer is a player with a setup cost before its first move of a game, such as loading a
// network. Calling Prepare first keeps that cost out of the first decision; otherwise Decide
// prepares.
type Preparer interface {
	// Prepare prepares for boards of a size. It fails when ctx ends first, with a *SizeError if the
	// player cannot play the size, or as Decide would.
	Prepare(ctx context.Context, size board.Size) error
}

// Readier is a [Preparer] that knows whether it is prepared.
type Readier interface {
	// Ready reports whether Prepare for boards of a size would load nothing. A *SizeError means
	// that the player cannot play the size.
	Ready(size board.Size) (ready bool, err error)
}

// Searcher is a player that searches a tree and can return it.
type Searcher interface {
	Player
	// Tree decides as Decide does, but with the exact value of every move, and returns the tree
	// behind the decision.
	Tree(ctx context.Context, q search.Query, o search.TreeOptions) (Decision, *search.Tree, error)
}

// SizeError is the error of a player whose network is for another board size.
type SizeError struct{ Network, Board board.Size }

func (e *SizeError) Error() string {
	return fmt.Sprintf("the network is for %v boards, this one is %v", e.Network, e.Board)
}

// BoardError is the error of a player that cannot play a board or its size, for the reason Err.
type BoardError struct{ Err error }

func (e *BoardError) Error() string { return e.Err.Error() }

func (e *BoardError) Unwrap() error { return e.Err }

// Wrapper is a player that decorates another one. It implements an optional interface only to
// change its behaviour; [As] finds the others on the inner player.
type Wrapper interface {
	Player
	Unwrap() Player
}

// As returns p as a T, an optional interface such as [Seer], [Preparer], [Searcher] or [io.Closer]:
// p if it implements T, else the first player inside p that does. A type assertion on p would miss
// interfaces that a [Wrapper] hides.
func As[T any](p Player) (t T, ok bool) {
	for p != nil {
		if t, ok = p.(T); ok {
			return t, true
		}
		w, wraps := p.(Wrapper)
		if !wraps {
			break
		}
		p = w.Unwrap()
	}
	return t, false
}

// See passes the oracle of future spawns to p if it is a [Seer].
func See(p Player, o search.Oracle) {
	if s, ok := As[Seer](p); ok {
		s.See(o)
	}
}

// Prepare prepares p if it is a [Preparer].
func Prepare(ctx context.Context, p Player, size board.Size) error {
	if slow, ok := As[Preparer](p); ok {
		return slow.Prepare(ctx, size)
	}
	return nil
}

// Ready returns what p's Ready does. A player that is no [Readier] has nothing to load.
func Ready(p Player, size board.Size) (ready bool, err error) {
	if r, ok := As[Readier](p); ok {
		return r.Ready(size)
	}
	return true, nil
}

// Close releases what p holds besides memory, such as a bot's process. The creator of a player
// closes it.
func Close(p Player) error {
	if c, ok := As[io.Closer](p); ok {
		return c.Close()
	}
	return nil
}
