package game_test

import (
	"math/rand/v2"
	"testing"

	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"

	"pgregory.net/rapid"
)

// given spawns any listed tile, large ones included, so that tests win in one move.
type given struct {
	tiles []game.Spawn
	next  int
}

func (s *given) Spawn(*board.Board) (game.Spawn, error) {
	s.next++
	return s.tiles[s.next-1], nil
}
func (s *given) Skip()                 { s.next++ }
func (s *given) State() game.State     { return game.State{Next: s.next} }
func (s *given) Restore(to game.State) { s.next = to.Next }

func newGame(t testing.TB, o game.Options) *game.Game {
	t.Helper()
	return must.Get(game.New(o))(t)
}

// seeded is a game, without a stop at 2048, of a size and a seed.
func seeded(t testing.TB, size board.Size, seed, index uint64, p4 float64) *game.Game {
	t.Helper()
	return newGame(t, game.Options{Size: size, Spawner: game.NewRandom(seed, index, p4)})
}

// playRandom makes up to limit random legal moves.
func playRandom(g *game.Game, random *rand.Rand, limit int) {
	for n := 0; n < limit && !g.Over(); {
		if g.Move(board.Direction(random.IntN(4))) == nil {
			n++
		}
	}
}

// seen is the observable state of a game.
type seen struct {
	board         board.Board
	score         int64
	moves         int
	over, won     bool
	waiting       bool
	last          game.Spawn
	spawner       game.Random
	spawnerIsReal bool
}

func look(g *game.Game) seen {
	r, ok := g.Foresee()
	return seen{g.Board(), g.Score(), g.Moves(), g.Over(), g.Won(), g.PausedOnWin(), g.LastSpawn(), r, ok}
}

// drawnGame is a fresh seeded game of a drawn size, seed and probability of a 4,
// and a source for its moves.
func drawnGame(t *rapid.T) (*game.Game, drawn) {
	d := drawn{
		size:  board.Size{Rows: rapid.IntRange(2, 6).Draw(t, "rows"), Cols: rapid.IntRange(2, 6).Draw(t, "cols")},
		seed:  rapid.Uint64().Draw(t, "seed"),
		index: rapid.Uint64().Draw(t, "index"),
		p4:    rapid.OneOf(rapid.SampledFrom([]float64{0, game.P4, 1}), rapid.Float64Range(0, 1)).Draw(t, "p4"),
		moves: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "moves"), 0)),
	}
	g := must.Get(game.New(game.Options{Size: d.size, Spawner: game.NewRandom(d.seed, d.index, d.p4)}))(t)
	return g, d
}

type drawn struct {
	size        board.Size
	seed, index uint64
	p4          float64
	moves       *rand.Rand
}
