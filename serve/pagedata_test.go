package serve

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/experiment/arena"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// hardBoard is an entry of the page's file.
type hardBoard struct {
	Stage, Tile int64
	Board       string
	Games       int
	Made        map[board.Direction]int
}

func hardBoards(t *testing.T) (all []hardBoard) {
	t.Helper()
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile("ui/src/state/hard.json"))(t), &all))
	return all
}

// The hard boards are of their stage sets, and have the chance after each legal move, and a choice. They were chosen once, by 4000
// games of the champion's network after each move of candidates (package odds): the move of snake gives away at least 6 % of the chance
// to make the next tile, master agrees on the best move, and the second-best one keeps a fifth of the chance. Of each set there are the
// ten at most that lose most.
func TestHardBoards(t *testing.T) {
	all := hardBoards(t)
	for _, h := range all {
		b := must.Get(board.Parse(h.Board))(t)
		starts := must.Get(stages.Open(h.Stage))(t)
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
