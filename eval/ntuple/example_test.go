package ntuple_test

import (
	"fmt"

	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

func Example() {
	layout, err := ntuple.Named(bitboard.Size, "2x4")
	if err != nil {
		panic(err)
	}
	network, err := ntuple.New(layout)
	if err != nil {
		panic(err)
	}
	defer network.Close()
	fmt.Println(layout.Patterns, layout.Features(), "features")

	// It knows nothing yet. Let it learn that this row is worth 80 points, shared
	// by the features that see it.
	full, _ := board.Parse("2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,0")
	row, _ := bitboard.From(&full)
	at := make([]ntuple.SymIndices, len(layout.Patterns))
	network.Indices(at, row)
	network.Add(network.Stage(row), at, 80/float32(layout.Features()))
	fmt.Println(network.Value(row) >= 80, network.Value(row) == network.Value(row.Flip()))
	// Output:
	// [0123 4567] 16 features
	// true true
}
