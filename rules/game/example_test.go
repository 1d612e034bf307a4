package game_test

import (
	"fmt"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

func Example() {
	g, _ := game.New(game.Options{Spawner: game.NewRandom(1, 2, game.P4)})
	fmt.Println(g.Board())
	_ = g.Move(board.Up)
	fmt.Println(g.Board(), g.LastSpawn())
	g.Undo()
	fmt.Println(g.Board())
	_ = g.Move(board.Up) // the same tile comes again
	fmt.Println(g.Board())
	// Output:
	// 0,0,0,0/0,0,0,0/0,4,0,0/2,0,0,0
	// 2,4,0,0/0,0,0,0/0,0,0,0/2,0,0,0 {12 1}
	// 0,0,0,0/0,0,0,0/0,4,0,0/2,0,0,0
	// 2,4,0,0/0,0,0,0/0,0,0,0/2,0,0,0
}
