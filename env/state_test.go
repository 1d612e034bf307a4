package env_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/rules/board"
)

// A snapshot that went through bytes and into another environment has the same future.
func TestSnapshot(t *testing.T) {
	for _, o := range small() {
		e := newEnv(t, o)
		r := rand.New(rand.NewPCG(4, 4))
		for range 60 {
			s := e.Snapshot(0)
			data, err := s.AppendBinary(nil)
			if err != nil || len(data) != env.StateBytes {
				t.Fatalf("%d bytes, %v", len(data), err)
			}
			var read env.State
			if err := read.UnmarshalBinary(data); err != nil || read != s {
				t.Fatalf("%+v, %v: want %+v", read, err, s)
			}
			other := newEnv(t, env.Options{Size: o.Size, Seed: 99, Observation: o.Observation, MaxSteps: o.MaxSteps, Illegal: o.Illegal, Penalty: o.Penalty, Reward: o.Reward})
			must.Do(t, other.Restore(0, read))
			for range 12 {
				d := board.Direction(r.IntN(4))
				if a, b := e.Step(d), other.Step(d); a != b || e.Snapshot(0) != other.Snapshot(0) {
					t.Fatalf("%+v, from the snapshot %+v", a, b)
				}
			}
			if e.Snapshot(0).Terminated || e.Snapshot(0).Truncated {
				e.Next(0)
				other.Next(0)
			}
			if e.Snapshot(0) != other.Snapshot(0) {
				t.Fatal("the next game is another one")
			}
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	e := newEnv(t, env.Options{Seed: 5})
	before := e.Snapshot(0)
	for _, c := range []struct {
		board string
		want  string
	}{
		{"2,2,0/0,0,0/0,0,0", "a board of 3x3: must be 4x4"},
		{"262144,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2", "the tiles of board 262144,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 sum to 262146: no 4x4 game has more than 262140"},
		{"131072,65536,65536,0/0,0,0,0/0,0,0,0/0,0,0,0", "the tiles of board 131072,65536,65536,0/0,0,0,0/0,0,0,0/0,0,0,0 sum to 262144: no 4x4 game has more than 262140"},
		{"0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "a board without tiles: must have at least one"},
	} {
		s := before
		s.Board = parse(t, c.board)
		if err := e.Restore(0, s); err == nil || err.Error() != c.want || e.Snapshot(0) != before {
			t.Errorf("%s: %v, want %s", c.board, err, c.want)
		}
	}
	for _, wrong := range [][2]int64{{-1, 0}, {0, -1}, {env.MaxScore + 1, 0}, {0, env.MaxScore + 1}, {math.MaxInt64, 0}} {
		s := before
		s.Score, s.Steps = wrong[0], wrong[1]
		if err := e.Restore(0, s); err == nil || e.Snapshot(0) != before {
			t.Errorf("a score of %d after %d steps: %v", s.Score, s.Steps, err)
		}
	}
	if err := e.Place(0, before.Board, math.MaxInt64); err == nil || e.Snapshot(0) != before {
		t.Errorf("a score that would overflow: %v", err)
	}
	dead := parse(t, "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2")
	must.Equal(t, fmt.Sprint(e.Place(0, dead, 0)), "board 2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2: no move is legal on it")
	if err := e.Restore(0, env.State{}); err == nil || e.Snapshot(0) != before {
		t.Errorf("the zero state: %v", err)
	}
	if err := e.Restore(0, env.State{Board: dead}); err != nil || !e.Snapshot(0).Terminated {
		t.Errorf("an ended episode: %v", err)
	}
}

// The fullest board there can be, reached by its last merges: every tile has a plane.
func TestLargestTiles(t *testing.T) {
	for _, size := range sizes() {
		e := newEnv(t, env.Options{Size: size, P4: 1, Observation: env.Planes})
		// 2^(cells+1), 2^cells and so on down to 8, and two cells for 4s
		b := board.New(size)
		for i := range size.Cells() - 1 {
			b.Set(i, uint8(size.Cells()+1-i))
		}
		must.Do(t, e.Place(0, b, 0))
		for range 8 {
			for _, d := range board.Directions {
				e.Step(d)
				same(t, e, &plain{board: e.Board(0), score: e.Score(0)})
			}
		}
	}
}

// Bytes of anybody are refused, or are a state that says the same again.
func FuzzState(f *testing.F) {
	for _, size := range sizes() {
		e := newEnv(f, env.Options{Size: size})
		data, _ := e.Snapshot(0).AppendBinary(nil)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s env.State
		if s.UnmarshalBinary(data) != nil {
			if s != (env.State{}) {
				t.Fatal("refused bytes change the state")
			}
			return
		}
		again, err := s.AppendBinary(nil)
		var twice env.State
		if err != nil || twice.UnmarshalBinary(again) != nil || twice != s {
			t.Fatalf("%+v is read again as %+v, %v", s, twice, err)
		}
		e := newEnv(t, env.Options{Size: s.Board.Size(), Observation: env.Planes})
		if e.Restore(0, s) == nil {
			for i := range 40 {
				e.Step(board.Direction(i & 3))
				same(t, e, &plain{board: e.Board(0), score: e.Score(0)})
			}
		}
	})
}

// What VectorBytes says is what NewVector allocates.
func TestVectorBytes(t *testing.T) {
	for _, size := range []board.Size{{}, {Rows: 4, Cols: 4}, {Rows: 3, Cols: 5}} {
		const n = 1000
		var v *env.Vector
		got, estimate := testenv.Allocated(func() { v = newVector(t, n, env.Options{Size: size}) }), env.VectorBytes(n, size)
		if got < estimate || got > estimate+estimate/4 { // allocations are rounded up
			t.Errorf("%v: %d bytes are allocated, VectorBytes says %d", size, got, estimate)
		}
		runtime.KeepAlive(v)
	}
	must.Equal(t, env.VectorBytes(math.MaxInt64, board.Size{}), math.MaxInt64, "bytes of too many")
}
