//go:build !js

package solve

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
)

// A sample that is added, as in the web page, gives the same answers as the embedded one; a damaged sample is refused.
func TestAddSample(t *testing.T) {
	file := must.Get(SampleFiles())(t)["4x4-walls-003f-512-p0.1.sample"]
	data := must.Get(io.ReadAll(flate.NewReader(bytes.NewReader(file))))(t)
	embedded := must.Get(openSample(file))(t)
	l := &Library{Folder: Folder(t.TempDir())}
	if err := l.AddSample(data[:len(data)-1]); err == nil {
		t.Error("a damaged sample is accepted")
	}
	must.Do(t, l.AddSample(data))
	if n := len(l.added); n != 1 || l.added[0].problem != embedded.Problem {
		t.Fatalf("%d samples are added: %+v", n, l.added)
	}
	b := must.Get(board.Parse("32768,16384,8192,4096/2048,1024,0,0/0,2,0,0/0,0,0,2"))(t)
	added := must.Get(l.added[0].table())(t)
	if got, want := fmt.Sprint(must.Get(added.Moves(&b))(t)), fmt.Sprint(must.Get(embedded.Moves(&b))(t)); got != want { // NaN: a wall moves
		t.Errorf("%s, expected %s", got, want)
	}
}

// The embedded samples have the known values of the starts, answer boards of good play and all their images, and fail
// for boards that they do not contain.
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
