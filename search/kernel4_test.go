package search

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// randomTables are random even tables.
func randomTables() *evenTables {
	const maximum = 1<<26 - 1
	outer, inner := new([1 << 16]int32), new([1 << 16]int32)
	r := rand.New(rand.NewPCG(1, 0))
	for i := range outer {
		outer[i] = int32(r.IntN(2*maximum+1) - maximum)
		inner[i] = int32(r.IntN(2*maximum+1) - maximum)
	}
	return &evenTables{[4]*[1 << 16]int32{outer, inner, inner, outer}}
}

// plainLastMoves is the reference of lastMoves for one tile: every spawn, every slide.
func plainLastMoves(e *evenTables, b bitboard.Board, exponent uint8) (s leafSum) {
	for n := range b.Empty() {
		var after [4]bitboard.Afterstate
		b.PlaceNth(n, exponent).Afterstates(&after)
		best, legal := int32(0), false
		for d := range after {
			if !after[d].Moved {
				continue
			}
			if v := e.value(after[d].Board, after[d].Board.Transpose()); !legal || v > best {
				best, legal = v, true
			}
		}
		if legal {
			s.sum += int64(best)
		} else {
			s.dead++
		}
	}
	return s
}

// checkLastMoves compares both and returns the boards that were dead.
func checkLastMoves(t interface {
	Helper()
	Fatalf(string, ...any)
}, e *evenTables, b bitboard.Board) (dead int) {
	t.Helper()
	want2, want4 := plainLastMoves(e, b, 1), plainLastMoves(e, b, 2)
	two, four := e.lastMoves(b, b.Transpose(), true)
	if two != want2 || four != want4 {
		t.Fatalf("%v: %+v for 2, %+v for 4; want %+v, %+v", b.Board(), two, four, want2, want4)
	}
	if two, four := e.lastMoves(b, b.Transpose(), false); two != (leafSum{}) || four != want4 {
		t.Fatalf("%v without 2: %+v for 2, %+v for 4; want %+v for 4", b.Board(), two, four, want4)
	}
	return two.dead + four.dead
}

// playedBoards are afterstates of games in which the large tiles stay in a corner,
// mostly; many have few empty cells.
func playedBoards(n int) (boards []bitboard.Board) {
	r := rand.New(rand.NewPCG(2, 0))
	var b bitboard.Board
	for len(boards) < n {
		if b.Terminal() {
			b = 0
			for i := range 4 {
				b |= bitboard.Board(8+i+r.IntN(2)) << (4 * i)
				b |= bitboard.Board(8-i-r.IntN(3)) << (4*i + 16)
			}
		} else {
			var after [4]bitboard.Afterstate
			b.Afterstates(&after)
			var d int
			for _, d = range []int{0, 3, 1, 2} {
				if after[d].Moved && r.IntN(3) > 0 {
					break
				}
			}
			if !after[d].Moved {
				continue
			}
			b = after[d].Board
			boards = append(boards, b)
		}
		b = b.PlaceNth(r.IntN(b.Empty()), uint8(1+r.IntN(10)/9))
	}
	return boards
}

func TestKernelOnPlayedBoards(t *testing.T) {
	n := 50_000
	if testing.Short() || !soak.Wanted() {
		n /= 10
	}
	e, dead := randomTables(), 0
	for _, b := range playedBoards(n) {
		dead += checkLastMoves(t, e, b)
	}
	if dead < n/1000 {
		t.Errorf("only %d boards without a move", dead)
	}
}

// Any board, including full and empty ones, and boards with adjacent 32768 tiles.
func TestKernelOnAnyBoard(t *testing.T) {
	e := randomTables()
	rapid.Check(t, func(t *rapid.T) {
		maximum := rapid.SampledFrom([]uint8{1, 2, 3, 15}).Draw(t, "most")
		minimum := rapid.SampledFrom([]uint8{1, maximum}).Draw(t, "least")
		full := rapid.Uint16().Draw(t, "full cells") | rapid.Uint16().Draw(t, "and")
		var b bitboard.Board
		for i := range 16 {
			if full>>i&1 != 0 {
				b |= bitboard.Board(rapid.Uint8Range(minimum, maximum).Draw(t, "exponent")) << (4 * i)
			}
		}
		checkLastMoves(t, e, b)
	})
}

// Every set of empty cells, with tiles that do not merge, and with tiles that do.
func TestKernelOnEveryGap(t *testing.T) {
	step := 1
	if testing.Short() || !soak.Wanted() {
		step = 101
	}
	e := randomTables()
	for _, tiles := range []bitboard.Board{0x3434434334344343, 0x5555555555555555, ^bitboard.Board(0), 0x1212212112122121} {
		for full := 0; full < 1<<16; full += step {
			var mask bitboard.Board
			for i := range 16 {
				mask |= bitboard.Board(full>>i&1*15) << (4 * i)
			}
			checkLastMoves(t, e, tiles&mask)
		}
	}
}
