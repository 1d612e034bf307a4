package bitboard_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// tester is the common interface of tests, properties and fuzz targets.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// anyBoard draws a board; few distinct tiles make merges common.
func anyBoard(t *rapid.T) (b bitboard.Board) {
	minimum := rapid.SampledFrom([]uint8{1, 8, 13}).Draw(t, "minimum")
	maximum := rapid.SampledFrom([]uint8{minimum + 1, minimum + 2, bitboard.MaxExponent}).Draw(t, "maximum")
	empty := rapid.IntRange(0, 4).Draw(t, "quarters empty")
	for i := range 16 {
		if rapid.IntRange(1, 4).Draw(t, "quarter") > empty {
			b |= bitboard.Board(rapid.Uint8Range(minimum, maximum).Draw(t, "exponent")) << (4 * i)
		}
	}
	return b
}

func parse(t testing.TB, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

func from(t tester, full board.Board) bitboard.Board {
	t.Helper()
	b, ok := bitboard.From(&full)
	if !ok {
		t.Fatalf("%v has no bitboard", full)
	}
	return b
}

// checkCounts compares all counts of a board with the same position in package board.
func checkCounts(t tester, b bitboard.Board, full board.Board) {
	t.Helper()
	if from(t, full) != b || b.Board() != full {
		t.Fatalf("%v: bitboard %016x is read as %v", full, uint64(b), b.Board())
	}
	var empty uint64
	var exponents uint16
	largest := 0
	for i := range 16 {
		e := full.Cell(i)
		if b.Cell(i) != e || uint8(b.Row(i/4)>>(4*(i%4)))&15 != e {
			t.Fatalf("%v: cell %d is %d in row %x", full, i, b.Cell(i), b.Row(i/4))
		}
		if e == 0 {
			empty |= 1 << (4 * i)
		} else {
			exponents |= 1 << e
		}
		if e == bitboard.MaxExponent {
			largest++
		}
	}
	if b.PairOfLargest() != (largest > 1) {
		t.Fatalf("%v: a pair of %d tiles of 32768 is %v", full, largest, b.PairOfLargest())
	}
	if b.EmptyMask() != empty || b.Empty() != full.Empty() {
		t.Fatalf("%v: %d empty, mask %016x, want %d, %016x", full, b.Empty(), b.EmptyMask(), full.Empty(), empty)
	}
	if b.Exponents() != exponents || b.Sum() != full.Sum() {
		t.Fatalf("%v: exponents %b sum %d, want %b, %d", full, b.Exponents(), b.Sum(), exponents, full.Sum())
	}
}

func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		checkCounts(t, b, b.Board())
	})
}

func TestPlaceNth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBoard(t)
		e := rapid.Uint8Range(1, bitboard.MaxExponent).Draw(t, "placed")
		for n := range b.Empty() {
			full := b.Board()
			cell := full.PlaceNth(n, e)
			if placed := b.PlaceNth(n, e); placed.Board() != full {
				t.Fatalf("%v: empty cell %d is not %d: %v", b.Board(), n, cell, placed.Board())
			}
		}
	})
}

// A 4x4 board has a bitboard unless a tile is above 32768.
func TestFromRefuses(t *testing.T) {
	for i := range 16 {
		for e := range board.MaxExponent + 1 {
			full := board.New(bitboard.Size)
			full.Set(i, uint8(e))
			b, ok := bitboard.From(&full)
			if ok != (e <= bitboard.MaxExponent) || ok && b.Board() != full {
				t.Errorf("%v: bitboard %016x, %v", full, uint64(b), ok)
			}
		}
	}
	for _, full := range otherSizes() {
		if b, ok := bitboard.From(&full); ok {
			t.Errorf("a board of %v has the bitboard %016x", full.Size(), uint64(b))
		}
	}
}

// otherSizes are boards of every size but 4x4, and the zero board.
func otherSizes() []board.Board {
	all := []board.Board{{}}
	for r := board.MinSide; r <= board.MaxSide; r++ {
		for c := board.MinSide; c <= board.MaxSide; c++ {
			if s := (board.Size{Rows: r, Cols: c}); s != bitboard.Size {
				all = append(all, board.New(s))
			}
		}
	}
	return all
}
