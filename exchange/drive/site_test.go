package drive

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// fakeSite is a page that follows the rules, unless a test makes it break them.
type fakeSite struct {
	t     *testing.T
	press func(s *fakeSite, d board.Direction) // nil: make the move
	keep  func(s *fakeSite)                    // nil: the message goes

	mu      sync.Mutex
	view    View
	shown   chan struct{} // closed when the view changes
	err     error
	random  *game.Random
	pressed []board.Direction
	advised chan Advice // receives advice, unless nil
}

func newSite(t *testing.T, seed uint64) *fakeSite {
	s := &fakeSite{t: t, shown: make(chan struct{}), random: game.NewRandom(seed, 0, game.P4)}
	b := board.New(board.Size{Rows: 4, Cols: 4})
	s.random.Place(&b, s.random.Draw())
	s.random.Place(&b, s.random.Draw())
	s.view = View{Board: b}
	s.view.key = keyOfView(&s.view)
	return s
}

func keyOfView(v *View) string { return fmt.Sprint(&v.Board, v.Won, v.Over) }

func (s *fakeSite) First() View { return s.now() }

// now is what the site shows.
func (s *fakeSite) now() View {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view
}

func (s *fakeSite) Next(ctx context.Context, last *View, within time.Duration) (View, bool, error) {
	late := time.NewTimer(within)
	defer late.Stop()
	for {
		s.mu.Lock()
		v, err, shown := s.view, s.err, s.shown
		s.mu.Unlock()
		if err != nil || v.key != last.key {
			return v, err == nil, err
		}
		select {
		case <-shown:
		case <-late.C:
			return *last, false, nil
		case <-ctx.Done():
			return *last, false, ctx.Err()
		}
	}
}

// set changes what the site shows.
func (s *fakeSite) set(change func(v *View)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.view)
	s.view.key = keyOfView(&s.view)
	close(s.shown)
	s.shown = make(chan struct{})
}

// show shows a board.
func (s *fakeSite) show(text string) {
	s.t.Helper()
	b, err := board.Parse(text)
	if err != nil {
		s.t.Fatal(err)
	}
	s.set(func(v *View) { v.Board = b })
}

// lose ends the site.
func (s *fakeSite) lose(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	close(s.shown)
	s.shown = make(chan struct{})
}

// move makes a move by the rules. An illegal one changes nothing.
func (s *fakeSite) move(d board.Direction) {
	s.set(func(v *View) { s.moveOn(v, d) })
}

// moveFrom makes a move on an earlier board, which no view shows again.
func (s *fakeSite) moveFrom(b board.Board, d board.Direction) {
	s.set(func(v *View) {
		v.Board = b
		s.moveOn(v, d)
	})
}

func (s *fakeSite) moveOn(v *View, d board.Direction) {
	after, reward, moved := v.Board.Slide(d)
	if !moved {
		return
	}
	s.random.Place(&after, s.random.Draw())
	v.Board, v.Score = after, v.Score+reward
}

func (s *fakeSite) Press(_ context.Context, d board.Direction) error {
	s.pressed = append(s.pressed, d)
	if s.press != nil {
		s.press(s, d)
	} else {
		s.move(d)
	}
	return nil
}

func (s *fakeSite) KeepPlaying(context.Context) error {
	if s.keep != nil {
		s.keep(s)
	} else {
		s.set(func(v *View) { v.Won = false })
	}
	return nil
}

func (s *fakeSite) Show(ctx context.Context, a *Advice) error {
	if s.advised != nil && a.Move != "" {
		select {
		case s.advised <- *a:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// made is a player of a spec.
func made(t *testing.T, spec string) player.Player {
	t.Helper()
	m := must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	return m.New()
}

// replay checks the records of a session.
func replay(t *testing.T, s *Session) (games []*game.Game) {
	t.Helper()
	for _, r := range s.Records() {
		g := must.Get(r.Replay())(t)
		games = append(games, g)
	}
	return games
}
