package spec_test

import (
	"fmt"

	"github.com/afterstate2048/afterstate/player/spec"
)

func ExampleParse() {
	s, err := spec.Parse("minimax( eval = sum(empty=2, smoothness=1), depth = 4 )")
	if err != nil {
		panic(err)
	}
	depth, _ := s.Get("depth")
	fmt.Println(s.Name, depth)
	fmt.Println(s)
	// Output:
	// minimax 4
	// minimax(eval=sum(empty=2,smoothness=1),depth=4)
}
