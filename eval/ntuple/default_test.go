package ntuple

import (
	"fmt"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The layouts of some sizes, and what holds for all: they are valid, found by name, and without two
// patterns that are images of each other.
func TestDefaultLayout(t *testing.T) {
	want := map[string]string{
		"2x2": "0123", "2x3": "012345", "3x3": "012345 012347", "3x4": "012345 012456 014589 12569a 456789",
		"3x5": "012345 012567 0156ab 123678 1267bc 56789a", "4x4": "012345 456789 012456 45689a",
		"5x5": "012345 012567 123678 1267bc 56789a 678bcd abcdef",
	}
	for rows := board.MinSide; rows <= board.MaxSide; rows++ {
		for cols := board.MinSide; cols <= board.MaxSide; cols++ {
			size := board.Size{Rows: rows, Cols: cols}
			l, err := DefaultLayout(size)
			if err != nil || len(l.Patterns) > defaultPatterns {
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
				images = append(images, minImage(size, p))
			}
			slices.SortFunc(images, slices.Compare)
			if size != bitboard.Size && len(slices.CompactFunc(images, slices.Equal)) < len(l.Patterns) {
				t.Errorf("%v: %s repeats a pattern", size, l.PatternText())
			}
		}
	}
	if _, err := DefaultLayout(board.Size{Rows: 7, Cols: 1}); err == nil {
		t.Error("7x1 has a layout")
	}
}

// The error for an invalid network names the wrong cell, or lists the names for the size.
func TestParseNetworkErrors(t *testing.T) {
	for _, c := range []struct {
		size board.Size
		text string
		want string
	}{
		{board.Size{Rows: 5, Cols: 5}, "0123 012p", "a 5x5 board has no cell p, its last is o"},
		{board.Size{Rows: 3, Cols: 4}, "01z", "a 3x4 board has no cell z, its last is b"},
		{board.Size{Rows: 6, Cols: 6}, "2x6", `network "2x6" for 6x6 boards: must be one of 9x6`}, // not the cells 2, x and 6
		{bitboard.Size, "4X6", `network "4X6" for 4x4 boards: must be one of 2x4`},
		{bitboard.Size, "large", `network "large" for 4x4 boards: must be one of 2x4`},
	} {
		_, err := ParseNetwork(c.size, c.text)
		must.Contains(t, fmt.Sprint(err), c.want, c.size, c.text)
	}
	if l, err := ParseNetwork(board.Size{Rows: 6, Cols: 6}, "2x6 abcd"); err != nil || len(l.Patterns) != 2 {
		t.Errorf("cells 2, x and 6: %v, %v", l.Patterns, err)
	}
}

// A network downgrades boards of its size and of the transposed size, and no others.
func TestDowngradesOwnSizes(t *testing.T) {
	l := must.Get(DefaultLayout(board.Size{Rows: 3, Cols: 4}))(t)
	e := Evaluator{&Network{Head: Head{Layout: l, Downgrade: 8}}}
	for _, size := range []board.Size{l.Size, l.Size.Turned(), {Rows: 2, Cols: 6}} {
		b := board.New(size)
		b.Set(0, 11)
		must.Equal(t, e.DowngradeBoard(b) != b, size.Cols != 6, size, "changed")
	}
}
