package bitboard_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// longSizes are the sizes of Lines.
func longSizes() (sizes []board.Size) {
	for rows := board.MinSide; rows <= board.MaxSide; rows++ {
		for cols := board.MinSide; cols <= board.MaxSide; cols++ {
			if s := (board.Size{Rows: rows, Cols: cols}); max(rows, cols) > 4 && bitboard.Fits(s) {
				sizes = append(sizes, s)
			}
		}
	}
	return sizes
}

// checkLines compares the slides of a word's lowest cells with those of package board.
func checkLines(t tester, size board.Size, l *bitboard.Lines, w bitboard.Board) {
	t.Helper()
	w &= 1<<(4*size.Cells()) - 1
	// As in unlike: each 32768 becomes a different, larger tile, so that no two merge.
	full := board.New(size)
	for i := range size.Cells() {
		e := w.Cell(i)
		if e == bitboard.MaxExponent {
			e += uint8(1 + i)
		}
		full.Set(i, e)
	}
	var all [4]bitboard.Afterstate
	l.Afterstates(w, &all)
	for _, d := range board.Directions {
		after, reward, moved := full.Slide(d)
		want := bitboard.Afterstate{Reward: int32(reward), Moved: moved}
		for i := range size.Cells() {
			want.Board |= bitboard.Board(min(after.Cell(i), bitboard.MaxExponent)) << (4 * i)
		}
		if all[d] != want {
			t.Fatalf("%v of %v: %+v, want %+v", d, full, all[d], want)
		}
	}
}

// few turns most cells of a random word into small tiles, so that many merge.
func few(w uint64) bitboard.Board { return bitboard.Board(w & 0x3333333333333333) }

func TestLines(t *testing.T) {
	sizes := longSizes()
	if len(sizes) != 6 {
		t.Fatalf("%v: must be 2x5, 2x6, 3x5 and their turns", sizes)
	}
	for _, size := range sizes {
		l := bitboard.NewLines(size)
		rapid.Check(t, func(t *rapid.T) {
			w := rapid.Uint64().Draw(t, "word")
			checkLines(t, size, l, bitboard.Board(w))
			checkLines(t, size, l, few(w))
		})
	}
}

func FuzzLines(f *testing.F) {
	sizes := longSizes()
	for i := range sizes {
		f.Add(uint8(i), uint64(0x1111222233334444))
		f.Add(uint8(i), uint64(0x0ff0ff0ff0ff0ff0))
	}
	f.Fuzz(func(t *testing.T, number uint8, w uint64) {
		size := sizes[int(number)%len(sizes)]
		l := bitboard.NewLines(size)
		checkLines(t, size, l, bitboard.Board(w))
		checkLines(t, size, l, few(w))
	})
}

func BenchmarkLines(b *testing.B) {
	l := bitboard.NewLines(board.Size{Rows: 3, Cols: 5})
	var after [4]bitboard.Afterstate
	w := bitboard.Board(0x0012_3451_1230_0112)
	for b.Loop() {
		l.Afterstates(w, &after)
		w = w&^15 | after[0].Board&3
	}
}
