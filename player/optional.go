package player

import (
	"context"
	"fmt"
	"io"

	"afterstate/board"
	"afterstate/search"
)

// Seer is a player that knows the tiles to come. Whoever runs a game gives it the
// game's spawner before the first move; no other player ever sees it.
type Seer interface {
	See(search.Oracle)
}

// Preparer is a player that needs time before its first move of a game. Calling
// Prepare first keeps that time out of the first move's; Decide prepares by itself
// where nobody did.
type Preparer interface {
	// Prepare gets ready for boards of a size. It fails when ctx ends first, with a
	// *SizeError if the player cannot play the size, or as Decide would.
	Prepare(ctx context.Context, size board.Size) error
}

// Searcher is a player that searches a tree and can show it.
type Searcher interface {
	Player
	// Tree decides as Decide does, with the exact value of every move, and captures
	// the tree that the decision rests on.
	Tree(ctx context.Context, q search.Query, o search.TreeOptions) (Decision, *search.Tree, error)
}

// SizeError says that a player cannot play boards of a size.
type SizeError struct{ Network, Board board.Size }

func (e *SizeError) Error() string {
	return fmt.Sprintf("the network is for %v boards, this one is %v", e.Network, e.Board)
}

// Wrapper is a player that decorates another one. It implements an optional interface
// only to change what that does; [As] finds the other ones on the player inside.
type Wrapper interface {
	Player
	Unwrap() Player
}

// As returns p as a T, an optional interface such as [Seer], [Preparer], [Searcher] or
// [io.Closer]: p itself if it implements T, else the first player inside p that does.
// A type assertion on p would miss what a [Wrapper] hides.
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

// See shows the tiles to come to a player that is a [Seer].
func See(p Player, o search.Oracle) {
	if s, ok := As[Seer](p); ok {
		s.See(o)
	}
}

// Prepare prepares a player that is a [Preparer].
func Prepare(ctx context.Context, p Player, size board.Size) error {
	if slow, ok := As[Preparer](p); ok {
		return slow.Prepare(ctx, size)
	}
	return nil
}

// Close releases what a player holds besides memory, such as a bot's process. Whoever
// makes a player closes it.
func Close(p Player) error {
	if c, ok := As[io.Closer](p); ok {
		return c.Close()
	}
	return nil
}
