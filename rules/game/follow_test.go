package game

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

func parse(t *testing.T, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

// followSteps enters changes as text and is the board after each.
func followSteps(t *testing.T, f *Followed, steps ...string) {
	t.Helper()
	for _, step := range steps {
		do, want, _ := strings.Cut(step, " ")
		d, err := board.ParseDirection(do)
		switch {
		case err == nil:
			err = f.Move(d)
		case do == "undo":
			if err = nil; !f.Undo() {
				t.Fatal("there is nothing to undo")
			}
		default:
			var s Spawn
			b := f.Board()
			if s, err = ParseTile(b.Size(), do); err == nil {
				err = f.Place(s)
			}
		}
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		if got := f.Board().String(); got != want {
			t.Fatalf("%s: %s", step, got)
		}
	}
}

func TestFollow(t *testing.T) {
	f := Follow(board.New(board.Size{Rows: 2, Cols: 3}))
	if f.Due() != 2 || f.Over() {
		t.Fatalf("an empty board: %d due, over %v", f.Due(), f.Over())
	}
	followSteps(t, f, "2@c1 0,0,2/0,0,0", "4@c1 0,0,4/0,0,0", "2@c1 0,0,2/0,0,0", "2@c2 0,0,2/0,0,2")
	if f.Due() != 0 {
		t.Fatalf("%d due", f.Due())
	}
	followSteps(t, f, "down 0,0,0/0,0,4")
	if f.Due() != 1 || f.Score() != 4 {
		t.Errorf("%d due, score %d", f.Due(), f.Score())
	}
	followSteps(t, f, "4@B1 0,4,0/0,0,4", "undo 0,0,0/0,0,4", "undo 0,0,2/0,0,2", "undo 0,0,2/0,0,0", "undo 0,0,0/0,0,0")
	if f.Undo() || f.Due() != 2 || f.Score() != 0 {
		t.Errorf("at the start: %d due, score %d", f.Due(), f.Score())
	}
	f.Replace(parse(t, "2,4/4,2"))
	if !f.Over() || f.Due() != 0 {
		t.Error("a board without a move is not over")
	}
	f.Replace(parse(t, "2,0/0,0"))
	if f.Due() != 1 {
		t.Errorf("a board with one tile: %d due", f.Due())
	}
	followSteps(t, f, "undo 2,4/4,2")
}

// What cannot be is refused and changes nothing.
func TestFollowRefuses(t *testing.T) {
	f := Follow(parse(t, "2,0/4,0"))
	before := *f
	unchanged := func(what string, err error, words string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", what, err)
		}
		if f.now != before.now || len(f.past) != len(before.past) {
			t.Errorf("%s changes the game", what)
		}
	}
	unchanged("a move that moves nothing", f.Move(board.Left), "changes nothing")
	unchanged("a tile before the move", f.Place(Spawn{1, 1}), ErrNoTileDue.Error())
	must.Do(t, f.Move(board.Right))
	before = *f
	if err := f.Move(board.Left); !errors.Is(err, ErrTileDue) {
		t.Error(err)
	}
	unchanged("a move before the tile", f.Move(board.Left), "new tile is due")
	unchanged("an occupied cell", f.Place(Spawn{3, 1}), "b2 is occupied by 4")
	unchanged("an 8", f.Place(Spawn{0, 3}), "must be 2 or 4")
	unchanged("a cell beyond", f.Place(Spawn{4, 1}), "not on a 2x2 board")
	f.Replace(parse(t, "2,4/4,2"))
	before = *f
	unchanged("a move after the end", f.Move(board.Up), ErrOver.Error())
}

// A game of this program, followed move by move, has the same boards and scores, and undoing all of
// it leads back to the start.
func TestFollowGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := board.Size{Rows: rapid.IntRange(2, 6).Draw(t, "rows"), Cols: rapid.IntRange(2, 6).Draw(t, "cols")}
		g := must.Get(New(Options{Size: size, Spawner: NewRandom(rapid.Uint64().Draw(t, "seed"), 0, P4)}))(t)
		f := Follow(board.New(size))
		for _, s := range g.Start() {
			must.Do(t, f.Place(s))
		}
		start := g.Board()
		for _, d := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 60).Draw(t, "moves") {
			moved := g.Move(board.Direction(d))
			if err := f.Move(board.Direction(d)); (err == nil) != (moved == nil) {
				t.Fatalf("%v, %v", moved, err)
			}
			if moved != nil {
				continue
			}
			must.Do(t, f.Place(g.LastSpawn()))
			if s, ok := f.Newest(); !ok || s != g.LastSpawn() {
				t.Fatalf("the newest tile is %v", s)
			}
			if f.Board() != g.Board() || f.Score() != g.Score() || f.Over() != g.Over() {
				t.Fatalf("%v %d, want %v %d", f.Board(), f.Score(), g.Board(), g.Score())
			}
		}
		for range 2 * g.Moves() {
			f.Undo()
		}
		if f.Board() != start || f.Due() != 0 {
			t.Fatalf("undone to %v", f.Board())
		}
	})
}

func TestParseTile(t *testing.T) {
	size := board.Size{Rows: 6, Cols: 5}
	for cell := range size.Cells() {
		for e := range uint8(board.MaxExponent + 1) {
			text := fmt.Sprintf("%d@%s", board.Tile(e), CellName(size, cell))
			if s, err := ParseTile(size, text); err != nil || s != (Spawn{cell, e}) {
				t.Fatalf("%s is %v, %v", text, s, err)
			}
		}
	}
	if got := CellName(size, 29); got != "e6" {
		t.Error(got)
	}
	if s, err := ParseTile(size, ".@E6"); err != nil || s != (Spawn{29, 0}) {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"", "2", "2@", "@a1", "1@a1", "6@a1", "-2@a1", "1125899906842624@a1", "99999999999999999999@a1", "2@f1", "2@a7", "2@1a", "2@a1 ", "2@a01", "2@a1@a1"} {
		if s, err := ParseTile(size, text); err == nil || !strings.Contains(err.Error(), "e6 (bottom right)") {
			t.Errorf("%q is %v, %v", text, s, err)
		}
	}
}

func TestEdit(t *testing.T) {
	b := parse(t, "2,0/0,4")
	for text, want := range map[string]string{
		"64@b1": "2,64/0,4", " 0@a1  8@B2 .@b2 ": "0,0/0,0", "2,2,2/4,4,4": "2,2,2/4,4,4", "64@b1 64@c1": "", "nothing": "",
	} {
		got, err := Edit(b, text)
		if want == "" && err == nil || want != "" && (err != nil || got.String() != want) {
			t.Errorf("%q: %v, %v, want %q", text, got, err, want)
		}
	}
}
