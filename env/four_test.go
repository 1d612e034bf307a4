package env

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// anyBoard draws a board of a size; few distinct tiles make merges common.
func anyBoard(t *rapid.T, size board.Size, largest uint8) board.Board {
	b := board.New(size)
	minimum := rapid.Uint8Range(1, largest).Draw(t, "minimum")
	maximum := rapid.Uint8Range(minimum, largest).Draw(t, "maximum")
	empty := rapid.IntRange(0, 4).Draw(t, "quarters empty")
	for i := range size.Cells() {
		if rapid.IntRange(1, 4).Draw(t, "quarter") > empty {
			b.Set(i, rapid.Uint8Range(minimum, maximum).Draw(t, "exponent"))
		}
	}
	return b
}

func anySize(t *rapid.T) board.Size {
	return board.Size{Rows: rapid.IntRange(2, 6).Draw(t, "rows"), Cols: rapid.IntRange(2, 6).Draw(t, "cols")}
}

// The sets of legal moves are those whose slide changes something.
func TestLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t, anySize(t), 38)
		checkLegal(t, b, legal(&b))
	})
	rapid.Check(t, func(t *rapid.T) {
		full := anyBoard(t, bitboard.Size, bitboard.MaxExponent)
		b, _ := bitboard.From(&full)
		checkLegal(t, full, legalFour(b))
	})
}

func checkLegal(t *rapid.T, b board.Board, got uint8) {
	for _, d := range board.Directions {
		if _, _, moved := b.Slide(d); moved != (got>>d&1 != 0) || got > 15 {
			t.Fatalf("%v: legal moves %04b, %v moves: %v", b, got, d, moved)
		}
	}
}

// Slides are bitboard's, for all lines of four cells in all places and directions.
func TestSlide(t *testing.T) {
	for line := range bitboard.Board(1 << 16) {
		for k := range 4 {
			b := line << (16 * k)
			for _, d := range board.Directions {
				for _, b := range []bitboard.Board{b, b.Transpose()} {
					if got, reward := slide(b, d); !sameSlide(b, d, got, reward) {
						t.Fatalf("%v of %v: %v for %d", d, b.Board(), got.Board(), reward)
					}
				}
			}
		}
	}
}

func sameSlide(b bitboard.Board, d board.Direction, got bitboard.Board, reward int64) bool {
	after, want, _ := b.Slide(d)
	return got == after && reward == int64(want)
}

// Spawns are those of package game for the same random number.
func TestSpawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := anyBoard(t, bitboard.Size, bitboard.MaxExponent)
		empty := rapid.IntRange(0, 15).Draw(t, "empty cell") // there must be one, and a tile
		full.Set(empty, 0)
		full.Set((empty+1)%16, 1)
		p4 := rapid.SampledFrom([]float64{-1, 0.1, 0.5, 1}).Draw(t, "p4")
		r := must.Get(newRules(Options{P4: p4}))(t)
		u := rapid.Uint64().Draw(t, "u")
		b, _ := bitboard.From(&full)
		got := r.spawn(b, u)
		game.NewRandom(0, 0, max(0, p4)).Place(&full, u)
		if got.Board() != full {
			t.Fatalf("%x spawns %v, want %v", u, got.Board(), full)
		}
	})
}
