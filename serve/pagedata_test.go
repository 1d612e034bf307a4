package serve

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"afterstate/arena"
	"afterstate/arena/stages"
	"afterstate/board"
	"afterstate/review"
)

// The page explains the classes of moves by the limits of package review.
func TestClassLimits(t *testing.T) {
	source, err := os.ReadFile("ui/src/judge.ts")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("limits = { good: %v, inaccuracy: %v, mistake: %v }", review.GoodLimit, review.InaccuracyLimit, review.MistakeLimit)
	if !strings.Contains(string(source), want) {
		t.Errorf("ui/src/judge.ts lacks %s", want)
	}
}

// The hard boards of the page have a chance for each legal move, and a choice.
func TestHardBoards(t *testing.T) {
	data, err := os.ReadFile("ui/src/hard.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Stage, Tile int64
		Board       board.Board
		Games       int
		Made        map[board.Direction]int
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, h := range all {
		starts, err := stages.Open(h.Stage)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(starts, func(s arena.Start) bool { return s.Board == h.Board }) {
			t.Errorf("%v is not of stage %d", h.Board, h.Stage)
		}
		if h.Tile != board.Tile(h.Board.Largest()+1) {
			t.Errorf("%v: the next tile is not %d", h.Board, h.Tile)
		}
		for _, d := range board.Directions {
			_, _, legal := h.Board.Slide(d)
			if n, ok := h.Made[d]; ok != legal || n < 0 || n > h.Games {
				t.Errorf("%v: %v is legal: %v, made %d of %d", h.Board, d, legal, n, h.Games)
			}
		}
		if len(h.Made) < 2 {
			t.Errorf("%v has no choice", h.Board)
		}
	}
	if len(all) < 20 {
		t.Errorf("%d boards", len(all))
	}
}
