package arena

import (
	"slices"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// BoardsAtSums returns, for each of some sums, the game's first board whose tiles have at
// least that sum. Sums that the game did not reach are left out, and so are boards
// without a legal move. It undoes the game's moves.
func BoardsAtSums(g *game.Game, sums []int64) []board.Board {
	sums = slices.Sorted(slices.Values(sums))
	first := make([]board.Board, len(sums))
	for {
		b := g.Board()
		sum := b.Sum()
		for i, want := range sums {
			if sum >= want {
				first[i] = b // moves are undone: the last one that is written is the earliest
			}
		}
		if len(sums) == 0 || sum < sums[0] || !g.Undo() {
			break
		}
	}
	first = slices.DeleteFunc(first, func(b board.Board) bool { return b.Size() == board.Size{} || b.Terminal() })
	return slices.Compact(first)
}
