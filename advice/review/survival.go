package review

import (
	"context"

	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Casual is the player of about human strength that plays on for [Survival].
const Casual = "expectimax(eval=expert,plies=1)"

// survivalGames is the number of games from a board.
const survivalGames = 64

// Horizon is the number of moves that a game must last to count as survived: up to 4x4, where it is 100, about a
// quarter of a game of Casual.
func Horizon(size board.Size) int {
	cells := size.Cells()
	return min(max(100*cells*cells*cells/(16*16*16), 1), 200)
}

// Survival returns the share of games from a board that survive [Horizon] moves of a player, who is prepared for
// the size. All boards get the same random numbers, so that they compare.
func Survival(ctx context.Context, p *player.Driver, start board.Board) (float64, error) {
	alive := 0
	for i := range uint64(survivalGames) {
		b, random := start, game.NewRandom(0, i, game.P4)
		for range Horizon(b.Size()) {
			d, err := p.Decide(ctx, search.NewQuery(b, 0))
			if err != nil {
				return 0, err
			}
			if !d.OK {
				break
			}
			b, _, _ = b.Slide(d.Move)
			random.Place(&b, random.Draw())
		}
		yield.Point()
		if !b.Terminal() {
			alive++
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return float64(alive) / survivalGames, nil
}
