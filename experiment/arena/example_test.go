package arena_test

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// stubborn plays the first legal move of a fixed order.
type stubborn [4]board.Direction

func (s stubborn) Start(seed, game uint64) {}

func (s stubborn) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	var d player.Decision
	for _, d.Move = range s {
		if _, _, d.OK = q.Board.Slide(d.Move); d.OK {
			break
		}
	}
	return d, nil
}

func Example() {
	newFirst := func() player.Player { return stubborn{board.Up, board.Right, board.Down, board.Left} }
	newLast := func() player.Player { return stubborn{board.Left, board.Up, board.Right, board.Down} }
	results, err := arena.Run(context.Background(), arena.RunOptions{
		Players: []catalog.Maker{
			{Spec: "first", New: newFirst},
			{Spec: "last", New: newLast},
		},
		Size:  board.Size{Rows: 3, Cols: 3},
		Seed:  1,
		Games: 200,
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range results.Statistics().Players {
		fmt.Printf("%-5s  %.1f ± %.1f\n", p.Player, p.MeanScore, p.MeanCI.Half())
	}
	c := arena.Compare(results.Players[1].Games, results.Players[0].Games)
	fmt.Printf("last - first: %.1f ± %.1f, clear: %v\n", c.Difference, c.CI.Half(), c.Clear())
	// Output:
	// first  334.0 ± 18.9
	// last   341.7 ± 19.6
	// last - first: 7.7 ± 25.7, clear: false
}
