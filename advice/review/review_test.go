package review

import (
	"context"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Solved sizes of the user would change results.
func TestMain(m *testing.M) { os.Exit(testenv.Run(m.Run)) }

func parse(spec string) (catalog.Maker, error) {
	return catalog.Parse(spec, catalog.Capabilities{Networks: catalog.NoNetworks})
}

func maker(t testing.TB, spec string) catalog.Maker {
	t.Helper()
	return must.Get(parse(spec))(t)
}

// played returns the positions of a game of a player.
func played(t testing.TB, spec string, size board.Size, seed uint64) []Position {
	t.Helper()
	g, err := game.New(game.Options{Size: size, Spawner: game.NewRandom(seed, 0, game.P4)})
	if err != nil {
		t.Fatal(err)
	}
	d := player.Driver{Player: maker(t, spec).New(), Game: g}
	defer d.Close()
	err = d.Begin(t.Context(), seed, 0)
	for more := err == nil; more; {
		more, err = d.Move(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return Positions(g)
}

const expert = "expectimax(eval=expert,death_value=-400000,plies=1)"

var sizes = []board.Size{{Rows: 2, Cols: 2}, {Rows: 3, Cols: 3}, {Rows: 4, Cols: 4}, {Rows: 2, Cols: 5}}

// For any judge: losses and accuracies are within their limits, classes follow losses, the best move has no
// loss, and a report counts every move once.
func TestInvariants(t *testing.T) {
	for _, spec := range []string{expert, "greedy", "expert(nodes=300)"} {
		for _, size := range sizes {
			for seed := range uint64(soak.Count(2, 50)) {
				ps := played(t, "random", size, seed)
				j := By(maker(t, spec))
				moves, err := j.Review(t.Context(), ps, Options{})
				if err != nil || len(moves) != len(ps) {
					t.Fatalf("%s on %v: %d of %d moves, %v", spec, size, len(moves), len(ps), err)
				}
				for i := range moves {
					checkMove(t, &moves[i], &ps[i])
				}
				checkReport(t, NewReport(j, ps, nil, moves, 5), moves)
			}
		}
	}
}

func checkMove(t *testing.T, m *Judgement, p *Position) {
	t.Helper()
	if m.Position != *p || m.Unclear || m.Forced() != (legalMoves(&p.Board) == 1) {
		t.Errorf("%+v for %+v", m, p)
	}
	for d := range m.Moves {
		o := &m.Moves[d]
		_, _, legal := p.Board.Slide(board.Direction(d))
		if o.Legal != legal || o.Loss < 0 || o.Loss > 1 || math.IsNaN(o.Loss) || !legal && o.Class != "" {
			t.Errorf("%v on %v: %+v", board.Direction(d), p.Board, o)
		}
	}
	if o := m.Moves[m.Best]; o.Loss != 0 || o.Lost || !m.Forced() && o.Class != protocol.ClassBest {
		t.Errorf("the best move on %v: %+v", p.Board, o)
	}
	if o := m.Moves[p.Played]; o.Loss != m.Loss || o.Class != m.Class || o.Lost != m.Lost || m.Accuracy <= 0 || (m.Accuracy == 1) != (m.Loss == 0) {
		t.Errorf("the move on %v: %+v", p.Board, m)
	}
}

func legalMoves(b *board.Board) (n int) {
	for _, d := range board.Directions {
		if _, _, moved := b.Slide(d); moved {
			n++
		}
	}
	return n
}

func checkReport(t *testing.T, r *protocol.ReviewReport, moves []Judgement) {
	t.Helper()
	var sum Tally
	for i := range r.Phases {
		p := &r.Phases[i]
		sum.Moves += p.Moves
		sum.Forced += p.Forced
		sum.Classes.Best += p.Classes.Best
		sum.Classes.Blunder += p.Classes.Blunder
	}
	c := r.Game.Classes
	if sum.Moves != r.Game.Moves || sum.Forced != r.Game.Forced || sum.Classes.Best != c.Best || sum.Classes.Blunder != c.Blunder ||
		r.Game.Moves+r.Game.Forced != len(moves) || c.Best+c.Good+c.Inaccuracy+c.Mistake+c.Blunder != r.Game.Moves {
		t.Errorf("%+v of %d moves", r, len(moves))
	}
	if a := r.Game.Accuracy; a != nil && (*a < 0 || *a > 1) {
		t.Errorf("accuracy %v", *a)
	}
	for i := range r.Worst {
		if i > 0 && r.Worst[i].Loss > r.Worst[i-1].Loss || r.Worst[i].Loss <= player.GoodLimit {
			t.Errorf("worst moves: %v at %d", r.Worst[i].Loss, i)
		}
	}
}

// A judge finds no fault with its own moves.
func TestOwnMoves(t *testing.T) {
	for _, spec := range []string{expert, "greedy", "expert(nodes=300)"} {
		ps := played(t, spec, board.Size{Rows: 3, Cols: 3}, 1)
		j := By(maker(t, spec))
		moves := must.Get(j.Review(t.Context(), ps, Options{}))(t)
		r := NewReport(j, ps, nil, moves, 5)
		if r.Game.Classes.Best != r.Game.Moves || *r.Game.Loss != 0 || *r.Game.Accuracy != 1 || len(r.Worst) > 0 {
			t.Errorf("%s about itself: %+v", spec, r)
		}
	}
}

// twoLooks is a judge whose second look goes deeper, without a network.
func twoLooks(t testing.TB) *Judge {
	deep := maker(t, "expert(nodes=3000)")
	return &Judge{Spec: deep.Spec, looks: []catalog.Maker{maker(t, expert), deep}}
}

// The result does not depend on the number of threads, nor on pages: the second look at the unclear
// moves in any order gives the moves of the whole review.
func TestThreadsAndPages(t *testing.T) {
	j := twoLooks(t)
	ps := played(t, "snake(depth=0)", board.Size{Rows: 4, Cols: 4}, 3)
	one, err := j.Review(t.Context(), ps, Options{Threads: 1})
	many, manyErr := j.Review(t.Context(), ps, Options{Threads: 7})
	if err != nil || manyErr != nil || !equal(one, many) {
		t.Fatalf("one thread and many differ: %v, %v", err, manyErr)
	}
	var paged []Judgement
	for from := 0; from < len(ps); {
		part, err := j.Look(t.Context(), FirstLook, ps[from:min(from+13, len(ps))], Options{Time: 1})
		if err != nil || len(part) == 0 {
			t.Fatalf("%d moves, %v", len(part), err)
		}
		paged, from = append(paged, part...), from+len(part)
	}
	refined := 0
	for i := len(paged) - 1; i >= 0; i-- {
		if !paged[i].Unclear {
			continue
		}
		again := must.Get(j.Look(t.Context(), SecondLook, ps[i:i+1], Options{}))(t)
		paged[i] = again[0]
		refined++
	}
	if !equal(one, paged) || refined == 0 || refined == len(ps) {
		t.Errorf("pages differ; %d of %d moves refined", refined, len(ps))
	}
}

// equal compares moves, whose values may be NaN.
func equal(a, b []Judgement) bool {
	return slices.EqualFunc(a, b, func(a, b Judgement) bool { return reflect.DeepEqual(a.Wire(), b.Wire()) && a.Position == b.Position })
}

// A cancelled review returns what it has: the first moves as in the whole review.
func TestCancelled(t *testing.T) {
	j := twoLooks(t)
	ps := played(t, "snake(depth=0)", board.Size{Rows: 4, Cols: 4}, 3)
	whole := must.Get(j.Look(t.Context(), FirstLook, ps, Options{}))(t)
	for _, threads := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		o := Options{Threads: threads, Progress: func(_ Look, done, of int) {
			must.Equal(t, of, len(ps), "boards of", done)
			if done == 20 {
				cancel()
			}
		}}
		part, err := j.Review(ctx, ps, o)
		cancel()
		// With several threads an early move may be missing, and with it those after it.
		if !errors.Is(err, context.Canceled) || len(part) > 19+threads || threads == 1 && len(part) != 20 || !equal(part, whole[:len(part)]) {
			t.Errorf("%d threads: %d moves, %v", threads, len(part), err)
		}
	}
}

// A move that ends the game at once is lost if the best one does not, and then a blunder, unless little
// more was to be expected.
func TestLost(t *testing.T) {
	j := By(maker(t, expert))
	lost := 0
	for seed := range uint64(soak.Count(40, 2000)) {
		ps := played(t, "random", sizes[seed%3], seed)
		moves := must.Get(j.Review(t.Context(), ps[max(0, len(ps)-4):], Options{}))(t)
		for i := range moves {
			m := &moves[i]
			after, _, _ := m.Board.Slide(m.Played)
			best, _, _ := m.Board.Slide(m.Best)
			if want := !survives(&after) && survives(&best); m.Lost != want || want && m.Loss > player.GoodLimit && m.Class != protocol.ClassBlunder {
				t.Errorf("%v on %v: %+v", m.Played, m.Board, m)
			} else if want {
				lost++
			}
		}
	}
	if lost == 0 {
		t.Error("no lost move")
	}
}

// survives reports whether some spawn leaves a legal move, by trying all of them.
func survives(after *board.Board) bool {
	for i := range after.Size().Cells() {
		for k := uint8(1); k <= 2 && after.Cell(i) == 0; k++ {
			b := *after
			b.Set(i, k)
			if !b.Terminal() {
				return true
			}
		}
	}
	return false
}

// EndsGame is what trying all spawns says, on random afterstates of random games.
func TestEndsGame(t *testing.T) {
	ended := 0
	for seed := range uint64(soak.Count(40, 5000)) {
		ps := played(t, "random", sizes[seed%3], seed)
		for _, p := range ps[max(0, len(ps)-6):] {
			for _, d := range board.Directions {
				if after, _, moved := p.Board.Slide(d); moved && player.EndsGame(&after) == survives(&after) {
					t.Fatalf("%v: ends the game %v", after, player.EndsGame(&after))
				} else if moved && player.EndsGame(&after) {
					ended++
				}
			}
		}
	}
	if ended == 0 {
		t.Error("no afterstate ended a game")
	}
}

// moveWith judges a position with two values in points, for left and right.
func moveWith(t *testing.T, p Position, left, right float64) Judgement {
	t.Helper()
	d := player.Decision{Board: p.Board, Unit: eval.Points, Result: search.Result{OK: true, Move: board.Left}}
	d.Moves[board.Left] = search.MoveValue{Legal: true, Value: left}
	d.Moves[board.Right] = search.MoveValue{Legal: true, Value: right}
	return must.Get(judged(p, &d, 0))(t)
}

// Positions returns the positions of the game, and leaves the game unchanged.
func TestPositions(t *testing.T) {
	g, _ := game.New(game.Options{Spawner: game.NewRandom(5, 0, game.P4)})
	var want []Position
	for len(want) < 30 {
		d := board.Directions[len(want)%4]
		p := Position{Position: eval.Position{Board: g.Board(), Score: g.Score()}, Move: len(want), Played: d}
		if g.Move(d) == nil {
			want = append(want, p)
		} else if p.Played = (d + 1) % 4; g.Move(p.Played) == nil {
			want = append(want, p)
		} else {
			break
		}
	}
	end := g.Board()
	if got := Positions(g); !slices.Equal(got, want) || g.Board() != end || len(want) == 0 {
		t.Errorf("%d positions, want %d", len(got), len(want))
	}
}

// Judges whose values make no losses are refused by name.
func TestUnsuitable(t *testing.T) {
	ps := played(t, "random", board.Size{Rows: 2, Cols: 2}, 1)
	for _, spec := range []string{"snake", "random", "minimax(depth=2)"} {
		_, err := By(maker(t, spec)).Review(t.Context(), ps, Options{})
		if bad := new(UnsuitableError); !errors.As(err, &bad) || bad.Judge != spec {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// A panic of a judge reaches the caller.
func TestPanic(t *testing.T) {
	m := maker(t, "greedy")
	m.New = func() player.Player { return panicking{maker(t, "greedy").New()} }
	defer func() {
		if recover() != "boom" {
			t.Error("no panic")
		}
	}()
	_, _ = By(m).Review(t.Context(), played(t, "random", board.Size{Rows: 2, Cols: 2}, 1), Options{})
}

type panicking struct{ player.Player }

func (panicking) Decide(context.Context, search.Query) (player.Decision, error) { panic("boom") }

// The node limits of longer games are lower, within their bounds.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ moves, first, second int }{{0, 12_000, 150_000}, {3000, 12_000, 45_000}, {9000, 8000, 15_000}, {1 << 30, 4000, 12_000}} {
		first, second := limit(c.moves, firstNodes, firstMin, firstMax), limit(c.moves, secondNodes, secondMin, secondMax)
		if first != c.first || second != c.second {
			t.Errorf("%d moves: %d and %d nodes", c.moves, first, second)
		}
	}
}

// Reviews a game's worth of moves of the player snake by the default judge, in both looks.
func BenchmarkReview3000(b *testing.B) {
	var ps []Position
	for seed := uint64(1); len(ps) < 3000; seed++ {
		ps = append(ps, played(b, "snake", board.Size{Rows: 4, Cols: 4}, seed)...)
	}
	ps = ps[:3000]
	j := must.Get(New(func(spec string) (catalog.Maker, error) { return catalog.Parse(spec, catalog.Capabilities{}) }, nil, ps[0].Board.Size(), len(ps), game.P4))(b)
	if _, err := j.Review(b.Context(), ps[:1], Options{}); err != nil { // loads the network
		b.Fatal(err)
	}
	for _, look := range []string{"first", "both"} {
		b.Run(look, func(b *testing.B) {
			judge := j
			if look == "first" {
				judge = j.Quick()
			}
			var unclear atomic.Int64
			for b.Loop() {
				must.Get(judge.Review(b.Context(), ps, Options{Progress: func(l Look, _, of int) {
					if l == SecondLook {
						unclear.Store(int64(of))
					}
				}}))(b)
			}
			b.ReportMetric(float64(unclear.Load()), "unclear/op")
		})
	}
}

// What is said of each legal move of a board is what a review says of a game with that move.
func TestChoices(t *testing.T) {
	j := twoLooks(t)
	ps := played(t, "random", board.Size{Rows: 4, Cols: 4}, 1)
	want := must.Get(j.Review(t.Context(), ps, Options{}))(t)
	for i, p := range ps {
		got := must.Get(j.Review(t.Context(), Choices(p.Position), Options{Threads: 1}))(t)
		got = slices.DeleteFunc(got, func(m Judgement) bool { return m.Played != p.Played })
		got[0].Move = p.Move
		if !equal(got, want[i:i+1]) {
			t.Errorf("move %d:\n%+v, want\n%+v", i, got, want[i])
		}
	}
}
