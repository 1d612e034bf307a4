package odds

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/eval/models"
	"github.com/afterstate2048/afterstate/eval/ntuple"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/learn/learntest"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

func TestMain(m *testing.M) { testenv.Main(m) }

// patterns has, by board size, the patterns of networks that are trained for a moment.
var patterns = map[string]string{
	"4x4": "0123 4567 0145 1256 569a", "3x3": "0134 0123 1345", "2x3": "012 0134", "3x2": "024 0123",
}

// trained returns the network of a board size.
func trained(t testing.TB, size string) *ntuple.Network {
	t.Helper()
	return learntest.Trained(t, must.Get(board.ParseSize(size))(t), patterns[size])
}

// networks finds trained networks by board size.
func networks(t testing.TB) func(name string, file bool) (models.Source, error) {
	return func(name string, _ bool) (models.Source, error) {
		if patterns[name] == "" {
			return models.Source{}, errors.New("no such network")
		}
		return models.Source{Load: func() (*ntuple.Network, error) { return trained(t, name), nil }}, nil
	}
}

func maker(t testing.TB, spec string) catalog.Maker {
	t.Helper()
	return must.Get(catalog.Parse(spec, catalog.Capabilities{Networks: networks(t)}))(t)
}

func position(t testing.TB, text string) eval.Position {
	t.Helper()
	b := must.Get(board.Parse(text))(t)
	return eval.Position{Board: b, Score: 100}
}

// play plays the games of a position.
func play(t testing.TB, m catalog.Maker, at eval.Position, o Options) *Odds {
	t.Helper()
	e := must.Get(New(t.Context(), m, at, o))(t)
	defer e.Close()
	return must.Get(e.Play(t.Context()))(t)
}

// exactly compares results with all that they count.
func exactly(a, b *Odds) string {
	return cmp.Diff(a, b, cmp.AllowUnexported(Odds{}, pair{}, Estimate{}), cmp.Comparer(func(a, b board.Board) bool { return a == b }))
}

const middle = "128,64,8,2/16,32,4,2/4,8,2,0/2,4,0,0"

// Playing a network's games in lockstep gives the same games as its rollout player, also where tiles
// do not fit into a bitboard, with any number of threads.
func TestFastGamesAreThePlayers(t *testing.T) {
	for _, c := range []struct{ spec, board string }{
		{"ntuple(model=4x4)", middle},
		{"ntuple(model=4x4,downgrade=0,plies=1)", middle},
		{"ntuple(model=4x4,downgrade=512)", "512,512,8,2/16,32,4,2/4,8,2,0/2,4,0,0"},
		{"ntuple(model=4x4)", "32768,0,0,2/16384,8192,8192,2/2,0,0,0/0,0,0,0"},
		{"ntuple(model=4x4)", "32768,32768,0,2/2,0,0,0/2,0,0,0/0,0,0,0"},
		{"ntuple(model=4x4)", "65536,0,0,2/32768,32768,0,2/2,0,0,0/0,0,0,0"},
		{"ntuple(model=3x3)", "2,4,8/2,0,0/0,0,0"},
	} {
		fast := maker(t, c.spec)
		slow := fast
		slow.Network = nil
		at := position(t, c.board)
		for _, o := range []Options{{}, {Tiles: []uint8{9, 15}}, {P4: 0.5}} {
			o.Games, o.Seed, o.Threads = 20, 7, 1
			want := play(t, slow, at, o)
			if want.Games != 20 || want.Whole != 3 {
				t.Fatalf("%s: %d games, %d whole", c.board, want.Games, want.Whole)
			}
			for _, o.Threads = range []int{1, 3} {
				got := play(t, fast, at, o)
				want.PlayedBy = got.PlayedBy
				must.Equal(t, exactly(want, got), "", c.spec, c.board, o.Threads, "threads")
			}
		}
	}
}

// The same seed and number of games give the same result with any number of threads; another seed gives another result.
func TestThreads(t *testing.T) {
	for _, spec := range []string{"greedy", "random", "ntuple(model=4x4)"} {
		m := maker(t, spec)
		at := position(t, "4,64,64,4/16,32,8,2/4,8,16,4/2,4,8,2") // only sideways, and then lost or not
		want := play(t, m, at, Options{Games: 600, Threads: 1, Seed: 2})
		for _, workers := range []int{2, 5} {
			if diff := exactly(want, play(t, m, at, Options{Games: 600, Threads: workers, Seed: 2})); diff != "" {
				t.Errorf("%s, %d threads: %s", spec, workers, diff)
			}
		}
		if other := play(t, m, at, Options{Games: 600, Threads: 2, Seed: 3}); exactly(want, other) == "" {
			t.Errorf("%s: the seed changes nothing", spec)
		}
	}
}

// Every eighth round has whole games.
func TestWholeGames(t *testing.T) {
	r := play(t, maker(t, "greedy"), position(t, "64,32,16/8,4,2/2,4,0"), Options{Games: 100})
	if r.Games != 100 || r.Whole != 13 {
		t.Errorf("%d games, %d whole", r.Games, r.Whole)
	}
}

// slowed is a maker whose players take time for each decision in a synctest bubble.
func slowed(m catalog.Maker, cost time.Duration) catalog.Maker {
	fresh := m.New
	m.New = func() player.Player { return &slow{fresh(), cost} }
	m.NewRollout = m.New
	return m
}

type slow struct {
	player.Player
	cost time.Duration
}

func (s *slow) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	time.Sleep(s.cost)
	return s.Player.Decide(ctx, q)
}

// Play returns what it has when ctx ends.
func TestLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := must.Get(New(t.Context(), slowed(maker(t, "greedy"), time.Millisecond), position(t, "2,4,2/4,2,4/2,4,4"), Options{Threads: 2}))(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		r, err := e.Play(ctx)
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || r.Games == 0 || took < time.Second || took > 1002*time.Millisecond {
			t.Errorf("%d games, %v after %v", r.Games, err, took)
		}
	})
}

// ending is a context that is cancelled after a number of calls of Err.
type ending struct {
	context.Context
	calls int
}

func (e *ending) Err() error {
	if e.calls--; e.calls < 0 {
		return context.Canceled
	}
	return nil
}

// The fast games end with the context too.
func TestFastGamesEnd(t *testing.T) {
	e := must.Get(New(t.Context(), maker(t, "ntuple(model=4x4)"), position(t, middle), Options{Threads: 1}))(t)
	c := &collector{o: &e.o, result: newOdds(e.at, &e.o), legal: e.at.Board.Legal()}
	e.threads[0].c = c
	if err := e.threads[0].playFast(&ending{t.Context(), 5000}); err != nil || c.result.Games < 64 || c.started > 5000 {
		t.Errorf("%d games, %d begun, %v", c.result.Games, c.started, err)
	}
}

type broken struct{ player.Player }

func (broken) Decide(context.Context, search.Query) (player.Decision, error) {
	return player.Decision{}, errors.New("broken")
}

// A player's error ends the games; its panic can be recovered by the caller.
func TestFailures(t *testing.T) {
	m := maker(t, "greedy")
	m.New = func() player.Player { return broken{maker(t, "greedy").New()} }
	e, _ := New(t.Context(), m, position(t, middle), Options{})
	_, err := e.Play(t.Context())
	must.Equal(t, fmt.Sprint(err), "broken", "error")
	m.New = func() player.Player { return &slow{} } // a nil player inside
	m.NewRollout = nil
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	e, _ = New(t.Context(), m, position(t, middle), Options{})
	_, _ = e.Play(t.Context())
}

// Boards without a move, with one move, with a tile that is there already, and without a network for
// the size.
func TestSpecialBoards(t *testing.T) {
	r := play(t, maker(t, "greedy"), position(t, "2,4/4,2"), Options{})
	if _, ok := r.Best(); ok || r.Games != 0 {
		t.Errorf("terminal: %+v", r)
	}
	r = play(t, maker(t, "ntuple(model=3x3)"), position(t, "2,0,0/4,0,0/8,0,0"), Options{Tiles: []uint8{3}, Games: 10})
	if share, _, n := r.Chance(board.Right, 3); share != 1 || n != 10 || r.Moves[board.Left].Legal {
		t.Errorf("an 8 is there: %v of %d", share, n)
	}
	if share, _, n := r.Chance(board.Right, 4); share == 0 || n != 2 {
		t.Errorf("a 16 in whole games: %v of %d", share, n)
	}
	if _, ok := r.Compare(board.Right); !ok {
		t.Error("no verdict")
	}
	var size *player.BoardError
	if _, err := New(t.Context(), maker(t, "ntuple(model=3x3)"), position(t, middle), Options{}); !errors.As(err, &size) {
		t.Errorf("another size: %v", err)
	}
}

// Games of a player without a network have that many moves, and count what they made by then.
func TestHorizon(t *testing.T) {
	r := play(t, maker(t, "snake"), position(t, "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2"), Options{SlowHorizon: 20, Games: 50, Tiles: []uint8{3, 7}})
	for _, d := range []board.Direction{board.Right, board.Up} {
		small, _, _ := r.Chance(d, 3)
		large, _, _ := r.Chance(d, 7)
		if small < 0.9 || large > 0.1 || r.Whole != 0 || r.Games != 50 {
			t.Errorf("%v: an 8 with %v, a 128 with %v, %d whole", d, small, large, r.Whole)
		}
	}
}
