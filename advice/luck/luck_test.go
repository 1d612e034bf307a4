package luck_test

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/afterstate2048/afterstate/advice/luck"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/internal/testenv"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
	"github.com/afterstate2048/afterstate/search/solve"
)

// Solved sizes of the user would change results.
func TestMain(m *testing.M) { os.Exit(testenv.Run(m.Run)) }

func parse(spec string) (catalog.Maker, error) {
	return catalog.Parse(spec, catalog.Capabilities{})
}

// play returns a game of a player.
func play(t *testing.T, spec string, size board.Size, index uint64, until int) *game.Game {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(3, index, game.P4)}))(t)
	d := player.Driver{Player: must.Get(parse(spec))(t).New(), Game: g}
	defer d.Close()
	must.Do(t, d.Begin(t.Context(), 3, index))
	for more := true; more && g.Moves() < until; {
		more = must.Get(d.Move(t.Context()))(t)
	}
	return g
}

func valuer(t *testing.T, size board.Size) *luck.Valuer {
	t.Helper()
	v := must.Get(luck.New(t.Context(), parse, size, game.P4))(t)
	t.Cleanup(v.Close)
	return v
}

// On solved sizes the account is exact: it adds up, moves change by minus their loss, and optimal play loses nothing.
func TestExact(t *testing.T) {
	for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}, {Rows: 3, Cols: 2}} {
		table := must.Get(catalog.Table(t.Context(), catalog.Standard(size)))(t)
		v := valuer(t, size)
		for _, spec := range []string{"random", "snake(depth=0)", "perfect"} {
			for i := range uint64(20) {
				g := play(t, spec, size, i, math.MaxInt)
				a := must.Get(v.Account(t.Context(), g, 0, nil))(t)
				l := v.Ledger(&a)
				if !l.Exact || l.Remaining != 0 || l.Score != g.Score() || len(a.Luck) != g.Moves() {
					t.Fatalf("%v, %s, game %d: %+v", size, spec, i, l)
				}
				if off := l.Expected + l.Moves + l.Luck - float64(g.Score()); math.Abs(off) > 1e-6 {
					t.Errorf("%v, %s, game %d: the ledger is off by %v", size, spec, i, off)
				}
				total := g.Moves()
				for n := total - 1; n >= 0; n-- {
					played := g.Step(n).Move
					g.Undo()
					b := g.Board()
					moves := must.Get(table.Moves(&b))(t)
					best, _ := solve.Best(&moves)
					if loss := best - moves[played].Value; math.Abs(loss+a.Moves(n)) > 1e-6 {
						t.Fatalf("%v, %s, game %d, move %d: changed by %v, its loss is %v", size, spec, i, n, a.Moves(n), loss)
					}
				}
				if spec == "perfect" && math.Abs(l.Moves) > 1e-6 {
					t.Errorf("%v, game %d: optimal moves change by %v", size, i, l.Moves)
				}
			}
		}
	}
}

// Over all new tiles after a move the mean of luck is 0, and its variance is the one that the account has.
func TestMean(t *testing.T) {
	const ending = "16384,8192,4096,2048/1024,512,0,0/2,0,0,4/0,8,0,2"
	for i, text := range []string{"2,4,0,2/8,64,2,0/32,128,0,4/2,16,512,2", "4,2/0,2/8,16", "2,0/0,2", "2,4,8/0,2,32/0,0,0/4,0,2", ending, ending, "2,4,8/0,2,32/0,0,0"} {
		b := must.Get(board.Parse(text))(t)
		var v *luck.Valuer
		if i <= 4 {
			v = valuer(t, b.Size())
		} else { // on a size without points too
			v = must.Get(luck.NewControl(t.Context(), parse, b.Size(), game.P4))(t)
			t.Cleanup(v.Close)
		}
		move := b.Legal()[0]
		after, _, _ := b.Slide(move)
		var mean, squares, variance float64
		for cell := range b.Size().Cells() {
			for e, p := range [...]float64{1: 1 - game.P4, 2: game.P4} {
				if after.Cell(cell) != 0 || p == 0 {
					continue
				}
				p /= float64(after.Empty())
				script := &game.Scripted{Spawns: []game.Spawn{{Cell: cell, Exponent: uint8(e)}}}
				g := must.Get(game.New(game.Options{Size: b.Size(), Board: b, Spawner: script}))(t)
				must.Do(t, g.Move(move))
				a := must.Get(v.Account(t.Context(), g, 0, nil))(t)
				mean += p * a.Luck[0]
				squares += p * a.Luck[0] * a.Luck[0]
				variance = a.Variance
			}
		}
		if scale := 1 + math.Sqrt(squares); math.Abs(mean) > 1e-9*scale || math.Abs(squares-variance) > 1e-6*scale*scale || variance == 0 {
			t.Errorf("%s: mean %v, variance %v, the account has %v", text, mean, squares, variance)
		}
	}
}

// Values for control variates differ from values in points only in endings, so their hashes differ.
func TestControl(t *testing.T) {
	size := board.Size{Rows: 4, Cols: 4}
	points, control := valuer(t, size), must.Get(luck.NewControl(t.Context(), parse, size, game.P4))(t)
	defer control.Close()
	for text, same := range map[string]bool{"2,4,0,2/8,64,2,0/32,128,0,4/2,16,512,2": true, "16384,8192,4096,2048/1024,512,0,0/2,0,0,4/0,8,0,2": false} {
		b := must.Get(board.Parse(text))(t)
		if x, y := must.Get(points.Value(t.Context(), &b))(t), must.Get(control.Value(t.Context(), &b))(t); (x == y) != same {
			t.Errorf("%s: %v points, as a control %v", text, x, y)
		}
	}
	if x, y := must.Get(points.Hash(t.Context(), size))(t), must.Get(control.Hash(t.Context(), size))(t); x == y {
		t.Errorf("other values have the same hash %s", x)
	}
}

// The account of a part follows that of the part before, and a game that is not over has points still to come.
func TestParts(t *testing.T) {
	for _, size := range []board.Size{{Rows: 4, Cols: 4}, {Rows: 4, Cols: 3}} {
		v := valuer(t, size)
		g := play(t, "greedy", size, 1, 80)
		whole := must.Get(v.Account(t.Context(), g, 0, nil))(t)
		l := v.Ledger(&whole)
		if l.Exact || l.Remaining <= 0 || l.Player == "" || l.LuckSD <= 0 {
			t.Errorf("%v: %+v", size, l)
		}
		if off := l.Expected + l.Moves + l.Luck - l.Remaining - float64(l.Score); math.Abs(off) > 1e-6*l.Expected {
			t.Errorf("%v: the ledger is off by %v", size, off)
		}
		if w := whole.Luck[l.Worst.Move]; w != l.Worst.Luck || w > whole.Luck[l.Best.Move] || w >= 0 {
			t.Errorf("%v: worst new tile %+v", size, l.Worst)
		}
		for from := 0; from < g.Moves(); {
			calls := 0
			part := must.Get(v.Account(t.Context(), g, from, func() bool { calls++; return calls == 30 }))(t)
			for i, x := range part.Luck {
				if x != whole.Luck[from+i] || part.Expected[i] != whole.Expected[from+i] {
					t.Fatalf("%v, move %d: luck %v, in the whole %v", size, from+i, x, whole.Luck[from+i])
				}
			}
			if from += len(part.Luck); len(part.Luck) != 30 && from != g.Moves() {
				t.Fatalf("%v: a part of %d moves, not 30", size, len(part.Luck))
			}
		}
		must.Equal(t, g.Moves(), len(whole.Luck), size, "moves")
	}
}

func TestRecorded(t *testing.T) {
	small, none := board.Size{Rows: 2, Cols: 2}, board.Size{Rows: 6, Cols: 6}
	for _, c := range []struct {
		size  board.Size
		meta  record.Meta
		known bool
		exact bool
	}{
		{small, record.Meta{Spawn: record.Random, P4: 0.1}, true, true},
		{small, record.Meta{Spawn: record.Imported}, true, true},
		{small, record.Meta{Spawn: record.Random, P4: 0.5}, true, true},
		{small, record.Meta{Spawn: record.Random, P4: 0}, true, true},
		{small, record.Meta{Spawn: "adversary(plies=2)"}, false, false},
		{small, record.Meta{Spawn: record.Random, P4: 0.1, Player: "foresight(depth=2)"}, false, false},
		{none, record.Meta{Spawn: record.Random, P4: 0.1}, false, false},
	} {
		g := play(t, "greedy", c.size, 2, 12)
		l, err := luck.Recorded(t.Context(), parse, &c.meta, g)
		if err != nil || (l != nil) != c.known || l != nil && l.Exact != c.exact {
			t.Errorf("%v, %+v: %+v, %v", c.size, c.meta, l, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := luck.Recorded(ctx, parse, &record.Meta{Spawn: record.Random, P4: 0.1}, play(t, "greedy", small, 2, 12)); err == nil {
		t.Error("an account whose context has ended is no error")
	}
}
