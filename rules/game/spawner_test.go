package game_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// The first three spawns of seed 1, game 2, from the first numbers of PCG(1, 2)
// as Go's own tests publish them and the rule of Random, worked out by hand.
func TestFirstSpawnsByHand(t *testing.T) {
	pcg := rand.NewPCG(1, 2)
	for i, want := range []uint64{0xc4f5a58656eef510, 0x9dcec3ad077dec6c, 0xc8d04605312f8088} {
		if got := pcg.Uint64(); got != want {
			t.Fatalf("number %d of PCG(1, 2) is %#x: want %#x", i+1, got, want)
		}
	}
	g := seeded(t, size4, 1, 2, game.P4)
	want := [2]game.Spawn{
		// 0xc4f5a586/2^32 = 0.769 of 16 empty cells is number 12; 0x56eef510 is over 0x19999999
		{Cell: 12, Exponent: 1},
		// 0x9dcec3ad/2^32 = 0.616 of 15 is number 9, before the taken cell 12; 0x077dec6c is under
		{Cell: 9, Exponent: 2},
	}
	if g.Start() != want {
		t.Fatalf("seed 1, game 2 starts with %v: want %v", g.Start(), want)
	}
	// ....   up   24..   0xc8d04605/2^32 = 0.784 of 14 empty cells is number 10,
	// ....  --->  ....   past the taken cells 0 and 1 it is cell 12;
	// .4..        ....   0x312f8088 is over 0x19999999
	// 2...        ....
	must.Do(t, g.Move(board.Up))
	if got := g.LastSpawn(); got != (game.Spawn{Cell: 12, Exponent: 1}) || g.Score() != 0 {
		t.Errorf("the third spawn is %v, score %d: must be cell 12, exponent 1, score 0", got, g.Score())
	}
}

// The rule once more, with slices instead of lanes, over whole games.
func TestSpawnRuleFromFirstPrinciples(t *testing.T) {
	for _, p4 := range []float64{0, game.P4, 0.25, 1} {
		for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 3, Cols: 5}, size4, {Rows: 6, Cols: 2}} {
			pcg, cells := rand.NewPCG(99, 3), make([]uint8, size.Cells())
			next := func() game.Spawn {
				u := pcg.Uint64()
				var empty []int
				for i, e := range cells {
					if e == 0 {
						empty = append(empty, i)
					}
				}
				s := game.Spawn{Cell: empty[(u>>32)*uint64(len(empty))>>32], Exponent: 1}
				if u&0xffffffff < uint64(math.Floor(p4*4294967296)) {
					s.Exponent = 2
				}
				cells[s.Cell] = s.Exponent
				return s
			}
			g := seeded(t, size, 99, 3, p4)
			if want := [2]game.Spawn{next(), next()}; g.Start() != want {
				t.Fatalf("%v, p4 %v starts with %v: want %v", size, p4, g.Start(), want)
			}
			for random := rand.New(rand.NewPCG(1, 1)); !g.Over(); {
				before := g.Board()
				playRandom(g, random, 1)
				steps := g.Steps()
				after, _, _ := before.Slide(steps[len(steps)-1].Move)
				for i := range cells {
					cells[i] = after.Cell(i)
				}
				if want := next(); g.LastSpawn() != want {
					t.Fatalf("%v, p4 %v: spawn %d is %v: want %v", size, p4, g.Moves()+2, g.LastSpawn(), want)
				}
			}
		}
	}
}

func TestNewRandomRefusesProbabilities(t *testing.T) {
	for _, p := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewRandom takes p4 %v", p)
				}
			}()
			game.NewRandom(0, 0, p)
		}()
	}
}

func TestForeseeIsACopy(t *testing.T) {
	g, other := seeded(t, size4, 8, 0, game.P4), seeded(t, size4, 8, 0, game.P4)
	for random := rand.New(rand.NewPCG(1, 1)); !g.Over(); {
		before := look(g)
		future, ok := g.Foresee()
		if !ok {
			t.Fatal("a random game cannot be foreseen")
		}
		playRandom(g, random, 1)
		d := g.Steps()[g.Moves()-1].Move
		b := before.board
		after, _, _ := b.Slide(d)
		if foreseen, empty := future.Place(&after, future.Draw()); foreseen != g.LastSpawn() || after != g.Board() || empty != after.Empty() {
			t.Fatalf("foreseen %v with %d empty cells left, came %v with %d", foreseen, empty, g.LastSpawn(), after.Empty())
		}
		for range 5 { // spends the copy
			future.Draw()
		}
		if err := other.Move(d); err != nil || look(other) != look(g) {
			t.Fatalf("foreseeing disturbs the game: %v, %+v, not %+v", err, look(g), look(other))
		}
	}
	if _, ok := nearWin(t, false).Foresee(); ok {
		t.Error("a game without random tiles can be foreseen")
	}
}

func TestScriptedErrors(t *testing.T) {
	first, second := game.Spawn{Cell: 0, Exponent: 1}, game.Spawn{Cell: 1, Exponent: 1}
	for _, c := range []struct {
		third []game.Spawn
		want  string
	}{
		{nil, "the script ends after 2 spawns"},
		{[]game.Spawn{{Cell: 0, Exponent: 1}}, "the new 2 is on a1, which holds 4"},
		{[]game.Spawn{{Cell: 16, Exponent: 1}}, "the new tile is on cell 16: a 4x4 board has cells 0 to 15"},
		{[]game.Spawn{{Cell: -1, Exponent: 1}}, "the new tile is on cell -1: a 4x4 board has cells 0 to 15"},
		{[]game.Spawn{{Cell: 5, Exponent: 0}}, "the new tile is 0: must be 2 or 4"},
		{[]game.Spawn{{Cell: 5, Exponent: 3}}, "the new tile is 8: must be 2 or 4"},
	} {
		g := newGame(t, game.Options{Spawner: &game.Scripted{Spawns: append([]game.Spawn{first, second}, c.third...)}})
		before := look(g)
		if err := g.Move(board.Left); err == nil || err.Error() != c.want || look(g) != before {
			t.Errorf("script %v: error %v, want %s; game %+v, was %+v", c.third, err, c.want, look(g), before)
		}
	}
	_, err := game.New(game.Options{Spawner: &game.Scripted{Spawns: []game.Spawn{first, first}}})
	must.Contains(t, fmt.Sprint(err), "the new 2 is on a1, which holds 2", "two start tiles on one cell: error")
}

func TestScriptedUndo(t *testing.T) {
	g := newGame(t, game.Options{Spawner: &game.Scripted{Spawns: []game.Spawn{
		{Cell: 0, Exponent: 1}, {Cell: 1, Exponent: 1}, {Cell: 7, Exponent: 2}, {Cell: 8, Exponent: 1},
	}}})
	for range 3 { // the same tiles come again and again
		for i, d := range []board.Direction{board.Left, board.Down} {
			if err := g.Move(d); err != nil || g.LastSpawn().Cell != 7+i {
				t.Fatalf("move %d: error %v, spawn %v", i+1, err, g.LastSpawn())
			}
		}
		g.Undo()
		g.Undo()
	}
}
