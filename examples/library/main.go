// This program plays the beginning of a game with its own player and compares every move with
// Afterstate's best player.
package main

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

func main() {
	maker, err := catalog.Parse("auto", catalog.Capabilities{}) // on 4x4, the champion
	if err != nil {
		panic(err)
	}
	best := player.Driver{Player: maker.New()}
	defer best.Close()
	g, _ := game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
	agreed := 0
	for !g.Over() && g.Moves() < 200 {
		b := g.Board()
		mine := cornerMove(b)
		advice, err := best.Ask(context.Background(), search.NewQuery(b, g.Score()))
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
	fmt.Printf("score %d after %d moves; the best player chose the same move %d times\n%v\n", g.Score(), g.Moves(), agreed, g.Board())
}

// cornerMove returns the first legal move of down, left, right, up.
func cornerMove(b board.Board) board.Direction {
	for _, d := range []board.Direction{board.Down, board.Left, board.Right} {
		if _, _, moved := b.Slide(d); moved {
			return d
		}
	}
	return board.Up
}
