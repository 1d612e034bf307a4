package player_test

import (
	"context"
	"fmt"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/player"
	"afterstate/search"
)

func Example() {
	b, err := board.Parse("0,2,4,8/0,0,16,32/0,0,2,64/0,0,0,128")
	if err != nil {
		panic(err)
	}
	maker, err := player.Parse("snake(depth=0)", player.Capabilities{})
	if err != nil {
		panic(err)
	}
	p := maker.New()
	p.Start(1, 0) // game 0 of seed 1
	decision, err := p.Decide(context.Background(), search.Query{Position: eval.Position{Board: b}})
	if err != nil {
		panic(err)
	}
	fmt.Println(decision.Move, decision.Plies, decision.Unit)
	// Output: left 1 heuristic
}

// Specs that arrive over a network may name no files.
func ExampleParse_error() {
	for _, text := range []string{"snaek", "snake(dept=1)", `minimax(eval=sum(file="w.json"))`} {
		_, err := player.Parse(text, player.Capabilities{})
		fmt.Println(err)
	}
	// Output:
	// no player is called "snaek": did you mean snake?
	// snake has no key "dept": did you mean depth?
	// minimax: eval=sum(file="w.json"): sum: files may not be named here
}
