package solve

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/soak"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Bellman's equation is checked by a plain program: it uses package board, symmetry only in
// look-ups, and no tables of slides.

// spawned visits the boards with one tile more.
func spawned(b board.Board, visit func(b board.Board, four bool)) {
	for i := range b.Size().Cells() {
		if b.Cell(i) == 0 {
			for e := uint8(1); e <= 2; e++ {
				b.Set(i, e)
				visit(b, e == 2)
			}
			b.Set(i, 0)
		}
	}
}

// reached returns all boards on which a player is to move, and all afterstates, of every game.
func reached(s board.Size) (boards, afters map[board.Board]bool) {
	boards, afters = map[board.Board]bool{}, map[board.Board]bool{}
	var todo []board.Board
	add := func(b board.Board, _ bool) {
		if !boards[b] {
			boards[b] = true
			todo = append(todo, b)
		}
	}
	spawned(board.New(s), func(b board.Board, _ bool) { spawned(b, add) })
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, d := range board.Directions {
			if after, _, moved := b.Slide(d); moved && !afters[after] {
				afters[after] = true
				spawned(after, add)
			}
		}
	}
	return boards, afters
}

// mean returns the mean of a value over all spawns on a board.
func mean(b board.Board, p4 float64, value func(board.Board) float64) float64 {
	var sum, weight float64
	spawned(b, func(b board.Board, four bool) {
		p := 1 - p4
		if four {
			p = p4
		}
		sum, weight = sum+p*value(b), weight+p
	})
	return sum / weight
}

// plainMean is the right side of Bellman's equation for an afterstate.
func plainMean(after board.Board, p4 float64, value func(board.Board) float64) float64 {
	return mean(after, p4, func(b board.Board) float64 {
		best := 0.0
		for _, d := range board.Directions {
			if next, reward, moved := b.Slide(d); moved {
				best = max(best, float64(reward)+value(next))
			}
		}
		return best
	})
}

func residual(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / max(math.Abs(got), math.Abs(want))
}

const maxResidual = 1e-12

// sampled reports whether a board is checked: in the quick suite, one of eight.
func sampled(table *Table, b *board.Board) bool {
	return uint64(table.g.pack(b))*0x9e3779b97f4a7c15>>61 == 0 || soak.Wanted()
}

// The boards of the smallest sizes satisfy Bellman's equation, and there are as many as published.
func TestBellman(t *testing.T) {
	for _, c := range []struct {
		size   string
		boards int
		p4s    []float64
	}{{"2x2", 662, []float64{0.1, 0.5, 1e-9}}, {"2x3", 85_844, []float64{0.1}}, {"3x2", 85_844, []float64{0.7}}} {
		for _, p4 := range c.p4s {
			p := problem(t, c.size)
			p.P4 = p4
			table := solved(t, p)
			value := func(after board.Board) float64 {
				v, err := table.afterstate(table.g.pack(&after))
				if err != nil {
					t.Fatalf("%v: %v", after, err)
				}
				return v
			}
			boards, afters := reached(p.Size)
			must.Equal(t, len(boards), c.boards, "boards of", c.size)
			for after := range afters {
				if !sampled(table, &after) {
					continue
				}
				if got, want := value(after), plainMean(after, p4, value); residual(got, want) > maxResidual {
					t.Fatalf("%s: %v has the value %v, want %v", c.size, after, got, want)
				}
			}
			for b := range boards { // a board's value is that of its best move
				if !sampled(table, &b) {
					continue
				}
				moves, err := table.Moves(&b)
				if err != nil {
					t.Fatalf("%v: %v", b, err)
				}
				for d, m := range moves {
					after, reward, moved := b.Slide(board.Direction(d))
					if m.Legal != moved || moved && m.Value != float64(reward)+value(after) {
						t.Fatalf("%v, %v: %+v", b, board.Direction(d), m)
					}
				}
			}
		}
	}
}

// unpack converts a word to a board.
func unpack(w word, s board.Size) board.Board {
	b := board.New(s)
	for i := range s.Cells() {
		b.Set(i, uint8(w>>(4*i)&15))
	}
	return b
}

// The exact values of large sizes, before they are rounded for the file, satisfy Bellman's equation
// on boards of all layers.
func TestBellmanLarge(t *testing.T) {
	soak.Full(t, "it solves 2x4 and 3x3, which takes a minute; TestBellman checks small sizes")
	for _, c := range []struct {
		size    string
		samples int
	}{{"2x4", soak.Count(50_000, 200_000)}, {"3x3", soak.Count(200_000, 1_000_000)}} {
		p := problem(t, c.size)
		e, _ := ExtentOf(p.Size)
		draw := rand.New(rand.NewPCG(1, 2))
		checked, worst := 0, 0.0
		o := Options{inspect: func(v *valuer, sum int, keys []uint32, values []float64) {
			for i, key := range keys {
				if draw.Int64N(e.Afterstates) >= int64(c.samples) {
					continue
				}
				value := func(after board.Board) float64 {
					w := v.g.pack(&after)
					return v.next[(v.g.sum(w)-sum)/2].find(v.g.key(v.g.canonical(w)))
				}
				after := unpack(v.g.board(key, sum), p.Size)
				worst = max(worst, residual(values[i], plainMean(after, p.P4, value)))
				checked++
			}
		}}
		if _, err := Solve(context.Background(), p, o); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d boards, largest relative residual %.1e", c.size, checked, worst)
		if worst > maxResidual || checked < c.samples*9/10 {
			t.Errorf("%s: %d boards, largest relative residual %.1e", c.size, checked, worst)
		}
	}
}

// With the rules Adversary and Friendly, the value of an afterstate is the lowest or the highest over all spawns.
func TestChosenSpawns(t *testing.T) {
	for rule, extreme := range map[Rule]func(a, b float64) float64{
		Adversary: func(a, b float64) float64 { return min(a, b) },
		Friendly:  func(a, b float64) float64 { return max(a, b) },
	} {
		p := problem(t, "2x3")
		p.Spawn = rule
		table := solved(t, p)
		_, afters := reached(p.Size)
		for after := range afters {
			if !sampled(table, &after) {
				continue
			}
			got := must.Get(table.afterstate(table.g.pack(&after)))(t)
			want, first := 0.0, true
			spawned(after, func(b board.Board, _ bool) {
				v := must.Get(table.Value(&b))(t)
				if want = extreme(want, v); first {
					want, first = v, false
				}
			})
			if got != want {
				t.Fatalf("%s: %v has the value %v, want %v", rule, after, got, want)
			}
		}
	}
}
