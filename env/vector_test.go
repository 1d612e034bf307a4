package env_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// small are options under which episodes end soon, one way or another.
func small() (all []env.Options) {
	for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 4, Cols: 4}, {Rows: 3, Cols: 5}} {
		for _, mode := range []env.Autoreset{env.NextStep, env.SameStep, env.Disabled} {
			for _, see := range []env.Observation{env.Exponents, env.Planes} {
				for illegal, reward := range []func(int64) float64{nil, env.Log2, root} {
					all = append(all, env.Options{
						Size: size, Seed: 11, Autoreset: mode, Observation: see, MaxSteps: 40 * illegal,
						Illegal: env.Illegal(illegal), Penalty: -2.5, Reward: reward,
					})
				}
			}
		}
	}
	return all
}

func root(merged int64) float64 { return math.Sqrt(float64(merged)) }

// A vector of n equals n single environments, each reset according to the mode: environment i plays games i,
// i+n, i+2n and so on of the seed.
func TestVectorIsEnvs(t *testing.T) {
	for k, o := range small() {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			const n = 37 // more than a block, and no multiple of one
			v := newVector(t, n, o)
			envs := make([]*single, n)
			for i := range envs {
				envs[i] = newEnv(t, o)
				envs[i].Begin(0, o.Seed, uint64(i))
				if i%3 == 0 {
					v.Begin(i, uint64(i%4), 5)
					envs[i].Begin(0, uint64(i%4), 5)
				}
			}
			out, want := allBuffers(v), allBuffers(v)
			actions, r := make([]board.Direction, n), rand.New(rand.NewPCG(1, uint64(k)))
			ended := 0
			for range 300 {
				for i := range actions {
					actions[i] = board.Direction(r.IntN(4))
				}
				v.Step(actions, &out)
				for i, e := range envs {
					games := n
					if i%3 == 0 { // its seed is its own
						games = 1
					}
					ended += expect(e, o.Autoreset, actions[i], i, games, &want)
				}
				if !equalBuffers(&out, &want) {
					t.Fatalf("%+v\n%+v, want\n%+v", o, out, want)
				}
			}
			if ended == 0 && (o.Size != board.Size{Rows: 4, Cols: 4} || o.MaxSteps > 0) {
				t.Error("no episode ended")
			}
		})
	}
}

// expect steps environment i by itself, whose games are n apart, and writes the outputs that a vector should have for it.
func expect(e *single, mode env.Autoreset, d board.Direction, i, n int, want *env.Buffers) (ended int) {
	next := func() {
		seed, game := e.Game(0)
		e.Begin(0, seed, game+uint64(n))
	}
	last := e.Snapshot(0)
	out := outcome{}
	if over := last.Terminated || last.Truncated; over && mode == env.NextStep {
		next()
	} else {
		out = e.Step(d)
	}
	want.Rewards[i], want.Terminated[i], want.Truncated[i], want.Illegal[i] = out.Reward, out.Terminated, out.Truncated, out.Illegal
	if out.Terminated || out.Truncated {
		ended = 1
		if mode == env.SameStep {
			show(e, i, &want.Final)
			next()
		}
	}
	show(e, i, &want.Current)
	return ended
}

func show(e *single, i int, to *env.View) {
	seen, legal := e.see()
	copy(to.Observations[i*e.ObservationSize():], seen)
	to.Legal[i], to.Scores[i] = legal, e.Score(0)
}

func equalBuffers(a, b *env.Buffers) bool {
	view := func(a, b *env.View) bool {
		return slices.Equal(a.Observations, b.Observations) && slices.Equal(a.Legal, b.Legal) && slices.Equal(a.Scores, b.Scores)
	}
	return slices.Equal(a.Rewards, b.Rewards) && slices.Equal(a.Terminated, b.Terminated) && slices.Equal(a.Truncated, b.Truncated) &&
		slices.Equal(a.Illegal, b.Illegal) && view(&a.Current, &b.Current) && view(&a.Final, &b.Final)
}

// The effects of illegal moves, and which end is reported.
func TestIllegalAndLimits(t *testing.T) {
	begin := parse(t, "2,4,2,4/0,0,0,0/0,0,0,0/0,0,0,0") // neither up, left nor right
	for _, c := range []struct {
		o    env.Options
		want []outcome // of up, up, down
	}{
		{env.Options{Penalty: -1}, []outcome{{Illegal: true}, {Illegal: true}, {}}},
		{env.Options{Illegal: env.Penalize, Penalty: -1}, []outcome{{Reward: -1, Illegal: true}, {Reward: -1, Illegal: true}, {}}},
		{env.Options{Illegal: env.Terminate, Penalty: -3}, []outcome{{-3, true, false, true}, {Terminated: true}, {Terminated: true}}},
		{env.Options{Illegal: env.Penalize, Penalty: 0.5, MaxSteps: 2}, []outcome{{Reward: 0.5, Illegal: true}, {0.5, false, true, true}, {Truncated: true}}},
		{env.Options{Illegal: env.Terminate, MaxSteps: 1}, []outcome{{0, true, true, true}, {Terminated: true, Truncated: true}, {Terminated: true, Truncated: true}}},
	} {
		e := newEnv(t, c.o)
		must.Do(t, e.Place(0, begin, 0))
		for i, d := range []board.Direction{board.Up, board.Up, board.Down} {
			must.Equal(t, e.Step(d), c.want[i], c.o, "step", i)
		}
	}
}

func TestRewards(t *testing.T) {
	for merged, want := range map[int64]float64{0: 0, 4: 2, 8: 3, 12: math.Log2(12), 2048: 11, 1 << 37: 37} {
		must.Equal(t, env.Log2(merged), want, "Log2", merged)
	}
	e := newEnv(t, env.Options{Reward: func(merged int64) float64 { return float64(merged) / 1024 }})
	must.Do(t, e.Place(0, parse(t, "1024,1024,2,4/0,0,0,0/0,0,0,0/0,0,0,0"), 10))
	if out := e.Step(board.Left); out.Reward != 2 || e.Score(0) != 2058 {
		t.Errorf("%+v, score %d", out, e.Score(0))
	}
}

// The four slides of every environment, as package board makes them.
func TestAfterstates(t *testing.T) {
	for _, o := range []env.Options{{}, {Size: board.Size{Rows: 3, Cols: 3}}, {Size: board.Size{Rows: 6, Cols: 2}}} {
		const n = 5
		v := newVector(t, n, o)
		if o.Size == (board.Size{}) {
			for i, text := range []string{"32768,32768,2,2/0,0,0,0/0,0,0,0/0,0,0,0", "65536,4,4,2/0,0,0,0/0,0,0,0/0,0,0,0"} {
				must.Do(t, v.Place(i, parse(t, text), 0))
			}
		}
		cells := v.Size().Cells()
		boards, merged, legal := make([]uint8, 4*n*cells), make([][4]int64, n), make([][4]bool, n)
		out, actions, r := allBuffers(v), make([]board.Direction, n), rand.NewPCG(1, 1)
		for range 100 {
			v.Afterstates(boards, merged, legal)
			v.Afterstates(nil, nil, nil)
			for i := range n {
				b := v.Board(i)
				for _, d := range board.Directions {
					after, reward, moved := b.Slide(d)
					if merged[i][d] != reward || legal[i][d] != moved {
						t.Fatalf("%v of %v: %d, %v", d, b, merged[i][d], legal[i][d])
					}
					for c := range cells {
						if boards[(4*i+int(d))*cells+c] != after.Cell(c) {
							t.Fatalf("%v of %v: %v", d, b, boards[4*i*cells:4*(i+1)*cells])
						}
					}
				}
			}
			v.Sample(r, actions)
			v.Step(actions, &out)
		}
	}
}

// Sampled actions are legal, and each legal one comes as often as the others.
func TestSample(t *testing.T) {
	const n, rounds = 8, 3000
	v := newVector(t, n, env.Options{})
	boards := []string{"2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "0,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0", "2,4,2,4/0,0,0,0/0,0,0,0/0,0,0,0", "0,0,0,0/0,0,0,0/0,0,0,0/2,2,2,2"}
	for i := range n {
		must.Do(t, v.Place(i, parse(t, boards[i%len(boards)]), 0))
	}
	counts, actions, r := [n][4]float64{}, make([]board.Direction, n), rand.NewPCG(1, 1)
	for range rounds {
		v.Sample(r, actions)
		for i, d := range actions {
			counts[i][d]++
		}
	}
	for i := range n {
		b := v.Board(i)
		p := &plain{board: b}
		legal := 0.0
		for _, is := range p.legal() {
			legal += float64(one(is))
		}
		for d, is := range p.legal() {
			want := rounds / legal * float64(one(is))
			if off := math.Abs(counts[i][d] - want); off > 5*math.Sqrt(want) {
				t.Errorf("%v: %v %v times, want %v", b, board.Direction(d), counts[i][d], want)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, o := range small() {
		v := newVector(t, 8, o)
		if o.Size == (board.Size{Rows: 4, Cols: 4}) {
			must.Do(t, v.Place(0, parse(t, "65536,32768,32768,2/0,0,0,0/0,0,0,0/0,0,0,0"), 0))
		}
		out, actions, r := allBuffers(v), make([]board.Direction, 8), rand.NewPCG(1, 1)
		if n := testing.AllocsPerRun(200, func() {
			v.Sample(r, actions)
			v.Step(actions, &out)
		}); n != 0 {
			t.Errorf("%+v: a step allocates %v times", o, n)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		o    env.Options
		want string
	}{
		{env.Options{Size: board.Size{Rows: 1, Cols: 4}}, "size 1x4: must be rows and columns from 2 to 6"},
		{env.Options{P4: 1.5}, "probability of a 4 is 1.5: must be at most 1"},
		{env.Options{P4: math.NaN()}, "probability of a 4 is NaN: must be at most 1"},
		{env.Options{MaxSteps: -1}, "-1 steps at most: must be 1 or more, or 0 for no limit"},
		{env.Options{Penalty: math.Inf(-1)}, "penalty -Inf: must be a finite number"},
		{env.Options{Autoreset: 3}, "options Illegal 0, Observation 0, Autoreset 3: must be constants of package env"},
	} {
		_, err := env.NewVector(2, c.o)
		must.Equal(t, fmt.Sprint(err), c.want, "NewVector", c.o)
	}
	if _, err := env.NewVector(0, env.Options{}); err == nil {
		t.Error("a vector of no environments")
	}
	v := newVector(t, 2, env.Options{})
	for name, step := range map[string]func(){
		"too few actions": func() { v.Step(make([]board.Direction, 1), &env.Buffers{}) },
		"no direction":    func() { v.Step([]board.Direction{0, 4}, &env.Buffers{}) },
		"too short":       func() { v.Step(make([]board.Direction, 2), &env.Buffers{Rewards: make([]float64, 1)}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			step()
		}()
	}
}
