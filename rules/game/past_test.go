package game_test

import (
	"testing"

	"github.com/afterstate2048/afterstate/rules/game"

	"pgregory.net/rapid"
)

// In whole random games of every size, each 4 that spawned makes the score 4 lower than the worth of the tiles.
func TestWorth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, d := drawnGame(t)
		var count [3]int64 // by exponent
		for _, s := range g.Start() {
			count[s.Exponent]++
		}
		for {
			b := g.Board()
			if want := game.Worth(&b) - 4*count[2]; g.Score() != want {
				t.Fatalf("%v after %d fours: score %d, want %d", b, count[2], g.Score(), want)
			}
			if g.Over() {
				return
			}
			playRandom(g, d.moves, 1)
			count[g.LastSpawn().Exponent]++
		}
	})
}
