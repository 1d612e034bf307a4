package record_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// A resumed game continues as it would have without interruption, with any spawn rule.
func TestResume(t *testing.T) {
	for _, text := range []string{"random", "random(p4=0.5)", "adversary", "friendly(share=0.5)"} {
		rule := must.Get(catalog.ParseSpawner(text, catalog.Capabilities{}))(t)
		o := game.Options{Size: board.Size{Rows: 3, Cols: 4}, Spawner: rule.New(5, 1)}
		if text == "friendly(share=0.5)" {
			o.Board, _ = board.Parse("2,0,0,0/4,8,0,0/1024,1024,2,4")
		}
		g := must.Get(game.New(o))(t)
		play(g, 10)
		meta := record.Meta{Spawn: rule.Spec, Seed: 5, Game: 1}
		if rule.Random {
			meta.Spawn, meta.P4 = record.Random, rule.P4
		}
		r := record.Of(g, meta)
		again := must.Get(r.Resume(rule.New(5, 1), false))(t)
		play(g, 10)
		play(again, 10)
		if g.Board() != again.Board() || g.Score() != again.Score() || g.Moves() != again.Moves() {
			t.Errorf("%s: continues to %v, without the break to %v", text, again.Board(), g.Board())
		}
		r.Score += 4
		if _, err := r.Resume(rule.New(5, 1), false); err == nil {
			t.Errorf("%s: a wrong score is taken", text)
		}
	}
}

// play makes a number of moves, each the first legal one.
func play(g *game.Game, moves int) {
	for range moves {
		for _, d := range board.Directions {
			if g.Move(d) == nil {
				break
			}
		}
	}
}
