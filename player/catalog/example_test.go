package catalog_test

import (
	"context"
	"fmt"

	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

func Example() {
	b, err := board.Parse("0,2,4,8/0,0,16,32/0,0,2,64/0,0,0,128")
	if err != nil {
		panic(err)
	}
	maker, err := catalog.Parse("snake(depth=0)", catalog.Capabilities{})
	if err != nil {
		panic(err)
	}
	p := maker.New()
	p.Start(1, 0) // game 0 of seed 1
	decision, err := p.Decide(context.Background(), search.NewQuery(b, 0))
	if err != nil {
		panic(err)
	}
	fmt.Println(decision.Move, decision.Plies, decision.Unit)
	// Output: left 1 heuristic
}

// Specs that arrive over a network may name no files.
func ExampleParse_error() {
	for _, text := range []string{"snaek", "snake(dept=1)", `minimax(eval=sum(file="w.json"))`} {
		_, err := catalog.Parse(text, catalog.Capabilities{})
		fmt.Println(err)
	}
	// Output:
	// no player is called "snaek": did you mean snake?
	// snake has no key "dept": did you mean depth?
	// minimax: eval=sum(file="w.json"): sum: files may not be named here
}
