package experiment_test

import (
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/experiment/stages"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// enough is the minimum number of parent games of a set. In branched sets many parents lead to the
// same boards up to symmetry, which a set contains once.
func enough(sum int64) int {
	if sum > 32256 {
		return 75
	}
	return 100
}

// The boards of each stage are distinct, have a legal move and come from enough games.
func TestStages(t *testing.T) {
	for _, sum := range stages.Sums() {
		starts := must.Get(stages.Open(sum))(t)
		parents, boards := map[string]int{}, map[board.Board]bool{}
		goal := stages.Next(sum)
		for _, s := range starts {
			if s.Board.Sum() < sum || goal.Reached(&s.Board) || s.Board.Terminal() || s.Parent == "" || boards[s.Board] {
				t.Errorf("stage %d: board %v of %q, sum %d", sum, s.Board, s.Parent, s.Board.Sum())
			}
			boards[s.Board] = true
			if parents[s.Parent]++; parents[s.Parent] > 3 {
				t.Errorf("stage %d: more than three boards of %q", sum, s.Parent)
			}
		}
		if want := enough(sum); len(parents) < want {
			t.Errorf("stage %d: boards of %d games, want %d", sum, len(parents), want)
		}
	}
	if _, err := stages.Open(1000); err == nil {
		t.Error("there is a stage of 1000")
	}
}

func TestEndings(t *testing.T) {
	if got := stages.Endings(); !slices.Equal(got, []string{"4", "5", "6-block", "6-others", "6-row", "6-t"}) {
		t.Errorf("endings %q", got)
	}
	for _, name := range stages.Endings() {
		starts, goal, err := stages.Load("ending:"+name, nil)
		if err != nil || len(starts) != 100 || goal.Tile != 32768 {
			t.Fatalf("%s: %d boards, goal %v, %v", name, len(starts), goal, err)
		}
		for _, s := range starts {
			b, _ := bitboard.From(&s.Board)
			if _, walls := endings.Of(b); walls != int(name[0]-'0') || s.Board.Terminal() {
				t.Errorf("%s: %v has %d walls", name, s.Board, walls)
			}
		}
	}
	if _, _, err := stages.Load("ending:7", nil); err == nil {
		t.Error("there is an ending 7")
	}
}
