// This program plays a game with a search that uses its own evaluator.
package main

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// falling prefers tiles that get smaller from cell to cell: each cell counts half as much as the one
// before.
type falling struct{}

// Unit returns Heuristic: the values are not points, so the search does not add the rewards of moves
// to them.
func (falling) Unit() eval.Unit { return eval.Heuristic }

// Value evaluates the board after a move. A search never calls it for a board without a legal move.
func (falling) Value(p *eval.Position) float64 {
	value, weight := 0.0, 1.0
	for row := range p.Board.Size().Rows {
		for col := range p.Board.Size().Cols {
			value += weight * float64(board.Tile(p.Board.At(row, col)))
			weight /= 2
		}
	}
	return value
}

func main() {
	g, err := game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
	if err != nil {
		panic(err)
	}
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: falling{}, Plies: 2})
	for !g.Over() {
		r, err := s.Search(context.Background(), search.NewQuery(g.Board(), g.Score()))
		if err != nil {
			panic(err)
		}
		if err := g.Move(r.Move); err != nil {
			panic(err)
		}
	}
	fmt.Printf("score %d after %d moves\n%v\n", g.Score(), g.Moves(), g.Board())
}
