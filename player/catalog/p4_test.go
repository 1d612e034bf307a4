package catalog_test

import (
	"fmt"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// On this board a new 2 ends the game after up and right, and a new 4 after left and down.
const oddTile = "4,8,32,2/16,4,32,32/4,2,8,2/16,4,16,8"

// Players that know the share of 4s choose the moves that no new tile can lose.
func TestPlayersKnowTheShareOf4s(t *testing.T) {
	survives := map[string][4]bool{
		"%s":       {board.Left: true, board.Down: true}, // few 4s
		"%s(p4=0)": {board.Left: true, board.Down: true},
		"%s(p4=1)": {board.Up: true, board.Right: true},
	}
	for _, name := range []string{"auto", "best", "champion", "master", "expert", "level"} {
		for text, moves := range survives {
			m, err := catalog.Parse(fmt.Sprintf(text, name), catalog.Capabilities{})
			must.Do(t, err)
			if d := decide(t, m.New(), search.NewQuery(parse(t, oddTile), 0).Exact()); !moves[d.Move] {
				t.Errorf("%s plays %v: %+v", m.Spec, d.Move, d.Moves)
			}
		}
	}
}
