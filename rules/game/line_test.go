package game_test

import (
	"testing"

	"pgregory.net/rapid"
)

// Moves, undos and redos in any order, over many blocks of the line, always lead to the state that
// the game had at that move.
func TestUndoAcrossBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, d := drawnGame(t)
		path := []seen{look(g)} // of the moves made and those that can be made again
		for range rapid.IntRange(1, 30).Draw(t, "turns") {
			turn := rapid.SampledFrom([]string{"move", "undo", "redo"}).Draw(t, "turn")
			for range rapid.IntRange(1, 200).Draw(t, "count") {
				at := g.Moves()
				switch turn {
				case "move":
					if playRandom(g, d.moves, 1); g.Moves() > at {
						path = append(path[:at+1], look(g))
					}
				case "undo":
					if g.Undo() != (at > 0) {
						t.Fatalf("undo after %d moves", at)
					}
				case "redo":
					if g.Redo() != (at+1 < len(path)) {
						t.Fatalf("redo after %d of %d moves", at, len(path)-1)
					}
				}
				if look(g) != path[g.Moves()] {
					t.Fatalf("%s to move %d: %+v, was %+v", turn, g.Moves(), look(g), path[g.Moves()])
				}
			}
		}
	})
}
