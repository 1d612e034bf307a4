package formats_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/afterstate2048/afterstate/exchange/formats"
)

// A game of 2048-Framework is read and written as CSV.
func Example() {
	const line = "me:random@0|0111#L[4](125)21#R(90)72|me@215"
	w := formats.NewWriter(os.Stdout, formats.Named("csv-moves"))
	for g, err := range formats.Read(strings.NewReader(line), nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(formats.Detect([]byte(line)).Name, len(g.Moves), g.Score, g.Times)
		if err := w.Write(g); err != nil {
			fmt.Println(err)
			return
		}
	}

	for _, err := range formats.Read(strings.NewReader("me:random@0|0111#U21|me@0"), nil) {
		fmt.Println(err)
	}
	// Output:
	// game,player,size,move_number,move,spawn_cell,spawn_tile,ms
	// framework 2 4 [125 90]
	// 0,me,4x4,,,0,2,
	// 0,me,4x4,,,1,2,
	// 0,me,4x4,0,left,2,2,125
	// 0,me,4x4,1,right,7,4,90
	// line 1: move 1: up changes nothing, on board 2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0
}
