//go:build !js

package solve

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// A sample answers a board as the table does, to within its error, or not at all. The same command makes the same file, no
// larger than it may be, and a larger file answers more.
func TestSample(t *testing.T) {
	problems := []Problem{
		{Walls: "####/####/##../.... ####/####/.##./....", Goal: 64, P4: 0.1, Free: true},
		{Walls: "####/####/#.../....", Goal: 64, P4: 0.1},
	}
	for _, p := range problems[:soak.Pick(1, 2)] {
		table := solved(t, p)
		p = table.Problem()
		all := ending{p, map[board.Board]float64{}, map[board.Board]float64{}}
		for i := range 16 {
			for j := range i {
				if l := p.layouts()[0]; (l>>i|l>>j)&1 == 0 {
					all.value(all.start(l, i, j, 1, 1))
				}
			}
		}
		before := 0
		for _, size := range []int64{4000, 12000} {
			o := SampleOptions{Games: 2000, Size: size, Seed: 7}
			s := must.Get(table.Sample(context.Background(), o))(t)
			if again := must.Get(table.Sample(context.Background(), o))(t); !bytes.Equal(s.Data, again.Data) {
				t.Errorf("%v: two files of %d bytes differ", p, size)
			}
			if int64(len(s.Data)) > size {
				t.Errorf("%v: %d bytes, must be at most %d", p, len(s.Data), size)
			}
			small := must.Get(openSample(s.Data))(t)
			answered := 0
			for b := range all.values {
				got, err := small.Moves(&b)
				if errors.Is(err, ErrUnreached) {
					continue
				}
				want := must.Get(table.Moves(&b))(t)
				for d, m := range got {
					if m.Legal != want[d].Legal || math.IsNaN(m.Value) != math.IsNaN(want[d].Value) || math.Abs(m.Value-want[d].Value) > small.largestError() {
						t.Fatalf("%v: %v: %v %v, want %+v, %+v", p, b, board.Direction(d), err, m, want[d])
					}
				}
				answered++
			}
			if answered <= before || answered == len(all.values) {
				t.Errorf("%v: %d of %d boards answered with %d bytes, %d with fewer", p, answered, len(all.values), size, before)
			}
			before = answered
			if s.Answered[0] <= 0.3 || s.Answered[0] > 1 || s.Answered[1] <= 0.3 || s.LargestError == 0 || s.LargestError > sampleError {
				t.Errorf("%v: answers %v of the boards of games, error %v", p, s.Answered, s.LargestError)
			}
		}
	}
}

// A sample that is added, as the site's engine does, answers as one in the binary; a damaged one is refused.
func TestAddSample(t *testing.T) {
	table := solved(t, Problem{Walls: "####/####/#...", Goal: 64, P4: 0.1})
	s := must.Get(table.Sample(context.Background(), SampleOptions{Games: 2000, Size: 12000, Seed: 7}))(t)
	data := must.Get(io.ReadAll(flate.NewReader(bytes.NewReader(s.Data))))(t)
	l := &Library{Folder: Folder(t.TempDir())}
	if err := l.AddSample(data[:len(data)-1]); err == nil {
		t.Error("a damaged sample is accepted")
	}
	must.Do(t, l.AddSample(data))
	b := must.Get(board.Parse("32768,16384,8192,4096/2048,1024,512,256/128,2,0,0/0,0,0,2"))(t)
	goals := must.Get(l.AskGoals(context.Background(), b, Problem{P4: 0.1}))(t)
	want := must.Get(table.Moves(&b))(t)
	if len(goals) != 1 || goals[0].Tile != 64 || goals[0].Error != sampleError {
		t.Fatalf("%+v", goals)
	}
	for d, m := range goals[0].Moves {
		if m.Legal != want[d].Legal || math.Abs(m.Value-want[d].Value) > sampleError {
			t.Errorf("%v: %+v, expected %+v", board.Direction(d), m, want[d])
		}
	}
}

// The samples in the binary answer the boards of good play, all images alike, with the values that are known of the starts;
// and no board that they do not have.
func TestEmbeddedSamples(t *testing.T) {
	size := 0
	for _, data := range must.Get(SampleFiles())(t) {
		size += len(data)
	}
	if size > 2_010_000 {
		t.Errorf("the samples have %d bytes, must be at most 2 MB", size)
	}
	l := &Library{Folder: Folder(t.TempDir())}
	ask := func(b board.Board) []Goal {
		return must.Get(l.AskGoals(context.Background(), b, Problem{P4: 0.1}))(t)
	}
	for layout, want := range map[string]float64{"####/##..": 0.678222, "###./###.": 0.764092} {
		e := ending{p: must.Get(Problem{Walls: layout, Goal: 512, P4: 0.1}.normal())(t)}
		walls := e.p.layouts()[0]
		greatest := 0.0
		for i := range 16 {
			for j := range i {
				if (walls>>i|walls>>j)&1 != 0 {
					continue
				}
				start := e.start(walls, i, j, 1, 1)
				for _, b := range start.Symmetries() {
					for _, g := range ask(b) {
						if best, ok := Best(&g.Moves); ok && g.Tile == 512 && g.Error == sampleError {
							greatest = max(greatest, best)
						}
					}
				}
			}
		}
		if math.Abs(greatest-want) > sampleError {
			t.Errorf("%s: the best start has the chance %v, want %v", layout, greatest, want)
		}
	}
	for _, text := range []string{
		"32768,16384,8192,4096/2048,1024,2,128/256,4,64,2/2,8,2,0", // nobody who plays well
		"32768,16384,8192,4096/2048,2048,2,0/0,0,0,0/0,0,0,2",
		"2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2",
	} {
		if goals := ask(must.Get(board.Parse(text))(t)); len(goals) > 0 {
			t.Errorf("%s: %+v, want no answer", text, goals)
		}
	}
}
