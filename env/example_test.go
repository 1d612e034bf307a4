package env_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/rules/board"
)

// One game, by the first legal direction of down, left, right, up.
func Example() {
	e, err := env.New(env.Options{Size: board.Size{Rows: 3, Cols: 3}, Seed: 1})
	if err != nil {
		panic(err)
	}
	total := 0.0
	for over := false; !over; {
		legal := e.Legal()
		for _, d := range []board.Direction{board.Down, board.Left, board.Right, board.Up} {
			if legal[d] {
				out := e.Step(d)
				total += out.Reward
				over = out.Terminated
				break
			}
		}
	}
	fmt.Println(e.Steps(), total, e.Score(), e.Board())
	// Output: 44 268 268 8,4,2/16,8,4/32,16,8
}

// A thousand games at a time, by random legal moves.
func ExampleVector() {
	v, err := env.NewVector(1000, env.Options{Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		panic(err)
	}
	out := env.Buffers{
		Terminated: make([]bool, v.Len()),
		Final:      env.View{Scores: make([]int64, v.Len())},
	}
	actions, random := make([]board.Direction, v.Len()), rand.NewPCG(1, 0)
	games, scores := 0, int64(0)
	for range 500 {
		v.Sample(random, actions)
		v.Step(actions, &out)
		for i, over := range out.Terminated {
			if over {
				games++
				scores += out.Final.Scores[i]
			}
		}
	}
	fmt.Println(games, scores/int64(games))
	// Output: 3784 1053
}
