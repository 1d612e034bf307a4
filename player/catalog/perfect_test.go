package catalog_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
	"github.com/afterstate2048/afterstate/search/solve"
)

// nothing is an evaluator for searches that see the end of every game.
type nothing struct{}

func (nothing) Value(*eval.Position) float64 { return 0 }
func (nothing) Unit() eval.Unit              { return eval.Points }

// A search to the end of the game has the values of auto, which plays by a table, to rounding. It sees 64 moves, and a
// game on 2x3 ends with a sum of at most 252, of which a move adds 2 or more.
func TestPerfectIsExpectimax(t *testing.T) {
	for text, p4 := range map[string]float64{
		"2,2/0,0": 0, "4,4/0,0": 1, "0,4/2,0": game.P4, "64,32,16/0,4,8": game.P4, "64,32,16/4,8,2": game.P4,
		"32,64/16,8/2,2": game.P4, "64,4/32,16/8,0": game.P4,
	} {
		whole := search.NewExpectimax(search.ExpectimaxOptions{
			Eval: nothing{}, Plies: 64, TT: soak.Pick[int64](16<<20, 64<<20), P4: cmp.Or(p4, -1),
		})
		for seed := range soak.Pick(uint64(1), 10) {
			start := parse(t, text)
			g, err := game.New(game.Options{Size: start.Size(), Board: start, Spawner: game.NewRandom(seed, 0, p4)})
			must.Do(t, err)
			p := started(maker(t, catalog.WithP4("auto", p4)).New(), g, seed, 0)
			for !g.Over() {
				d := decide(t, p, query(g))
				want := must.Get(whole.Search(context.Background(), query(g).Exact()))(t)
				for dir, m := range want.Moves {
					if got := d.Moves[dir]; got.Legal != m.Legal || math.Abs(got.Value-m.Value) > 1e-9*math.Abs(m.Value) {
						t.Fatalf("%v, %v: %v, expectimax has %v", d.Board, board.Direction(dir), got.Value, m.Value)
					}
				}
				must.Do(t, g.Move(d.Move))
			}
		}
	}
}

// The mean score of games, and the share that makes a tile, are the values of the start.
func TestPerfectGames(t *testing.T) {
	for _, c := range []struct {
		size board.Size
		goal int64
	}{{board.Size{Rows: 2, Cols: 2}, 0}, {board.Size{Rows: 2, Cols: 3}, 0}, {board.Size{Rows: 2, Cols: 3}, 64}} {
		games := soak.Count(2000, 200_000)
		text := "perfect"
		if c.goal != 0 {
			text = "perfect(goal=64)"
		}
		p := solve.Problem{Size: c.size, Goal: c.goal, P4: game.P4}
		table := must.Get(solve.Solve(t.Context(), p, solve.Options{}))(t)
		e := playPerfect(t, text, c.size, c.goal, games)
		mean, half := e.mean(), 3*e.error()
		t.Logf("%v, goal %d: %v +- %v in %d games, exactly %v", c.size, c.goal, mean, half, games, table.Start)
		if math.Abs(mean-table.Start) > half {
			t.Errorf("%v, goal %d: %v +- %v in %d games, exactly %v", c.size, c.goal, mean, half, games, table.Start)
		}
	}
}

// tally sums up results.
type tally struct {
	mu           sync.Mutex
	n            float64
	sum, squares float64
}

func (e *tally) add(x float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.n, e.sum, e.squares = e.n+1, e.sum+x, e.squares+x*x
}

func (e *tally) mean() float64 { return e.sum / e.n }

// error returns the standard error of the mean.
func (e *tally) error() float64 {
	m := e.mean()
	return math.Sqrt((e.squares/e.n - m*m) / e.n)
}

// playPerfect plays games on all cores. With a goal it counts those that make it, else the score.
func playPerfect(t *testing.T, text string, size board.Size, goal int64, games int) *tally {
	t.Helper()
	m := maker(t, text)
	e := new(tally)
	var all sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		all.Go(func() {
			for i := w; i < games; i += workers {
				g := newGame(t, size, 77, uint64(i))
				d := player.Driver{Player: m.New(), Game: g, Stop: game.Stop{Tile: goal}}
				err := d.Begin(context.Background(), 77, uint64(i))
				for more := err == nil; more; {
					more, err = d.Move(context.Background())
				}
				if err != nil {
					t.Error(err)
					return
				}
				b := g.Board()
				switch {
				case goal == 0:
					e.add(float64(g.Score()))
				case board.Tile(b.Largest()) >= goal:
					e.add(1)
				default:
					e.add(0)
				}
			}
		})
	}
	all.Wait()
	return e
}

// Sizes without a table, and boards that no game reaches, are errors that say what to do.
func TestPerfectErrors(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for text, want := range map[string]string{
		"2,0,0/0,0,2/0,0,0":       "3x3 is not solved yet: use afterstate solve 3x3 (about ",
		"2,0,0,0/0,0,2,0":         "2x4 is not solved yet: use afterstate solve 2x4 (about ",
		"2,0,0/0,0,2/0,0,0/0,0,0": "perfect: size 4x3: must be 2x2, 2x3, 2x4 or 3x3, or one of these rotated",
		"2,0,0,0,0/0,0,2,0,0":     "perfect: size 2x5: must be 2x2, 2x3, 2x4 or 3x3, or one of these rotated",
		"64,64,64/64,64,0":        "perfect: the board cannot occur in a game from the standard start",
	} {
		_, err := maker(t, "perfect").New().Decide(context.Background(), search.NewQuery(parse(t, text), 0))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	var missing *solve.MissingError
	p := maker(t, "perfect(goal=512)").New()
	if err := player.Prepare(context.Background(), p, board.Size{Rows: 3, Cols: 3}); !errors.As(err, &missing) || missing.Problem.Goal != 512 {
		t.Errorf("%v", err)
	}
}

// auto has exact values on small sizes, and chooses otherwise where it cannot have them.
func TestAutoIsExact(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for text, source := range map[string]string{
		"2,4/0,2":           player.Exact,
		"2,4,0/0,2,0":       player.Exact,
		"2,4/0,2/0,0":       player.Exact,
		"64,64,64/64,64,0":  "search", // no game reaches it
		"2,4,0/0,2,0/0,0,0": "search", // not solved
	} {
		for _, name := range []string{"auto", "best"} {
			m := must.Get(catalog.Parse(name, catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
			d := decide(t, m.New(), search.NewQuery(parse(t, text), 0))
			if d.Source != source || !d.OK || d.Player != name {
				t.Errorf("%s on %s: %+v", name, text, d)
			}
		}
	}
	three := board.Size{Rows: 3, Cols: 3}
	for _, c := range []struct {
		spec string
		size board.Size
		want string // the command that solves what is offered; "": nothing is
	}{
		{"auto", three, "afterstate solve 3x3"},
		{"best", three, "afterstate solve 3x3"},
		{"perfect", three, "afterstate solve 3x3"},
		{"perfect(goal=512)", three, "afterstate solve 3x3 --goal 512"},
		{"perfect(goal=2048)", three, ""}, // no such tile on 3x3
		{"auto", board.Size{Rows: 2, Cols: 3}, ""},
		{"best", board.Size{Rows: 4, Cols: 4}, ""},
		{"greedy", three, ""},
	} {
		m := maker(t, c.spec)
		p, ok := catalog.Offer(&m, c.size)
		if ok != (c.want != "") || ok && p.Command() != c.want {
			t.Errorf("%s on %v: %v, %v; want %q", c.spec, c.size, p, ok, c.want)
		}
	}
}

// A table that is made changes no player of a Maker that has decided without it, and those of a renewed
// one.
func TestRenewed(t *testing.T) {
	soak.Full(t, "it solves 2x4; TestAutoIsExact has what is offered, and serve/session what its answers do with it")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	before := must.Get(catalog.Parse("auto", catalog.Capabilities{Networks: catalog.NoNetworks}))(t)
	q := search.NewQuery(parse(t, "2,4,0,0/0,2,0,0"), 0)
	source := func(m catalog.Maker) string { return decide(t, m.New(), q).Source }
	if got := source(before); got != "search" {
		t.Fatalf("without a table: %s", got)
	}
	p, ok := catalog.Offer(&before, q.Board.Size())
	if !ok {
		t.Fatal("nothing is offered")
	}
	must.Do(t, catalog.Tables.Solve(t.Context(), p, solve.Options{}))
	if got := source(before); got != "search" || before.Exact(q.Board.Size()) {
		t.Errorf("a Maker changed its players: %s", got)
	}
	after := before.Renewed()
	if got := source(after); got != player.Exact || !after.Exact(q.Board.Size()) || after.Spec != "auto" {
		t.Errorf("renewed: %s", got)
	}
	if _, ok := catalog.Offer(&after, q.Board.Size()); ok {
		t.Error("what is solved is offered")
	}
}
