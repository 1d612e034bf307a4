package bitboard_test

import (
	"fmt"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// A greedy move: the one with the largest reward.
func Example() {
	full, err := board.Parse("2,2,4,8/0,4,4,32/0,0,2,64/0,0,0,128")
	if err != nil {
		panic(err)
	}
	b, ok := bitboard.From(&full)
	if !ok {
		panic("not 4x4, or a tile above 32768")
	}
	var after [4]bitboard.Afterstate
	b.Afterstates(&after)
	best, maximum := board.Up, int32(-1)
	for _, d := range board.Directions {
		if after[d].Moved && after[d].Reward > maximum {
			best, maximum = d, after[d].Reward
		}
	}
	fmt.Println(best, maximum)
	fmt.Println(after[best].Board.Board())
	// Output:
	// right 12
	// 0,4,4,8/0,0,8,32/0,0,2,64/0,0,0,128
}

// Boards are numbers: the first cell is the last hexadecimal digit.
func ExampleFrom() {
	full, err := board.Parse("2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,32768")
	if err != nil {
		panic(err)
	}
	b, ok := bitboard.From(&full)
	fmt.Printf("%016x %v\n", uint64(b), ok)
	// Output: f000000000004321 true
}

// Two 32768 tiles make 65536, which no nibble holds. Packed they are smaller, and ranks maps the
// result of their merge to its exponent.
func ExamplePack() {
	full, err := board.Parse("32768,32768,4,2/0,0,0,0/0,0,0,0/0,0,0,0")
	if err != nil {
		panic(err)
	}
	const moves = 3 // to look ahead
	packed, ranks, ok := bitboard.Pack(&full, moves)
	fmt.Println(packed.Board(), ok)
	after, _, _ := packed.Slide(board.Left)
	fmt.Println(ranks.Unpack(after))
	// Output:
	// 16384,16384,4,2/0,0,0,0/0,0,0,0/0,0,0,0 true
	// 65536,4,2,0/0,0,0,0/0,0,0,0/0,0,0,0
}

// Boards that are equal up to rotation and reflection have one canonical board.
func ExampleBoard_Canonical() {
	full, err := board.Parse("2,0,0,0/0,0,0,0/0,0,0,0/4,0,0,0")
	if err != nil {
		panic(err)
	}
	b, _ := bitboard.From(&full)
	seen := map[bitboard.Board]bool{}
	for _, image := range b.Symmetries() {
		seen[image.Canonical()] = true
	}
	fmt.Println(len(seen), b.Canonical().Board())
	// Output: 1 4,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0
}
