package live_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/player/live"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// begin lets a player play a seeded game on 3x3.
func begin(t *testing.T, p player.Player, until int64) *live.Game {
	t.Helper()
	g := newGame(t)
	d := &player.Driver{Player: p}
	d.Start(4, 0, g)
	e := live.New(g, d, until, 0)
	ctx, stop := context.WithCancel(t.Context())
	go e.Run(ctx)
	t.Cleanup(func() {
		stop()
		<-e.Done()
	})
	return e
}

func newGame(t *testing.T) *game.Game {
	t.Helper()
	return must.Get(game.New(game.Options{Size: board.Size{Rows: 3, Cols: 3}, Spawner: game.NewRandom(4, 0, game.P4)}))(t)
}

func greedy(t *testing.T) player.Player {
	t.Helper()
	m := must.Get(catalog.Parse("greedy", catalog.Capabilities{}))(t)
	return m.New()
}

// await waits for a snapshot that satisfies a condition.
func await(t *testing.T, e *live.Game, what string, wanted func(*live.Snapshot) bool) live.Snapshot {
	t.Helper()
	late := time.After(10 * time.Minute) // ends a hang
	for {
		if s := e.Snapshot(); wanted(&s) {
			return s
		}
		e.RequestSnapshot()
		select {
		case <-e.Updates():
		case <-late:
			t.Fatalf("%s did not come", what)
		}
	}
}

func over(s *live.Snapshot) bool { return s.Over }

// The game is the one that the player plays alone, whether it is steered or not.
func TestSteered(t *testing.T) {
	want := newGame(t)
	for p := greedy(t); !want.Over(); {
		d := must.Get(p.Decide(t.Context(), search.NewQuery(want.Board(), want.Score())))(t)
		must.Do(t, want.Move(d.Move))
	}
	e := begin(t, greedy(t), 0)
	if s := await(t, e, "the end", over); s.Board != want.Board() || s.Score != want.Score() || s.Moves != want.Moves() || s.FirstManualMove != 0 {
		t.Errorf("ended at %+v, want %v after %d moves", s, want.Board(), want.Moves())
	}
	for range 5 {
		e.Undo()
	}
	s := await(t, e, "five moves back", func(s *live.Snapshot) bool { return s.Moves == want.Moves()-5 && s.DecisionCurrent })
	if s.Running || s.Over {
		t.Errorf("back at %+v", s)
	}
	e.Forward()
	e.Forward()
	await(t, e, "two moves on", func(s *live.Snapshot) bool { return s.Moves == want.Moves()-3 })
	e.SetPause(time.Millisecond)
	e.SetRunning(true)
	if s := await(t, e, "the end again", over); s.Board != want.Board() {
		t.Errorf("ended again at %v", s.Board)
	}
	n := 0
	e.Inspect(func(g *game.Game) { n = g.Moves() })
	must.Equal(t, n, want.Moves(), "moves")
}

// A tile stops the game once; a manual move is reported.
func TestUntilAndByHand(t *testing.T) {
	e := begin(t, greedy(t), 32)
	s := await(t, e, "the tile", func(s *live.Snapshot) bool { return s.Reached })
	if s.Board.Largest() != 5 || s.Running {
		t.Errorf("reached %+v", s)
	}
	for _, d := range board.Directions {
		if _, _, moved := s.Board.Slide(d); moved {
			e.Move(d)
			break
		}
	}
	if by := await(t, e, "a move by hand", func(x *live.Snapshot) bool { return x.Moves == s.Moves+1 }); by.FirstManualMove != s.Moves+1 {
		t.Errorf("by hand from move %d, want %d", by.FirstManualMove, s.Moves+1)
	}
	e.SetRunning(true)
	await(t, e, "the end", over)
}

// Another player plays on from the shown board, also after moves were taken back; the one before is closed.
func TestReplaced(t *testing.T) {
	first := &closing{Player: greedy(t)}
	e := begin(t, first, 32)
	s := await(t, e, "the tile", func(s *live.Snapshot) bool { return s.Reached })
	e.Undo()
	s = await(t, e, "the move back", func(x *live.Snapshot) bool { return x.Moves == s.Moves-1 })
	e.Replace(&player.Driver{Player: blind{}}, 4, 0)
	failed := await(t, e, "the other player", func(s *live.Snapshot) bool { return s.Err != nil })
	if failed.Moves != s.Moves || !errors.Is(failed.Err, player.ErrNoMove) || !first.closed.Load() {
		t.Errorf("%+v, closed %v", failed, first.closed.Load())
	}
	e.Replace(&player.Driver{Player: greedy(t)}, 4, 0)
	e.SetRunning(true)
	await(t, e, "the tile again", func(s *live.Snapshot) bool { return s.Reached })
}

type closing struct {
	player.Player
	closed atomic.Bool
}

func (c *closing) Close() error {
	c.closed.Store(true)
	return nil
}

// A player that fails stops the game with its error.
func TestFailure(t *testing.T) {
	e := begin(t, broken{}, 0)
	s := await(t, e, "the failure", func(s *live.Snapshot) bool { return s.Err != nil })
	if !errors.Is(s.Err, errBroken) || s.Running {
		t.Errorf("%+v", s)
	}
}

var errBroken = errors.New("lost its mind")

type broken struct{}

func (broken) Start(_, _ uint64) {}

func (broken) Decide(context.Context, search.Query) (player.Decision, error) {
	return player.Decision{}, errBroken
}

// A player that returned no move where there is one fails; the game is not over.
func TestNoMove(t *testing.T) {
	s := await(t, begin(t, blind{}, 0), "the failure", func(s *live.Snapshot) bool { return s.Err != nil })
	if !errors.Is(s.Err, player.ErrNoMove) || s.Running || s.Over {
		t.Errorf("%+v", s)
	}
}

type blind struct{}

func (blind) Start(_, _ uint64) {}

func (blind) Decide(context.Context, search.Query) (player.Decision, error) {
	return player.Decision{}, nil
}
