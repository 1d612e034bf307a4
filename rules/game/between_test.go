package game

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

func parse(t *testing.T, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

// playedBoards returns the moves of a game that picks legal moves at random, and its boards.
func playedBoards(t *rapid.T, moves int) (steps []Step, boards []board.Board) {
	size := board.Size{Rows: rapid.IntRange(2, 4).Draw(t, "rows"), Cols: rapid.IntRange(2, 4).Draw(t, "columns")}
	g := must.Get(New(Options{Size: size, Spawner: NewRandom(rapid.Uint64().Draw(t, "seed"), 0, 0.5)}))(t)
	boards = append(boards, g.Board())
	for range moves {
		if g.Over() {
			break
		}
		d := board.Direction(rapid.IntRange(0, 3).Draw(t, "direction"))
		for g.Move(d) != nil {
			d = (d + 1) % 4
		}
		last, _ := g.LastStep()
		steps, boards = append(steps, last), append(boards, g.Board())
	}
	return steps, boards
}

// Every move of a game is found, and each path that is found leads to the board.
func TestPathsBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps, boards := playedBoards(t, 12)
		for i, s := range steps {
			if all := StepsBetween(&boards[i], &boards[i+1]); !slices.Contains(all, s) {
				t.Fatalf("%v to %v: %v lacks %v", boards[i], boards[i+1], all, s)
			}
		}
		for i := 0; i+2 < len(boards); i++ {
			made, exact := false, false
			for path := range PathsBetween(&boards[i], &boards[i+2], 2) {
				b := boards[i]
				for _, s := range path {
					after, _, moved := b.Slide(s.Move)
					if !moved || after.Cell(s.Spawn.Cell) != 0 {
						t.Fatalf("%v: step %v of %v is illegal", b, s, path)
					}
					b = after
					b.Set(s.Spawn.Cell, s.Spawn.Exponent)
				}
				if b != boards[i+2] {
					t.Fatalf("%v leads from %v to %v, not %v", path, boards[i], b, boards[i+2])
				}
				made, exact = true, exact || slices.Equal(path, steps[i:i+2])
			}
			shorter := len(StepsBetween(&boards[i], &boards[i+2])) > 0
			if !made || !exact && !shorter {
				t.Fatalf("%v to %v: the moves %v are not found", boards[i], boards[i+2], steps[i:i+2])
			}
		}
	})
}

func TestStepsBetween(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     []Step
	}{
		{"2,0/0,0", "2,2/0,0", []Step{{Move: board.Right, Spawn: Spawn{Cell: 0, Exponent: 1}}}},
		{"2,2/0,0", "4,0/0,4", []Step{{Move: board.Left, Spawn: Spawn{Cell: 3, Exponent: 2}}}},
		{"0,2,0/0,0,0", "2,0,2/0,0,0", []Step{
			{Move: board.Right, Spawn: Spawn{Cell: 0, Exponent: 1}}, {Move: board.Left, Spawn: Spawn{Cell: 2, Exponent: 1}},
		}},
		{"2,2/0,0", "2,2/0,0", nil},     // no move
		{"2,2/0,0", "4,0/0,0", nil},     // no spawn
		{"2,2/0,0", "4,0/0,8", nil},     // a spawn of 8
		{"2,2/0,0", "4,2/0,2", nil},     // two spawns
		{"2,2/0,0", "8,0/0,2", nil},     // another merge
		{"2,2/0,0", "4,0,0/0,2,0", nil}, // another size
	} {
		from, to := parse(t, c.from), parse(t, c.to)
		if got := StepsBetween(&from, &to); !slices.Equal(got, c.want) {
			t.Errorf("%s to %s: %v, want %v", c.from, c.to, got, c.want)
		}
	}
	from, to := parse(t, "2,4/8,16"), parse(t, "2,4/8,32")
	for path := range PathsBetween(&from, &to, 3) {
		t.Errorf("a dead board leads on by %v", path)
	}
}
