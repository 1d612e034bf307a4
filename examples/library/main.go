// This program plays one game with a player of its own making and asks
// Afterstate's best player for a second opinion at every move.
package main

import (
	"context"
	"fmt"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/game"
	"afterstate/player"
	"afterstate/search"
)

func main() {
	maker, err := player.Parse("auto", player.Capabilities{})
	if err != nil {
		panic(err)
	}
	adviser := maker.New()
	g, _ := game.New(game.Options{Size: board.Size{Rows: 3, Cols: 3}, Spawner: game.NewRandom(1, 0, game.P4)})
	agreed := 0
	for !g.Over() {
		b := g.Board()
		mine := cornerMove(b)
		advice, err := adviser.Decide(context.Background(), search.Query{Position: eval.Position{Board: b, Score: g.Score()}})
		if err != nil {
			panic(err)
		}
		if advice.Move == mine {
			agreed++
		}
		if err := g.Move(mine); err != nil {
			panic(err)
		}
	}
	fmt.Printf("score %d after %d moves, %d of them the adviser's too\n%v\n", g.Score(), g.Moves(), agreed, g.Board())
}

// cornerMove takes the first of down, left, right, up that changes something.
func cornerMove(b board.Board) board.Direction {
	for _, d := range []board.Direction{board.Down, board.Left, board.Right} {
		if _, _, moved := b.Slide(d); moved {
			return d
		}
	}
	return board.Up
}
