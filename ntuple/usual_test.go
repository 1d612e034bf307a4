package ntuple

import (
	"slices"
	"testing"

	"afterstate/bitboard"
	"afterstate/board"
)

// The layouts of some sizes, and what holds for all: they are valid, found by name, and without two
// patterns that are images of each other.
func TestUsual(t *testing.T) {
	want := map[string]string{
		"2x2": "0123", "2x3": "012345", "3x3": "012345 012347", "3x4": "012345 012456 014589 12569a 456789",
		"3x5": "012345 012567 0156ab 123678 1267bc 56789a", "4x4": "012345 456789 012456 45689a",
		"5x5": "012345 012567 123678 1267bc 56789a 678bcd abcdef",
	}
	for rows := board.MinSide; rows <= board.MaxSide; rows++ {
		for cols := board.MinSide; cols <= board.MaxSide; cols++ {
			size := board.Size{Rows: rows, Cols: cols}
			l, err := Usual(size)
			if err != nil || len(l.Patterns) > usualPatterns {
				t.Fatalf("%v: %v, %v", size, l.PatternText(), err)
			}
			if text := want[size.String()]; text != "" && text != l.PatternText() {
				t.Errorf("%v: %s, want %s", size, l.PatternText(), text)
			}
			if named, err := ParseNetwork(size, l.Name); err != nil || !named.Equal(&l) || !slices.Contains(Names(size), l.Name) {
				t.Errorf("%v: %s is %s, %v", size, l.Name, named.PatternText(), err)
			}
			var images [][]uint8
			for _, p := range l.Patterns {
				images = append(images, leastImage(size, p))
			}
			slices.SortFunc(images, slices.Compare)
			if size != bitboard.Size && len(slices.CompactFunc(images, slices.Equal)) < len(l.Patterns) {
				t.Errorf("%v: %s repeats a pattern", size, l.PatternText())
			}
		}
	}
	if _, err := Usual(board.Size{Rows: 7, Cols: 1}); err == nil {
		t.Error("7x1 has a layout")
	}
}
