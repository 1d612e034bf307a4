package eval_test

import (
	"fmt"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/rules/board"
)

func Example() {
	b, err := board.Parse("2,0,0,4/0,0,8,0/0,0,0,0/0,0,0,2048")
	if err != nil {
		panic(err)
	}
	e, err := eval.New("gradient")
	if err != nil {
		panic(err)
	}
	fmt.Println(e.Value(&eval.Position{Board: b, Score: 20480}), e.Unit())
	// Output: 6138 heuristic
}

func ExampleNewSum() {
	b, err := board.Parse("2,0,0,4/0,0,8,0/0,0,0,0/0,0,0,2048")
	if err != nil {
		panic(err)
	}
	e, err := eval.NewSum([]string{"empty", "largest"}, []float64{100, -1})
	if err != nil {
		panic(err)
	}
	fmt.Println(e.Value(&eval.Position{Board: b}))
	// Output: -848
}
