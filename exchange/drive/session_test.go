package drive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// events collects what a session reports.
type events []Event

func (e *events) add(event Event) { *e = append(*e, event) }

func (e events) count(kind EventKind) (n int) {
	for _, event := range e {
		if event.Kind == kind {
			n++
		}
	}
	return n
}

// A site that follows the rules is played to the end, and the record is the game.
func TestPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newSite(t, 1)
		var seen events
		s := NewSession(site, made(t, "snake(depth=0)"), "snake(depth=0)", 1, Options{Report: seen.add})
		end, err := s.Run(t.Context())
		if err != nil || end != GameOver {
			t.Fatal(end, err)
		}
		games := replay(t, s)
		g := games[0]
		if g.Board() != site.view.Board || g.Score() != site.view.Score || !g.Over() || g.Moves() != len(site.pressed) {
			t.Errorf("the record ends on %v with %d points and %d moves, the site on %v with %d and %d", g.Board(), g.Score(), g.Moves(), site.view.Board, site.view.Score, len(site.pressed))
		}
		if _, given := g.StartBoard(); given {
			t.Error("the record is no whole game")
		}
		if seen.count(Began) != 1 || seen.count(Moved) != g.Moves() || len(seen) != g.Moves()+1 {
			t.Errorf("%d moves, events: %d began, %d moved, %d in all", g.Moves(), seen.count(Began), seen.count(Moved), len(seen))
		}
	})
}

// A session ends at once on a site that breaks the rules; the error has the expected and the actual board.
func TestLies(t *testing.T) {
	// Player of one move on this board: left. It leads to 4,4,0,0/2,0,0,0 and a new tile.
	const start = "2,2,4,0/2,0,0,0/0,0,0,0/0,0,0,0"
	for name, test := range map[string]struct {
		lie  func(s *fakeSite, d board.Direction)
		want string
	}{
		"a second new tile": {func(s *fakeSite, _ board.Direction) { s.show("4,4,2,2/2,0,0,0/0,0,0,0/0,0,0,0") }, "after left on 2,2,4,0/2,0,0,0/0,0,0,0/0,0,0,0 the page shows 4,4,2,2/2,0,0,0/0,0,0,0/0,0,0,0: expected 4,4,0,0/2,0,0,0/0,0,0,0/0,0,0,0 and one new 2 or 4"},
		"no new tile":       {func(s *fakeSite, _ board.Direction) { s.show("4,4,0,0/2,0,0,0/0,0,0,0/0,0,0,0") }, "and one new 2 or 4"},
		"a new 8":           {func(s *fakeSite, _ board.Direction) { s.show("4,4,8,0/2,0,0,0/0,0,0,0/0,0,0,0") }, "and one new 2 or 4"},
		"a merge too many":  {func(s *fakeSite, _ board.Direction) { s.show("8,0,0,2/2,0,0,0/0,0,0,0/0,0,0,0") }, "and one new 2 or 4"},
		"a lost tile":       {func(s *fakeSite, _ board.Direction) { s.show("4,4,0,0/0,0,0,2/0,0,0,0/0,0,0,0") }, "and one new 2 or 4"},
		"a greater tile":    {func(s *fakeSite, _ board.Direction) { s.show("4,16,0,0/2,0,0,2/0,0,0,0/0,0,0,0") }, "and one new 2 or 4"},
		"another size":      {func(s *fakeSite, _ board.Direction) { s.show("4,4,2/2,0,0/0,0,0") }, "the page shows 4,4,2/2,0,0/0,0,0"},
		"a new game":        {func(s *fakeSite, _ board.Direction) { s.set(func(v *View) { *v = newSite(t, 9).view }) }, "the page began a new game"},
		"a game over":       {func(s *fakeSite, d board.Direction) { s.move(d); s.set(func(v *View) { v.Over = true }) }, "the page says that the game is over"},
		"nothing":           {func(*fakeSite, board.Direction) {}, "left was pressed 3 times, and the page still shows"},
		"other keys":        {func(s *fakeSite, _ board.Direction) { s.move(board.Up) }, "expected 4,4,0,0/2,0,0,0/0,0,0,0/0,0,0,0 and one new 2 or 4; up leads to this board: the page may use other keys"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				site := newSite(t, 3)
				site.show(start)
				site.press = test.lie
				s := NewSession(site, leftmost{}, "left", 1, Options{})
				_, err := s.Run(t.Context())
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%v, want %s", err, test.want)
				}
				replay(t, s)
			})
		})
	}
}

// A session ends if the page moves without a key press, even if the move is legal.
func TestMovesByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newSite(t, 3)
		go func() {
			time.Sleep(500 * time.Millisecond) // the player thinks for a second
			site.move(board.Left)
		}()
		s := NewSession(site, slow{leftmost{}}, "left", 1, Options{})
		if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "without a key") {
			t.Error(err)
		}
	})
}

// otherKey makes a person's legal move in another direction.
func (s *fakeSite) otherKey(d board.Direction) {
	b := s.now().Board
	for _, other := range board.Directions {
		if _, _, moved := b.Slide(other); moved && other != d {
			s.move(other)
			return
		}
	}
}

// leftmost moves to the left, if it can.
type leftmost struct{}

func (leftmost) Start(_, _ uint64) {}
func (leftmost) Decide(_ context.Context, q search.Query) (d player.Decision, err error) {
	d.Board = q.Board
	for _, dir := range []board.Direction{board.Left, board.Down, board.Right, board.Up} {
		if _, _, moved := q.Board.Slide(dir); moved && !d.OK {
			d.Move, d.OK = dir, true
		}
	}
	return d, nil
}

// Illegal boards that a page shows while tiles move are ignored.
func TestBoardsInBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newSite(t, 4)
		site.press = func(s *fakeSite, d board.Direction) {
			before := s.now().Board
			after, _, _ := before.Slide(d)
			go func() {
				time.Sleep(50 * time.Millisecond)
				s.set(func(v *View) { v.Board = after }) // the new tile comes later
				time.Sleep(100 * time.Millisecond)
				s.moveFrom(before, d)
			}()
		}
		s := NewSession(site, made(t, "greedy"), "greedy", 1, Options{Until: 32})
		must.Get(s.Run(t.Context()))(t)
		replay(t, s)
	})
}

// slow thinks for a second.
type slow struct{ player.Player }

func (p slow) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return player.Decision{}, ctx.Err()
	}
	return p.Player.Decide(ctx, q)
}

func TestWin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newSite(t, 6)
		won := false
		site.press = func(s *fakeSite, d board.Direction) {
			if s.now().Won {
				t.Error("a key is pressed under the message")
			}
			s.set(func(v *View) {
				s.moveOn(v, d)
				if !won && v.Board.Largest() >= 5 {
					won, v.Won = true, true
				}
			})
		}
		var seen events
		s := NewSession(site, made(t, "snake(depth=0)"), "", 1, Options{Until: 64, Report: seen.add})
		if end, err := s.Run(t.Context()); end != Reached || err != nil || seen.count(Continued) != 1 {
			t.Errorf("%v %v, continued %d times", end, err, seen.count(Continued))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		site := newSite(t, 6)
		site.set(func(v *View) { v.Won = true })
		site.keep = func(*fakeSite) {}
		s := NewSession(site, made(t, "greedy"), "", 1, Options{})
		if _, err := s.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "does not continue after a click") {
			t.Error(err)
		}
	})
}

func TestLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("gone")
		site := newSite(t, 7)
		site.press = func(s *fakeSite, d board.Direction) {
			s.move(d)
			if len(s.pressed) == 10 {
				s.lose(gone)
			}
		}
		s := NewSession(site, made(t, "greedy"), "greedy", 1, Options{})
		if _, err := s.Run(t.Context()); !errors.Is(err, gone) {
			t.Error(err)
		}
		if g := replay(t, s)[0]; g.Moves() < 9 {
			t.Errorf("the record has %d moves", g.Moves())
		}
	})
}

// A key that the page loses is pressed again.
func TestLostKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newSite(t, 8)
		site.press = func(s *fakeSite, d board.Direction) {
			if len(s.pressed)%3 == 0 {
				s.move(d)
			}
		}
		s := NewSession(site, made(t, "greedy"), "", 1, Options{Until: 16})
		if end, err := s.Run(t.Context()); end != Reached || err != nil || site.view.Board.Largest() != 4 {
			t.Errorf("%v %v: %v", end, err, &site.view.Board)
		}
	})
}

// A slow page may obey a key that was pressed again twice.
func TestSlowPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := newSite(t, 8)
		site.press = func(s *fakeSite, d board.Direction) {
			// Each key takes a little longer. With one time for all, a move comes when the session presses again, and
			// the order of the two is up to the scheduler.
			delay := 4*time.Second + time.Duration(len(s.pressed))*time.Millisecond
			go func() {
				time.Sleep(delay)
				s.move(d)
			}()
		}
		s := NewSession(site, made(t, "greedy"), "greedy", 1, Options{Until: 16})
		if end, err := s.Run(t.Context()); end != Reached || err != nil {
			t.Error(end, err)
		}
		replay(t, s)
		time.Sleep(time.Minute) // the keys that are on their way
	})
}

func TestSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		site := newSite(t, 1)
		s := NewSession(site, made(t, "greedy"), "", 1, Options{Until: 32, Speed: 5})
		must.Get(s.Run(t.Context()))(t)
		n := len(site.pressed)
		if took, want := time.Since(begin), time.Duration(n-1)*200*time.Millisecond; took != want {
			t.Errorf("%d moves in %v, want %v", n, took, want)
		}
	})
}
