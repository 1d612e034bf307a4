package drive

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Advice is shown for every board; the person makes the move, another one, goes back, and starts again.
func TestAdvise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newSite(t, 10)
		site.advised = make(chan Advice)
		var seen events
		ctx, stop := context.WithCancel(t.Context())
		s := NewSession(site, made(t, "expectimax(eval=empty,plies=1)"), "", 1, Options{Advise: true, Report: seen.add})
		done := make(chan error)
		go func() { _, err := s.Run(ctx); done <- err }()

		start := site.now().Board
		first := <-site.advised
		d, err := board.ParseDirection(first.Move)
		if err != nil || first.Title == "" {
			t.Fatalf("%+v", first)
		}
		site.move(d)
		after := site.now().Board
		<-site.advised
		site.otherKey(board.Left)
		<-site.advised
		site.set(func(v *View) { v.Board = start }) // two moves back
		again := <-site.advised
		if again != first {
			t.Errorf("after undo %+v, want %+v", again, first)
		}
		site.set(func(v *View) { v.Board = after })
		<-site.advised
		fresh := newSite(t, 11)
		site.set(func(v *View) { *v = fresh.view })
		<-site.advised
		site.move(board.Left)
		site.otherKey(board.Up)
		<-site.advised
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if len(site.pressed) > 0 {
			t.Errorf("%v was pressed", site.pressed)
		}
		games := replay(t, s)
		if len(games) != 2 || games[0].Moves() != 1 || games[1].Board() != site.view.Board {
			t.Errorf("%d games are recorded", len(games))
		}
		if seen.count(Undone) != 1 || seen.count(Began) != 2 {
			t.Errorf("%d undone, %d began", seen.count(Undone), seen.count(Began))
		}
	})
}

// If several sequences of moves lead to a board, the page's score decides which was played.
func TestExplainByScore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := must.Get(game.New(game.Options{Size: board.Size{Rows: 3, Cols: 3}, Spawner: game.NewRandom(rapid.Uint64().Draw(t, "seed"), 0, 0.5)}))(t)
		move := func(n int) {
			for range n {
				d := board.Direction(rapid.IntRange(0, 3).Draw(t, "direction"))
				for !g.Over() && g.Move(d) != nil {
					d = (d + 1) % 4
				}
			}
		}
		move(rapid.IntRange(0, 20).Draw(t, "moves"))
		h := must.Get(newHistory(&View{Board: g.Board(), Score: g.Score()}))(t)
		before := g.Moves()
		move(rapid.IntRange(1, 2).Draw(t, "seen moves"))
		to := View{Board: g.Board(), Score: g.Score()}
		steps := h.explain(&to, nil, func([]game.Step) bool { return true })
		if g.Moves() == before {
			return
		}
		if steps == nil {
			t.Fatalf("%v is not explained", &to.Board)
		}
		if got := h.scoreAfter(steps); got != to.Score && len(steps) == g.Moves()-before {
			t.Fatalf("%v have %d points, want %d", steps, got, to.Score)
		}
		if err := h.make(steps); err != nil || h.game.Board() != to.Board {
			t.Fatal(h.game.Board(), err)
		}
	})
}
