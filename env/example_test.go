package env_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/rules/board"
)

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
