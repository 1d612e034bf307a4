//go:build !race

// Builds for the race detector have no network.

package review

import (
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// A strong player recovers from what the network's values call a blunder, but not from a game that ends.
func TestConfirmed(t *testing.T) {
	parse := func(spec string) (catalog.Maker, error) { return catalog.Parse(spec, catalog.Capabilities{}) }
	j := must.Get(New(parse, nil, bitboard.Size, LongGame, game.P4))(t)
	for text, want := range map[string]struct {
		played board.Direction
		before protocol.MoveClass // by the second look alone
		class  protocol.MoveClass
	}{
		"16,128,8,2/4,4,32,8/4,16,8,0/2,2,0,0":         {board.Down, protocol.ClassBlunder, protocol.ClassGood},
		"16,64,128,256/8,16,32,128/4,8,16,32/2,2,8,16": {board.Right, protocol.ClassBlunder, protocol.ClassBlunder},
	} {
		p := Position{Position: eval.Position{Board: must.Get(board.Parse(text))(t)}, Played: want.played}
		alone := *j
		alone.confirm = nil
		before := must.Get(alone.Look(t.Context(), SecondLook, []Position{p}, Options{Threads: 1}))(t)[0]
		after := must.Get(j.Look(t.Context(), SecondLook, []Position{p}, Options{Threads: 1}))(t)[0]
		if before.Class != want.before || after.Class != want.class || after.Accuracy != Accuracy(after.Loss, p.Board.Size()) {
			t.Errorf("%s: %v %.3f, then %v %.3f, want %v", text, before.Class, before.Loss, after.Class, after.Loss, want)
		}
	}
}
