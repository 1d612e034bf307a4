package env_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/env"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Whole games of every size are package game's with the same seed and index, step by
// step, one game after another.
func TestGames(t *testing.T) {
	for _, size := range sizes() {
		for see, games := range []int{few(12), few(12)} {
			t.Run(fmt.Sprint(size, see), func(t *testing.T) {
				if size.Cells() > 16 {
					games = 1 + games/6
				}
				e := newEnv(t, env.Options{Size: size, Seed: 7, Observation: env.Observation(see)})
				for i := range uint64(games) {
					if seed, index := e.Game(0); seed != 7 || index != i {
						t.Fatalf("game %d of seed %d is on, want %d of 7", index, seed, i)
					}
					followGame(t, e, size, i)
					e.Next(0)
				}
			})
		}
	}
}

// followGame plays random directions, illegal ones among them, to the end.
func followGame(t *testing.T, e *single, size board.Size, index uint64) {
	t.Helper()
	g := must.Get(game.New(game.Options{Size: size, Spawner: game.NewRandom(7, index, game.P4)}))(t)
	r := rand.New(rand.NewPCG(1, index))
	steps := int64(0)
	for {
		same(t, e, &plain{board: g.Board(), score: g.Score()})
		if got := e.Snapshot(0).Steps; got != steps {
			t.Fatalf("%d steps, want %d", got, steps)
		}
		if g.Over() {
			break
		}
		d, before := board.Direction(r.IntN(4)), g.Score()
		out := e.Step(d)
		legal := g.Move(d) == nil
		want := outcome{Reward: float64(g.Score() - before), Terminated: g.Over(), Illegal: !legal}
		if out != want {
			t.Fatalf("game %d, step %d: %+v, want %+v", index, steps, out, want)
		}
		steps++
	}
	if out := e.Step(board.Up); out != (outcome{Terminated: true}) {
		t.Fatalf("after the end: %+v", out)
	}
	same(t, e, &plain{board: g.Board(), score: g.Score()})
}

// Boards that nibbles cannot hold, or soon cannot: exact, to the largest tile.
func TestAbove32768(t *testing.T) {
	above := 0
	for _, begin := range []string{
		"32768,32768,0,0/0,0,0,0/0,0,0,0/0,0,0,2",
		"32768,0,0,2/2,0,0,0/0,0,0,0/0,0,0,32768",
		"16384,16384,32768,0/0,0,0,0/0,0,0,0/2,0,0,0",
		"8192,8192,16384,32768/65536,0,0,0/0,0,0,0/2,0,0,0",
		"65536,32768,32768,0/0,0,0,0/0,0,0,0/0,0,0,2",
		"131072,32768,32768,2/4,2,0,0/0,0,0,0/0,0,0,2",
		"16384,8192,4096,2048/128,256,512,1024/128,64,32,16/4,4,8,16",
		"32768,16384,8192,4096/256,512,1024,2048/256,128,64,32/4,4,8,16",
		"65536,32768,16384,8192/512,1024,2048,4096/512,256,128,64/4,8,16,32",
	} {
		for i := range uint64(few(60)) {
			e := newEnv(t, env.Options{Seed: i})
			r := rand.New(rand.NewPCG(2, i))
			must.Do(t, e.Place(0, parse(t, begin), 1000))
			p := reference(e.Snapshot(0), game.P4)
			for !p.board.Terminal() {
				same(t, e, p)
				if p.board.Largest() > 15 {
					above++
				}
				d := p.greedy(r)
				merged, _ := p.move(d)
				if out := e.Step(d); out.Reward != float64(merged) || out.Illegal {
					t.Fatalf("%v of %v: %+v, want a reward of %d", d, p.board, out, merged)
				}
			}
			same(t, e, p)
		}
	}
	if above < 1000 {
		t.Errorf("only %d boards had a tile above 32768", above)
	}
}

// The chances of a 4: always, never, and any other.
func TestP4(t *testing.T) {
	for p4, want := range map[float64]float64{-1: 0, 0: 0.1, 0.25: 0.25, 1: 1} {
		for _, size := range []board.Size{{Rows: 4, Cols: 4}, {Rows: 5, Cols: 3}} {
			e := newEnv(t, env.Options{Size: size, P4: p4, Seed: 3})
			g, _ := game.New(game.Options{Size: size, Spawner: game.NewRandom(3, 0, want)})
			for r := rand.New(rand.NewPCG(3, 3)); !g.Over(); {
				d := board.Direction(r.IntN(4))
				e.Step(d)
				_ = g.Move(d)
				same(t, e, &plain{board: g.Board(), score: g.Score()})
			}
		}
	}
}

// lastCell is a game.Spawner that fills the last empty cell, with a 4 on every second sum of tiles.
type lastCell struct{}

func (lastCell) Spawn(b *board.Board) (game.Spawn, error) {
	cell := b.Size().Cells() - 1
	for b.Cell(cell) != 0 {
		cell--
	}
	return game.Spawn{Cell: cell, Exponent: 1 + uint8(b.Sum()/2%2)}, nil
}

func (lastCell) Skip()              {}
func (lastCell) State() game.State  { return game.State{} }
func (lastCell) Restore(game.State) {}

// With a Spawner, games are package game's with it, from the start and from boards that are placed.
func TestSpawner(t *testing.T) {
	for _, size := range []board.Size{{Rows: 4, Cols: 4}, {Rows: 5, Cols: 3}} {
		e := newEnv(t, env.Options{Size: size, Spawner: lastCell{}})
		start := board.Board{}
		for range 2 {
			g := must.Get(game.New(game.Options{Size: size, Spawner: lastCell{}, Board: start}))(t)
			for r := rand.New(rand.NewPCG(3, 3)); !g.Over(); {
				same(t, e, &plain{board: g.Board(), score: g.Score()})
				d := board.Direction(r.IntN(4))
				e.Step(d)
				_ = g.Move(d)
			}
			same(t, e, &plain{board: g.Board(), score: g.Score()})
			start = board.New(size)
			start.Set(1, 15)
			start.Set(2, 15)
			must.Do(t, e.Place(0, start, 0))
		}
	}
}
