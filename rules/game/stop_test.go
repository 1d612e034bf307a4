package game

import (
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

func TestGoal(t *testing.T) {
	b := must.Get(board.Parse("2,4/8,0"))(t)
	for text, reached := range map[string]bool{"8": true, "16": false, "sum=14": true, "sum=15": false} {
		g := must.Get(ParseStop(text))(t)
		if g.Reached(&b) != reached || g.String() != text {
			t.Errorf("goal %q on %v: reached %v, text %q", text, b, g.Reached(&b), g.String())
		}
	}
	if (Stop{}).Reached(&b) {
		t.Error("no goal is reached")
	}
	for _, text := range []string{"", "0", "2", "3", "sum=", "sum=0", "sum=-4", "SUM=8", "1e3", "99999999999999999999"} {
		if g, err := ParseStop(text); err == nil {
			t.Errorf("goal %q is read as %+v", text, g)
		}
	}
}

func TestStartBoard(t *testing.T) {
	b := must.Get(board.Parse("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,0"))(t)
	g := must.Get(New(Options{Board: b, Spawner: NewRandom(1, 0, P4)}))(t)
	if g.Board() != b || g.Score() != 0 || g.Moves() != 0 {
		t.Fatalf("starts at %v with %d points after %d moves", g.Board(), g.Score(), g.Moves())
	}
	must.Do(t, g.Move(board.Right))
	if !g.Undo() || g.Board() != b || g.Undo() {
		t.Errorf("undo leads to %v", g.Board())
	}
	if _, err := New(Options{Board: b, Size: board.Size{Rows: 3, Cols: 3}}); err == nil {
		t.Error("a 4x4 board starts a 3x3 game")
	}
}
