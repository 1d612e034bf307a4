package search_test

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

func Example() {
	b, err := board.Parse("0,2,4,8/0,0,16,32/0,0,2,64/0,0,0,128")
	if err != nil {
		panic(err)
	}
	e, err := eval.New("gradient")
	if err != nil {
		panic(err)
	}
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 3})
	r, err := s.Search(context.Background(), search.NewQuery(b, 0))
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Move, r.OK, r.Plies)
	// Output: down true 3
}

// Foresight asks the game for the coming spawns.
func ExampleForesight() {
	g, err := game.New(game.Options{Spawner: game.NewRandom(1, 0, game.P4)})
	if err != nil {
		panic(err)
	}
	e, err := eval.New("product")
	if err != nil {
		panic(err)
	}
	f := search.NewForesight(search.ForesightOptions{Eval: e, Depth: 40, Beam: 64})
	for g.Score() < 2000 {
		q := search.NewQuery(g.Board(), g.Score())
		r, err := f.Search(context.Background(), q, g)
		if err != nil {
			panic(err)
		}
		if err := g.Move(r.Move); err != nil {
			panic(err)
		}
	}
	fmt.Println(g.Over())
	// Output: false
}

// An adversary is a spawner like any other.
func ExampleAdversary() {
	g, err := game.New(game.Options{Spawner: &search.Adversary{}})
	if err != nil {
		panic(err)
	}
	for !g.Over() {
		for _, d := range board.Directions {
			if g.Move(d) == nil {
				break
			}
		}
	}
	b := g.Board()
	fmt.Println(board.Tile(b.Largest()) < 128)
	// Output: true
}
