package serve

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
)

// The page explains the classes of moves by the limits of package player.
func TestClassLimits(t *testing.T) {
	source, err := os.ReadFile("ui/src/judge.ts")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("limits = { good: %v, inaccuracy: %v, mistake: %v }", player.GoodLimit, player.InaccuracyLimit, player.MistakeLimit)
	if !strings.Contains(string(source), want) {
		t.Errorf("ui/src/judge.ts lacks %s", want)
	}
}

// hardBoard is an entry of the page's file.
type hardBoard struct {
	Stage, Tile int64
	Board       string
	Games       int
	Made        map[board.Direction]int
}

func hardBoards(t *testing.T) (all []hardBoard) {
	t.Helper()
	data, err := os.ReadFile("ui/src/hard.json")
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The hard boards are of their stage sets, and have the chance after each legal move, and a choice.
func TestHardBoards(t *testing.T) {
	all := hardBoards(t)
	for _, h := range all {
		b, err := board.Parse(h.Board)
		if err != nil {
			t.Fatal(err)
		}
		starts, err := stages.Open(h.Stage)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(starts, func(s arena.Start) bool { return s.Board == b }) {
			t.Errorf("%v is not of stage %d", h.Board, h.Stage)
		}
		if h.Tile != board.Tile(b.Largest()+1) {
			t.Errorf("%v: the next tile is not %d", h.Board, h.Tile)
		}
		for _, d := range board.Directions {
			_, _, legal := b.Slide(d)
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
