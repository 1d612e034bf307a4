//go:build !js

package solve

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// ending solves an ending with a plain program: walls are different tiles of package board, and symmetric boards are
// treated as different.
type ending struct {
	p      Problem
	values map[board.Board]float64 // boards on which the player is to move
	afters map[board.Board]float64
}

func (e *ending) layout(b *board.Board) (l Layout) {
	for i := range 16 {
		if board.Tile(b.Cell(i)) > e.p.Goal {
			l |= 1 << i
		}
	}
	return l
}

// allowed reports whether the rule for walls allows a move.
func (e *ending) allowed(before, after *board.Board) bool {
	at := e.layout(after)
	return at == e.layout(before) || e.p.Free && slices.Contains(e.p.layouts(), at.Canonical())
}

func (e *ending) value(b board.Board) float64 {
	if v, ok := e.values[b]; ok {
		return v
	}
	best := 0.0
	for _, d := range board.Directions {
		if after, _, moved := b.Slide(d); moved && e.allowed(&b, &after) {
			best = max(best, e.after(after))
		}
	}
	e.values[b] = best
	return best
}

func (e *ending) after(b board.Board) float64 {
	for i := range 16 {
		if board.Tile(b.Cell(i)) == e.p.Goal {
			return 1
		}
	}
	if v, ok := e.afters[b]; ok {
		return v
	}
	v := mean(b, e.p.P4, e.value)
	e.afters[b] = v
	return v
}

// start returns a layout with two tiles on free cells, and different walls elsewhere.
func (e *ending) start(l Layout, i, j int, x, y uint8) board.Board {
	b := board.New(board.Size{Rows: 4, Cols: 4})
	next := e.p.goal()
	for c := range 16 {
		switch {
		case l>>c&1 != 0:
			next++
			b.Set(c, next)
		case c == i:
			b.Set(c, x)
		case c == j:
			b.Set(c, y)
		}
	}
	return b
}

// A table of an ending has the boards and the values that a plain program finds.
func TestEndings(t *testing.T) {
	for _, p := range []Problem{
		{Walls: "####/####/#.../....", Goal: 16, P4: 0.1},
		{Walls: "####/####/##../....", Goal: 32, P4: 0.1},
		{Walls: "####/#..#/#..#/####", Goal: 16, P4: 0.3}, // symmetric under all eight symmetries
		{Walls: "####/####/##../....", Goal: 16, P4: 0.1, Free: true},
		{Walls: "####/####/##../.... ####/####/.##./....", Goal: 16, P4: 0.1, Free: true},
		{Walls: "####/##../##../##.. ###./###./###./.#.. ", Goal: 16, P4: 0.5, Free: true},
	} {
		table := solved(t, p)
		p = table.Problem
		e := ending{p, map[board.Board]float64{}, map[board.Board]float64{}}
		var mean, best float64
		starts := 0
		for n, l := range p.layouts() {
			for i := range 16 {
				for j := range 16 {
					if l>>i&1 != 0 || l>>j&1 != 0 || i == j {
						continue
					}
					for x := range uint8(2) {
						for y := range uint8(2) {
							v := e.value(e.start(l, i, j, x+1, y+1))
							if n == 0 && x+y == 0 {
								mean, best, starts = mean+v, max(best, v), starts+1
							}
						}
					}
				}
			}
		}
		if math.Abs(table.Start-mean/float64(starts)) > 1e-12 || math.Abs(table.Best-best) > 1e-12 {
			t.Errorf("%v: mean %v, best %v, want %v and %v", p, table.Start, table.Best, mean/float64(starts), best)
		}
		boards := map[word]bool{}
		for b := range e.values {
			w, ok := table.g.walls.pack(&b, p.goal())
			if !ok {
				t.Fatalf("%v: %v has no layout", p, b)
			}
			boards[table.g.canonical(w)] = true
			for _, image := range b.Symmetries() {
				moves, err := table.Moves(&image)
				if err != nil {
					t.Fatalf("%v: %v, image of %v: %v", p, image, b, err)
				}
				for d, m := range moves {
					after, _, moved := image.Slide(board.Direction(d))
					want := math.NaN()
					if moved && image == b && e.allowed(&b, &after) {
						want = e.after(after)
					}
					if m.Legal != moved || image == b && moved && !(math.Abs(m.Value-want) < 1e-7 || math.IsNaN(m.Value) && math.IsNaN(want)) {
						t.Fatalf("%v: %v, %v: %+v, want %v", p, image, board.Direction(d), m, want)
					}
				}
				if v := must.Get(table.Value(&image))(t); math.Abs(v-e.value(b)) > 1e-7 {
					t.Fatalf("%v: %v has the value %v, want %v", p, image, v, e.value(b))
				}
			}
		}
		must.Equal(t, int(table.Boards), len(boards), p, "boards")
		if bound := p.bound(); table.Boards > bound.Boards || table.Afterstates > bound.Afterstates {
			t.Errorf("%v: %d boards, %d afterstates, more than %+v", p, table.Boards, table.Afterstates, bound)
		}
	}
}

// The smallest wall may be as large as the goal: the goal is then the second tile of its kind.
func TestSmallestWallIsTheGoal(t *testing.T) {
	table := solved(t, Problem{Walls: "####/####/##..", Goal: 32, P4: 0.1})
	p := table.Problem
	for text, want := range map[string]float64{
		"2048,1024,8192,4096/512,256,16384,128/64,32768,2,0/0,0,0,2":  -1,
		"1024,512,4096,2048/256,128,8192,64/32,16384,2,0/0,0,0,2":     -1,
		"2048,1024,8192,4096/512,256,16384,128/64,32768,32,0/0,0,0,2": 1, // ten walls and the goal
		"1024,512,4096,2048/256,128,8192,64/32,16384,32,0/0,0,0,2":    1,
	} {
		b := must.Get(board.Parse(text))(t)
		if want < 0 {
			same := must.Get(board.Parse("2048,1024,8192,4096/512,256,16384,128/64,32768,2,0/0,0,0,2"))(t)
			want = must.Get(table.Value(&same))(t)
		}
		if v, err := table.Value(&b); err != nil || v != want || p.fits(&b) != (want < 1) {
			t.Errorf("%v: %v, %v, want %v", b, v, err, want)
		}
	}
	for _, text := range []string{
		"1024,512,4096,2048/256,128,8192,64/16,16384,2,0/0,0,0,2", // nine walls
		"1024,512,4096,2048/256,128,8192,64/64,16384,2,0/0,0,0,2", // equal ones
		"1024,512,4096,2048/256,128,8192,64/2,16384,32,0/0,0,0,2", // another layout
	} {
		b := must.Get(board.Parse(text))(t)
		if _, err := table.Value(&b); err != ErrUnreached || p.fits(&b) {
			t.Errorf("%v: %v", b, err)
		}
	}
}

// Keys and boards convert into each other, on every layout.
func TestEndingKeys(t *testing.T) {
	p := must.Get(Problem{Walls: "####/##.. ###./###. ##.#/##.# ####/#.../#...", Goal: 512, Free: true}.normal())(t)
	g := geometryOf(&p)
	seen := map[uint32]bool{}
	for _, start := range g.starts() {
		for at := range 16 {
			w := start
			if w>>(4*at)&15 == 0 {
				w |= 8 << (4 * at)
			}
			w = g.canonical(w)
			key := g.key(w)
			if got := g.board(key, g.sum(w)); got != w {
				t.Fatalf("%016x has the key %d, which is %016x", w, key, got)
			}
			for s := range uint8(8) {
				if got := g.canonical(symmetric(w, s)); got != w {
					t.Fatalf("%016x: image %d is %016x", w, s, got)
				}
			}
			seen[key] = true
		}
	}
	if len(seen) < 1000 {
		t.Errorf("only %d keys", len(seen))
	}
}

// Walls that others have solved: the mean and the best chance of a 128 from two 2s, by a program with the walls fixed.
func TestPublishedEndings(t *testing.T) {
	soak.Full(t, "an ending takes twenty seconds; TestEndings checks small ones")
	published := []struct {
		walls      string
		mean, best float64
	}{{"####/##..", 0.8280, 0.9390}, {"###./###.", 0.7732, 0.9182}}
	for _, want := range published[:soak.Count(1, 2)] {
		table := must.Get(Folder(t.TempDir()).Solve(context.Background(), Problem{Walls: want.walls, Goal: 128, P4: 0.1}, Options{}))(t)
		if math.Abs(table.Start-want.mean) > 5e-5 || math.Abs(table.Best-want.best) > 5e-5 {
			t.Errorf("mean %.4f, best %.4f, want %v", table.Start, table.Best, want)
		}
		table.Close()
	}
}

func TestEndingRefused(t *testing.T) {
	for want, p := range map[string]Problem{
		"four rows of four cells":  {Walls: "###/###", Goal: 512},
		"walls on a 3x3 board":     {Walls: "####", Goal: 512, Size: board.Size{Rows: 3, Cols: 3}},
		"must have 1 to 12":        {Walls: "####/####/####/####", Goal: 512},
		"an ending without a goal": {Walls: "####/##.."},
		"must be one":              {Walls: "####/##.. ###./###.", Goal: 512},
		"the same number":          {Walls: "####/##.. ###./##..", Goal: 512, Free: true},
		"must be at most 4":        {Walls: "####/##.. ###./###. ##.#/##.# ####/#.../#... ####/#..#", Goal: 512, Free: true},
		"a smaller goal":           {Walls: "####", Goal: 512},
		"from 8 to 4096":           {Walls: "####/##..", Goal: 3},
	} {
		must.Contains(t, fmt.Sprint(p.Check()), want, p)
	}
	if err := (Problem{Walls: "#", Goal: 512}).Check(); err == nil {
		t.Error("a short row is accepted")
	}
}
