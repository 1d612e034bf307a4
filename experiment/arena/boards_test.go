package arena

import (
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

func TestBoardsAtSums(t *testing.T) {
	g := must.Get(game.New(game.Options{Spawner: game.NewRandom(1, 1, game.P4)}))(t)
	sums := []int64{60, 20, 21, 100_000, 40}
	var want []board.Board // found on the way forward
	next := []int64{20, 21, 40, 60}
	for !g.Over() {
		b := g.Board()
		for len(next) > 0 && b.Sum() >= next[0] {
			if !slices.Contains(want, b) {
				want = append(want, b)
			}
			next = next[1:]
		}
		for _, d := range upFirst {
			if g.Move(d) == nil {
				break
			}
		}
	}
	if len(next) > 0 {
		t.Fatalf("the game ends before a sum of %d", next[0])
	}
	if got := BoardsAtSums(g, sums); !slices.Equal(got, want) {
		t.Errorf("boards %v, want %v", got, want)
	}
}

// TestBoardsAtSumsDead leaves out a board that is the end of its game.
func TestBoardsAtSumsDead(t *testing.T) {
	b := must.Get(board.Parse("2,4,2,4/4,2,4,2/2,4,2,4/8,16,0,32"))(t)
	g, err := game.New(game.Options{Board: b, Spawner: &game.Scripted{Spawns: []game.Spawn{{Cell: 12, Exponent: 2}}}})
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, g.Move(board.Right))
	dead := g.Board()
	if got := BoardsAtSums(g, []int64{dead.Sum()}); len(got) != 0 {
		t.Errorf("%v of a game that ends on %v", got, dead)
	}
}
