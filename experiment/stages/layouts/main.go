// Layouts makes the sets of start boards of endings (package stages): six large tiles on a layout and two 2s, and
// other layouts of six, five and four large tiles. Boards are in one of the eight symmetries at random.
//
//	go run ./experiment/stages/layouts experiment/stages/endings
package main

import (
	"bytes"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// boards is the number of boards in a set.
const boards = 100

func main() {
	if len(os.Args) != 2 {
		log.Fatal("must be the folder of the sets")
	}
	for i, s := range []struct {
		name, what string
		draw       func(r *rand.PCG) bitboard.Board
	}{
		{"6-row", "16384 to 512 as ####/##.., the largest in a corner, and two 2s", fixed("bcdea90000000000")},
		{"6-block", "16384 to 512 as the 2x3 block ###./###. by rows, and two 2s", fixed("edc09ab000000000")},
		{"6-t", "16384 to 512 as the T #.##/#.##, and two 2s", fixed("a0de90bc00000000")},
		{"6-others", "16384 to 512 on usual and rare layouts, and small tiles", starts(6)},
		{"5", "16384 to 1024 on usual and rare layouts, and small tiles", starts(5)},
		{"4", "16384 to 2048 on usual and rare layouts, and small tiles", starts(4)},
	} {
		var text bytes.Buffer
		fmt.Fprintf(&text, "# %s. Sixteen exponents (hexadecimal), then a name of its own.\n# Made by go run ./experiment/stages/layouts\n", s.what)
		r := rand.NewPCG(7001, uint64(i))
		for n := range boards {
			b := s.draw(r).Symmetries()[r.Uint64()%8]
			shown := b.Board()
			exponents, _ := shown.Exponents()
			fmt.Fprintf(&text, "%s %s/%d\n", exponents, s.name, n)
		}
		if err := os.WriteFile(filepath.Join(os.Args[1], s.name+".txt"), text.Bytes(), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// fixed draws boards with these tiles, one hexadecimal exponent a cell, and two 2s.
func fixed(cells string) func(*rand.PCG) bitboard.Board {
	tiles, err := board.Parse(cells)
	if err != nil {
		log.Fatal(err)
	}
	b, _ := bitboard.From(&tiles)
	return func(r *rand.PCG) bitboard.Board {
		b := b
		for range 2 {
			b = b.PlaceNth(int(r.Uint64()%uint64(b.Empty())), 1)
		}
		return b
	}
}

// starts draws boards as training does.
func starts(walls int) func(*rand.PCG) bitboard.Board {
	return func(r *rand.PCG) bitboard.Board { return endings.Start(walls, r) }
}
