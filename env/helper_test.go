package env_test

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// tester is what tests, properties and fuzz targets have in common.
type tester interface {
	must.T
	Fatalf(format string, args ...any)
}

// single is a vector of one environment, which plays one game of its seed after another when the test says so.
type single struct {
	*env.Vector
	out env.Buffers
}

type outcome struct {
	Reward                         float64
	Terminated, Truncated, Illegal bool
}

func newEnv(t tester, o env.Options) *single {
	t.Helper()
	o.Autoreset = env.Disabled
	v := newVector(t, 1, o)
	v.Begin(0, o.Seed, 0)
	return &single{v, allBuffers(v)}
}

func (e *single) Step(d board.Direction) outcome {
	e.Vector.Step([]board.Direction{d}, &e.out)
	return outcome{e.out.Rewards[0], e.out.Terminated[0], e.out.Truncated[0], e.out.Illegal[0]}
}

func (e *single) see() (observation []uint8, legal [4]bool) {
	e.Observe(&e.out.Current)
	return e.out.Current.Observations, e.out.Current.Legal[0]
}

func newVector(t tester, n int, o env.Options) *env.Vector {
	t.Helper()
	return must.Get(env.NewVector(n, o))(t)
}

// allBuffers has buffers for all outputs of a step.
func allBuffers(v *env.Vector) env.Buffers {
	view := func() env.View {
		return env.View{
			Observations: make([]uint8, v.Len()*v.ObservationSize()),
			Legal:        make([][4]bool, v.Len()),
			Scores:       make([]int64, v.Len()),
		}
	}
	return env.Buffers{
		Rewards: make([]float64, v.Len()), Terminated: make([]bool, v.Len()),
		Truncated: make([]bool, v.Len()), Illegal: make([]bool, v.Len()),
		Current: view(), Final: view(),
	}
}

// sizes is every size there is.
func sizes() (all []board.Size) {
	for r := board.MinSide; r <= board.MaxSide; r++ {
		for c := board.MinSide; c <= board.MaxSide; c++ {
			all = append(all, board.Size{Rows: r, Cols: c})
		}
	}
	return all
}

func parse(t tester, text string) board.Board {
	t.Helper()
	return must.Get(board.Parse(text))(t)
}

// plain is the game by package board and game's spawner alone: the reference that fast
// environments are held against.
type plain struct {
	board  board.Board
	score  int64
	random *game.Random
}

// reference is the plain game with an environment's current state.
func reference(s env.State, p4 float64) *plain {
	r := game.NewRandom(0, 0, p4)
	r.Restore(game.State{PCG: s.Random})
	return &plain{s.Board, s.Score, r}
}

// move is what a step should bring.
func (p *plain) move(d board.Direction) (merged int64, moved bool) {
	after, merged, moved := p.board.Slide(d)
	if !moved {
		return 0, false
	}
	p.random.Place(&after, p.random.Draw())
	p.board, p.score = after, p.score+merged
	return merged, true
}

func (p *plain) legal() (set [4]bool) {
	for d := range set {
		_, _, set[d] = p.board.Slide(board.Direction(d))
	}
	return set
}

// greedy is the legal move of the largest reward, any of them where several have it.
func (p *plain) greedy(r *rand.Rand) (best board.Direction) {
	maximum := int64(-1)
	for _, i := range r.Perm(4) {
		if _, merged, moved := p.board.Slide(board.Direction(i)); moved && merged > maximum {
			best, maximum = board.Direction(i), merged
		}
	}
	return best
}

// same compares an environment with its reference.
func same(t tester, e *single, p *plain) {
	t.Helper()
	seen, legal := e.see()
	if e.Board(0) != p.board || e.Score(0) != p.score || legal != p.legal() {
		t.Fatalf("%v with %d, legal %v: want %v with %d, legal %v", e.Board(0), e.Score(0), legal, p.board, p.score, p.legal())
	}
	if len(seen) != e.ObservationSize() {
		t.Fatalf("an observation of %d bytes: want %d", len(seen), e.ObservationSize())
	}
	size := p.board.Size()
	planes := len(seen) > size.Cells()
	if planes && len(seen) != size.Cells()*env.Channels(size) {
		t.Fatalf("%v: planes of %d bytes", size, len(seen))
	}
	for i := range seen {
		k, cell := i/size.Cells(), i%size.Cells()
		want := p.board.Cell(cell)
		if planes {
			want = one(int(want) == k)
		}
		if seen[i] != want {
			t.Fatalf("%v: byte %d of its observation is %d, want %d", p.board, i, seen[i], want)
		}
	}
}

func one(set bool) uint8 {
	if set {
		return 1
	}
	return 0
}

// few is a number of cases, or fewer with -short.
func few(n int) int {
	if testing.Short() {
		return max(1, n/10)
	}
	return n
}
