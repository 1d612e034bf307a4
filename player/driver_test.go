package player_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// fake is a player that does what a test says and records its calls.
type fake struct {
	log     []string
	decide  func(ctx context.Context, q search.Query) (board.Direction, error) // nil: the first legal move
	prepare func() error
	sees    search.Oracle
	closed  int
}

func (f *fake) note(format string, args ...any) { f.log = append(f.log, fmt.Sprintf(format, args...)) }

func (f *fake) Start(seed, game uint64) { f.note("start %d/%d", seed, game) }

func (f *fake) See(o search.Oracle) {
	f.note("see")
	f.sees = o
}

func (f *fake) Prepare(_ context.Context, size board.Size) error {
	f.note("prepare %v", size)
	if f.prepare != nil {
		return f.prepare()
	}
	return nil
}

func (f *fake) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	f.note("decide")
	d := player.Decision{Board: q.Board, Unit: eval.Heuristic}
	if f.decide != nil {
		var err error
		d.Move, err = f.decide(ctx, q)
		d.OK = d.Move != none
		return d, err
	}
	for _, dir := range board.Directions {
		if _, _, moved := q.Board.Slide(dir); moved {
			d.Move, d.OK = dir, true
			break
		}
	}
	return d, nil
}

func (f *fake) Tree(context.Context, search.Query, search.TreeOptions) (player.Decision, *search.Tree, error) {
	f.note("tree")
	return player.Decision{}, nil, nil
}

func (f *fake) Close() error {
	f.closed++
	return nil
}

// none is what a fake decides that returned no move.
const none = board.Direction(9)

func newGame(t *testing.T) *game.Game {
	t.Helper()
	return must.Get(game.New(game.Options{Size: board.Size{Rows: 2, Cols: 3}, Spawner: game.NewRandom(1, 2, game.P4)}))(t)
}

// A game goes start, see, prepare, and then decide for each move; the next game of the
// same player starts over.
func TestDriverPlaysGames(t *testing.T) {
	f := new(fake)
	d := player.Driver{Player: f}
	for index := range uint64(2) {
		f.log = nil
		d.Game = newGame(t)
		must.Do(t, d.Begin(t.Context(), 1, index))
		must.Equal(t, f.sees, search.Oracle(d.Game), "the oracle that the player sees")
		moves := 0
		for {
			before := d.Game.Board()
			moved := must.Get(d.Move(t.Context()))(t)
			if !moved {
				break
			}
			moves++
			if made, _ := d.Game.LastStep(); made.Move != d.Decision.Move || d.Decision.Board != before {
				t.Fatalf("made %v on %v, decided %+v", made.Move, before, d.Decision)
			}
		}
		if !d.Game.Over() || moves != d.Game.Moves() || moves == 0 {
			t.Errorf("ended on %v after %d moves", d.Game.Board(), moves)
		}
		want := append([]string{fmt.Sprintf("start 1/%d", index), "see", "prepare 2x3"}, slices.Repeat([]string{"decide"}, moves)...)
		if !slices.Equal(f.log, want) {
			t.Errorf("asked for %v, want %v", f.log, want)
		}
	}
	if err := d.Close(); err != nil || f.closed != 1 {
		t.Errorf("closed %d times, %v", f.closed, err)
	}
}

// The tile of Until ends a game, also one that has it from the beginning.
func TestDriverUntil(t *testing.T) {
	for until, minimum := range map[int64]int{16: 1, 2: 0} {
		d := player.Driver{Player: new(fake), Game: newGame(t), Stop: game.Stop{Tile: until}}
		for more := true; more; {
			var err error
			if more, err = d.Move(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if b := d.Game.Board(); board.Tile(b.Largest()) < until || d.Game.Moves() < minimum || until == 2 && d.Game.Moves() > 0 {
			t.Errorf("until %d: ended on %v after %d moves", until, b, d.Game.Moves())
		}
	}
}

// What may go wrong: a forfeit is a result, all else a failure, and the game stays as it was.
func TestDriverErrors(t *testing.T) {
	broken := errors.New("lost its mind")
	fault := &player.ForfeitError{Reason: "it ended", Detail: "exit status 1"}
	answers := func(dir board.Direction, err error) func(context.Context, search.Query) (board.Direction, error) {
		return func(context.Context, search.Query) (board.Direction, error) { return dir, err }
	}
	illegal := func(_ context.Context, q search.Query) (board.Direction, error) {
		for _, dir := range board.Directions {
			if _, _, moved := q.Board.Slide(dir); !moved {
				return dir, nil
			}
		}
		return none, errors.New("every move is legal")
	}
	for name, c := range map[string]struct {
		decide  func(context.Context, search.Query) (board.Direction, error)
		want    error
		forfeit bool
	}{
		"forfeits": {answers(0, fmt.Errorf("bot: %w", fault)), fault, true},
		"fails":    {answers(0, broken), broken, false},
		"no move":  {answers(none, nil), player.ErrNoMove, false},
		"illegal":  {illegal, game.ErrIllegal, false},
	} {
		d := player.Driver{Player: &fake{decide: c.decide}, Game: newGame(t)}
		for i := range 4 { // to a board with an illegal move
			_ = d.Game.Move(board.Direction(i))
		}
		before, moves := d.Game.Board(), d.Game.Moves()
		moved, err := d.Move(t.Context())
		if moved || !errors.Is(err, c.want) || d.Game.Board() != before || d.Game.Moves() != moves {
			t.Errorf("%s: moved %v, %v", name, moved, err)
		}
		if lost := player.Forfeited(t.Context(), err); (lost != nil) != c.forfeit || c.forfeit && lost != fault {
			t.Errorf("%s: forfeit %v", name, lost)
		}
		if name == "illegal" {
			continue // only a game can tell
		}
		if _, err := d.Decide(t.Context(), search.NewQuery(before, 0)); !errors.Is(err, c.want) {
			t.Errorf("%s: decides %v", name, err)
		}
	}
	if player.Forfeited(t.Context(), nil) != nil {
		t.Error("no error is a forfeit")
	}
}

// Boards without a move have no decision, which is no error: a full one, and an empty one.
func TestDriverWithoutMoves(t *testing.T) {
	for _, text := range []string{"2,4/4,2", "0,0/0,0"} {
		d := player.Driver{Player: new(fake)}
		if answer, err := d.Ask(t.Context(), search.NewQuery(parsed(t, text), 0)); err != nil || answer.OK {
			t.Errorf("%s: %+v, %v", text, answer, err)
		}
	}
}

// The end of a context is no forfeit, even if the player says so, and a player that does
// not look at it is not asked.
func TestDriverEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	f := &fake{decide: func(context.Context, search.Query) (board.Direction, error) {
		stop()
		return 0, &player.ForfeitError{Reason: "it ended"}
	}}
	d := player.Driver{Player: f, Game: newGame(t)}
	if moved, err := d.Move(ctx); moved || err == nil || player.Forfeited(ctx, err) != nil {
		t.Errorf("moved %v, %v", moved, err)
	}
	f.log = nil
	if moved, err := d.Move(ctx); moved || !errors.Is(err, context.Canceled) || len(f.log) > 0 {
		t.Errorf("moved %v, %v, asked for %v", moved, err, f.log)
	}
}

// Preparing that failed is done again, preparing that succeeded once a game and size, and
// its time is not the decision's.
func TestDriverPrepares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wrong := &player.BoardError{Err: errors.New("the network is for 4x4 boards")}
		fails := true
		f := &fake{
			prepare: func() error {
				time.Sleep(time.Minute)
				if fails {
					return wrong
				}
				return nil
			},
			decide: func(context.Context, search.Query) (board.Direction, error) {
				time.Sleep(time.Second)
				return board.Left, nil
			},
		}
		d := player.Driver{Player: f}
		d.Start(3, 4, nil)
		q := search.NewQuery(parsed(t, "0,2/0,0"), 8)
		if _, err := d.Ask(t.Context(), q); err != error(wrong) {
			t.Errorf("a size that it cannot play: %v", err)
		}
		fails = false
		for range 2 {
			if answer, err := d.Ask(t.Context(), q); err != nil || answer.Elapsed != time.Second {
				t.Errorf("%+v, %v", answer, err)
			}
		}
		d.Start(3, 5, nil)
		must.Do(t, d.Prepare(t.Context(), board.Size{Rows: 2, Cols: 2}))
		want := []string{"start 3/4", "prepare 2x2", "prepare 2x2", "decide", "decide", "start 3/5", "prepare 2x2"}
		if !slices.Equal(f.log, want) {
			t.Errorf("asked for %v, want %v", f.log, want)
		}
	})
}
