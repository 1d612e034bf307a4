package arena

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

func TestSameResultsWithAnyNumberOfWorkers(t *testing.T) {
	var want *Results
	for _, workers := range []int{1, 2, 7, 100} {
		seen := 0
		got := must.Get(Run(t.Context(), RunOptions{Players: stubs(), Seed: 5, Games: 12, Workers: workers}, func(Outcome) { seen++ }))(t)
		must.Equal(t, seen, 36, "observed with", workers, "workers")
		untimed(got)
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the results of %d workers differ from those of one (-one +%d):\n%s", workers, workers, diff)
		}
	}
	for i, p := range want.Players {
		for k, g := range p.Games {
			if g.Index != uint64(k) || g.Seed != 5 {
				t.Errorf("game %d of player %d is %+v", k, i, g)
			}
		}
	}
}

// The arena plays the same game as a plain loop, with the usual spawns or with 4s only.
func TestGamesAreThoseOfTheirSeeds(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	exp := RunOptions{Players: stubs()[1:2], Size: size, Seed: 3, Games: 5}
	usual := must.Get(Run(t.Context(), exp, nil))(t)
	exp.Spawn.New = func(seed, index uint64) game.Spawner { return game.NewRandom(seed, index, 1) }
	fours := must.Get(Run(t.Context(), exp, nil))(t)
	for i, got := range slices.Concat(untimed(usual).Players[0].Games, untimed(fours).Players[0].Games) {
		p4 := game.P4
		if i >= 5 {
			i, p4 = i-5, 1
		}
		g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(3, uint64(i), p4)}))(t)
		for !g.Over() {
			for _, d := range upFirst {
				if g.Move(d) == nil {
					break
				}
			}
		}
		b := g.Board()
		want := Outcome{3, uint64(i), g.Score(), b.Largest(), g.Moves(), b.Sum(), false, "", time.Duration(g.Moves()) * time.Microsecond, Regret{}, player.ForfeitError{}}
		must.Equal(t, got, want, "game", i)
	}
}

func TestSeersSeeAndClosersAreClosed(t *testing.T) {
	built, closed := 0, 0
	e := catalog.Maker{Spec: "seer", New: func() player.Player {
		built++
		return &seer{ordered: ordered{upFirst}, closed: &closed}
	}}
	must.Get(Run(t.Context(), RunOptions{Players: []catalog.Maker{e}, Games: 5, Workers: 1}, nil))(t)
	if built != 1 || closed != 1 {
		t.Errorf("built %d players and closed %d, want 1 and 1", built, closed)
	}
}

func TestCancelKeepsWhatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	results, err := Run(ctx, RunOptions{Players: stubs(), Games: 1_000_000, Workers: 2}, func(Outcome) {
		if seen++; seen == 30 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want context.Canceled", err)
	}
	finished, of := results.Finished()
	// The chunks that the workers and the queue (4 chunks) hold are finished or dropped.
	const under = 4 * runMaxGames
	if finished != seen || finished < 30 || finished > 30+under+runMaxGames || of != 3_000_000 {
		t.Errorf("finished %d of %d, observed %d", finished, of, seen)
	}
	minimum, maximum := of, 0
	for _, p := range results.Players {
		minimum, maximum = min(minimum, len(p.Games)), max(maximum, len(p.Games))
	}
	if maximum-minimum > under+runMaxGames {
		t.Errorf("players finished from %d to %d games, want them to take turns by %d", minimum, maximum, runMaxGames)
	}
	report := results.Statistics()
	if report.Finished == nil || *report.Finished != finished {
		t.Errorf("report.Finished is %v, want %d", report.Finished, finished)
	}
}

// A game can last for hours: the arena itself must notice the end of ctx.
func TestCancelWithinAGame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int64
	e := stub("waiting", func() player.Player {
		return &broken{ordered: ordered{upFirst}, fail: func(context.Context, search.Query) (player.Decision, error) {
			calls.Add(1)
			cancel()
			return player.Decision{}, context.Canceled // as a player that checks ctx does
		}}
	})
	deaf := stub("deaf", func() player.Player {
		return &broken{ordered: ordered{upFirst}, fail: func(ctx context.Context, q search.Query) (player.Decision, error) {
			<-ctx.Done()
			return ordered{upFirst}.Decide(ctx, q)
		}}
	})
	results, err := Run(ctx, RunOptions{Players: []catalog.Maker{e, deaf}, Games: 1, Workers: 2}, nil)
	if !errors.Is(err, context.Canceled) || calls.Load() != 1 {
		t.Fatalf("error %v after %d questions", err, calls.Load())
	}
	if finished, _ := results.Finished(); finished != 0 {
		t.Errorf("%d games finished, want none", finished)
	}
	if _, err := Run(ctx, RunOptions{Players: stubs(), Games: 1}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is cancelled before it begins: %v", err)
	}
}

type answer = func(context.Context, search.Query) (player.Decision, error)

func failing(err error) answer {
	return func(context.Context, search.Query) (player.Decision, error) { return player.Decision{}, err }
}

func TestFailingPlayerIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		fail answer
		want string
	}{
		"error":   {failing(errors.New("lost its mind")), "lost its mind"},
		"no move": {failing(nil), "returned no move"},
		"illegal": {func(_ context.Context, q search.Query) (d player.Decision, err error) {
			for _, dir := range board.Directions {
				if _, _, moved := q.Board.Slide(dir); !moved {
					d.Move, d.OK = dir, true
				}
			}
			return d, nil
		}, "changes nothing"},
		// A player's own deadline is not the end of the run's context.
		"deadline": {failing(context.DeadlineExceeded), "deadline"},
	} {
		t.Run(name, func(t *testing.T) {
			players := append(stubs(), stub("bad(x=1)", func() player.Player {
				return &broken{ordered: ordered{upFirst}, in: 4, fail: c.fail}
			}))
			size := board.Size{Rows: 2, Cols: 3}
			// One worker plays the first games of all players before further games of any. A second one could be slower
			// than the failure.
			results, err := Run(t.Context(), RunOptions{Players: players, Size: size, Seed: 1, Games: 100_000, Workers: 1}, nil)
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range []string{"bad(x=1), game 4 of seed 1: move 3 on board ", c.want} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
			// The games before it are kept, and those of the other players.
			if finished, of := results.Finished(); finished == of || len(results.Players[3].Games) != 4 {
				t.Errorf("%d games finished of %d, %d of the one that failed", finished, of, len(results.Players[3].Games))
			}
			for _, p := range results.Players[:3] {
				if len(p.Games) == 0 {
					t.Errorf("no game of %s is kept", p.Name)
				}
			}
			// errors.As still finds the player's own error.
			if name == "deadline" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v does not wrap the player's error", err)
			}
		})
	}
}

func TestBadExperiments(t *testing.T) {
	good := RunOptions{Players: stubs(), Games: 1}
	for want, change := range map[string]func(*RunOptions){
		"no players": func(e *RunOptions) { e.Players = nil },
		"size 7x4":   func(e *RunOptions) { e.Size = board.Size{Rows: 7, Cols: 4} },
		"0 games":    func(e *RunOptions) { e.Games = 0 },
		"tile 100":   func(e *RunOptions) { e.Stop.Tile = 100 },
		"tile -2":    func(e *RunOptions) { e.Stop.Tile = -2 },

		"already meets the goal 64": func(e *RunOptions) { e.Starts, e.Stop.Tile = readStarts(t), 64 },
		"power of two":              func(e *RunOptions) { e.Starts, e.Stop.Tile = readStarts(t), 3 },
		"the start boards are 4x4, but the experiment is 3x3": func(e *RunOptions) { e.Starts, e.Size = readStarts(t), board.Size{Rows: 3, Cols: 3} },
	} {
		bad := good
		change(&bad)
		results, err := Run(t.Context(), bad, nil)
		if results != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}

// ordered plays the first legal move of a list.
type ordered struct{ order [4]board.Direction }

func (o ordered) Start(_, _ uint64) {}

func (o ordered) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	var d player.Decision
	for _, dir := range o.order {
		if _, _, moved := q.Board.Slide(dir); moved {
			d.Move, d.OK = dir, true
			return d, nil
		}
	}
	return d, nil
}

// chance plays a random legal move.
type chance struct{ pcg rand.PCG }

func (c *chance) Start(seed, game uint64) { c.pcg.Seed(^seed, game) }

func (c *chance) Decide(_ context.Context, q search.Query) (player.Decision, error) {
	var d player.Decision
	legal := uint64(0)
	for dir := range board.Directions {
		if _, _, moved := q.Board.Slide(board.Direction(dir)); moved {
			// Reservoir sampling: every legal move is kept with the same chance.
			legal++
			if c.pcg.Uint64()%legal == 0 {
				d.Move, d.OK = board.Direction(dir), true
			}
		}
	}
	return d, nil
}

// seer is ordered, and counts what it is shown.
type seer struct {
	ordered
	started, seen int
	closed        *int
}

func (s *seer) Start(_, _ uint64) { s.started++ }

func (s *seer) See(o search.Oracle) {
	if _, ok := o.Foresee(); ok && s.started == s.seen+1 {
		s.seen++
	}
}

func (s *seer) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	if s.seen != s.started {
		return player.Decision{}, errors.New("not shown the coming spawns")
	}
	return s.ordered.Decide(ctx, q)
}

func (s *seer) Close() error {
	*s.closed++
	return nil
}

// broken fails in one game, at its third move.
type broken struct {
	ordered
	in, game uint64
	calls    int
	fail     func(context.Context, search.Query) (player.Decision, error)
}

func (b *broken) Start(_, game uint64) { b.game, b.calls = game, 0 }

func (b *broken) Decide(ctx context.Context, q search.Query) (player.Decision, error) {
	if b.calls++; b.game == b.in && b.calls == 3 {
		return b.fail(ctx, q)
	}
	return b.ordered.Decide(ctx, q)
}

var (
	upFirst   = [4]board.Direction{board.Up, board.Right, board.Down, board.Left}
	leftFirst = [4]board.Direction{board.Left, board.Down, board.Right, board.Up}
)

func stub(name string, p func() player.Player) catalog.Maker {
	return catalog.Maker{Spec: name, New: p}
}

func stubs() []catalog.Maker {
	return []catalog.Maker{
		stub("random", func() player.Player { return &chance{} }),
		stub("up-first", func() player.Player { return ordered{upFirst} }),
		stub("left-first", func() player.Player { return ordered{leftFirst} }),
	}
}

// untimed removes the times, which differ between runs.
func untimed(r *Results) *Results {
	for _, p := range r.Players {
		for i := range p.Games {
			p.Games[i].Elapsed = time.Duration(p.Games[i].Moves) * time.Microsecond
		}
	}
	return r
}
