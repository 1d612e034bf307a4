package game_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

var size4 = board.Size{Rows: 4, Cols: 4}

func TestZeroOptions(t *testing.T) {
	got, want := newGame(t, game.Options{}), seeded(t, size4, 0, 0, game.P4)
	if got.Board() != want.Board() || got.Start() != want.Start() {
		t.Errorf("New(Options{}) starts on %v, seed 0, game 0 on %v", got.Board(), want.Board())
	}
	if b := got.Board(); b.Empty() != 14 || got.Score() != 0 || got.Moves() != 0 || got.Over() || got.Won() {
		t.Errorf("a new game is %+v", look(got))
	}
	must.Equal(t, got.LastSpawn(), got.Start()[1], "the last spawn of a new game")
}

func TestNewRefusesSizes(t *testing.T) {
	for _, s := range []board.Size{{Rows: 1, Cols: 4}, {Rows: 4, Cols: 7}, {Rows: -4, Cols: -4}, {Rows: 4}} {
		if _, err := game.New(game.Options{Size: s}); err == nil {
			t.Errorf("New takes size %v", s)
		}
	}
}

func TestIllegalMovesChangeNothing(t *testing.T) {
	g := newGame(t, game.Options{Spawner: &game.Scripted{Spawns: []game.Spawn{{Cell: 0, Exponent: 1}, {Cell: 1, Exponent: 2}}}})
	before := look(g)
	for _, d := range []board.Direction{board.Up, board.Left} {
		err := g.Move(d)
		if !errors.Is(err, game.ErrIllegal) || look(g) != before || len(g.Steps()) != 0 {
			t.Errorf("%v: error %v, game %+v, was %+v", d, err, look(g), before)
		}
	}
}

func TestIllegalMovesKeepRedo(t *testing.T) {
	g := seeded(t, size4, 4, 0, game.P4)
	random := rand.New(rand.NewPCG(1, 1))
	for {
		playRandom(g, random, 1)
		g.Undo()
		for _, d := range board.Directions {
			b := g.Board()
			if _, _, moved := b.Slide(d); moved {
				continue
			}
			if err := g.Move(d); !errors.Is(err, game.ErrIllegal) || !g.Redo() {
				t.Errorf("after %v (%v) the undone move cannot be redone", d, err)
			}
			return
		}
		g.Redo()
	}
}

func TestMoveAfterTheEnd(t *testing.T) {
	g := seeded(t, board.Size{Rows: 3, Cols: 3}, 1, 0, game.P4)
	playRandom(g, rand.New(rand.NewPCG(3, 3)), 1<<20)
	before := look(g)
	for _, d := range board.Directions {
		if err := g.Move(d); !errors.Is(err, game.ErrOver) || look(g) != before {
			t.Errorf("%v after the end: error %v, game %+v, was %+v", d, err, look(g), before)
		}
	}
}

// nearWin is two tiles of 1024 in the top row, one move from the win.
func nearWin(t *testing.T, stop bool) *game.Game {
	tiles := []game.Spawn{{Cell: 0, Exponent: 10}, {Cell: 1, Exponent: 10}, {Cell: 15, Exponent: 1}, {Cell: 14, Exponent: 1}, {Cell: 13, Exponent: 2}}
	return newGame(t, game.Options{Spawner: &given{tiles: tiles}, StopAtWin: stop})
}

func TestWinStopsOnceUntilKeepPlaying(t *testing.T) {
	g := nearWin(t, true)
	if g.Won() || g.PausedOnWin() {
		t.Fatal("won before the first move")
	}
	if err := g.Move(board.Left); err != nil || !g.Won() || !g.PausedOnWin() || g.Score() != 2048 {
		t.Fatalf("2048 made: error %v, %+v", err, look(g))
	}
	before := look(g)
	if err := g.Move(board.Right); !errors.Is(err, game.ErrWon) || look(g) != before {
		t.Errorf("a move after the win: error %v, %+v", err, look(g))
	}
	g.KeepPlaying()
	if err := g.Move(board.Right); err != nil || !g.Won() || g.PausedOnWin() {
		t.Errorf("playing on: error %v, %+v", err, look(g))
	}
}

// The zero options play on after the win.
func TestPlaysOnUnlessAskedToStop(t *testing.T) {
	g := nearWin(t, false)
	for _, d := range []board.Direction{board.Left, board.Right} {
		if err := g.Move(d); err != nil || !g.Won() || g.PausedOnWin() {
			t.Errorf("%v: error %v, %+v", d, err, look(g))
		}
	}
}

func TestUndoAfterWin(t *testing.T) {
	g := nearWin(t, true)
	start := look(g)
	_ = g.Move(board.Left)
	won := look(g)
	if !g.Undo() || look(g) != start {
		t.Fatalf("undo after the win: %+v, was %+v", look(g), start)
	}
	if !g.Redo() || look(g) != won {
		t.Fatalf("redo of the win: %+v, was %+v", look(g), won)
	}
	g.Undo()
	if err := g.Move(board.Down); err != nil || g.Won() {
		t.Errorf("another way than the win: error %v, %+v", err, look(g))
	}
}

func TestKeepPlayingOutlivesUndo(t *testing.T) {
	g := nearWin(t, true)
	_ = g.Move(board.Left)
	g.KeepPlaying()
	g.Undo()
	_ = g.Move(board.Left)
	if !g.Won() || g.PausedOnWin() {
		t.Errorf("won again after KeepPlaying: %+v", look(g))
	}
}

// A game is won when its first 2048 is made. On a large board where only 4s spawn, random
// play gets there.
func TestWonIsLargestTile(t *testing.T) {
	g := seeded(t, board.Size{Rows: 6, Cols: 6}, 1, 0, 1)
	random, wins := rand.New(rand.NewPCG(4, 4)), 0
	for range 4000 {
		before := g.Won()
		playRandom(g, random, 1)
		b := g.Board()
		if won := b.Largest() >= game.WinExponent; g.Won() != won {
			t.Fatalf("won is %v on %v", g.Won(), b)
		}
		if g.Won() && !before {
			wins++
		}
	}
	must.Equal(t, wins, 1, "wins")
}

// A move's board escapes through the Spawner interface. Apart from the growing lists of steps
// and marks, nothing may be allocated.
func TestMoveAllocates(t *testing.T) {
	first := seeded(t, size4, 1, 0, game.P4)
	playRandom(first, rand.New(rand.NewPCG(1, 1)), 1<<20)
	steps := first.Steps()
	perGame := testing.AllocsPerRun(10, func() {
		g := seeded(t, size4, 1, 0, game.P4)
		for _, s := range steps {
			_ = g.Move(s.Move)
		}
	})
	if perGame > float64(len(steps)+20) {
		t.Errorf("a game of %d moves allocates %v times: must be at most 1 a move", len(steps), perGame)
	}
}

func BenchmarkMove(b *testing.B) {
	first := seeded(b, size4, 1, 0, game.P4)
	playRandom(first, rand.New(rand.NewPCG(1, 1)), 1<<20)
	steps := first.Steps()
	b.ReportAllocs()
	for b.Loop() {
		g := seeded(b, size4, 1, 0, game.P4)
		for _, s := range steps {
			_ = g.Move(s.Move)
		}
	}
	b.ReportMetric(float64(len(steps)*b.N)/b.Elapsed().Seconds(), "moves/s")
}
