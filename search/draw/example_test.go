package draw_test

import (
	"context"
	"fmt"
	"os"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/draw"
)

// The tree of a search on a small board, in words and as data.
func Example() {
	b, _ := board.Parse("2,4/2,0")
	e, _ := eval.New("empty")
	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 1})
	tree, err := s.Tree(context.Background(), search.NewQuery(b, 0), search.TreeOptions{})
	if err != nil {
		panic(err)
	}
	for _, n := range tree.Root.Children {
		fmt.Println(n.Move, n.Board, "is worth", n.Value)
	}
	p := draw.Picture{Tree: tree, Player: "expectimax(eval=empty,plies=1)", Unit: e.Unit(), Source: "search"}
	if err := p.WriteJSON(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// up 4,4/0,0 is worth 2
	// right 2,4/0,2 is worth 1
	// down 0,0/4,4 is worth 2
	// {"board":[[2,4],[2,0]],"player":"expectimax(eval=empty,plies=1)","move":"up","unit":"heuristic","plies":1,"nodes":3,"source":"search","depth":1,"boards":4,"omitted":{"beyond_width":0,"beyond_boards":0},"tree":{"board":[[2,4],[2,0]],"score":0,"turn":"player","value":2,"lost":false,"best":true,"chosen":true,"children":[{"board":[[4,4],[0,0]],"score":4,"turn":"chance","value":2,"lost":false,"leaf":true,"move":"up","reward":4,"best":true,"chosen":true},{"board":[[2,4],[0,2]],"score":0,"turn":"chance","value":1,"lost":false,"leaf":true,"move":"right","reward":0},{"board":[[0,0],[4,4]],"score":4,"turn":"chance","value":2,"lost":false,"leaf":true,"move":"down","reward":4}]}}
}
