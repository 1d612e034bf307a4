package review

import (
	"context"

	"github.com/afterstate2048/afterstate/internal/yield"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// Casual is the spec of a player of about human strength, for use with [Survival].
const Casual = "expectimax(eval=expert,plies=1)"

// survivalGames is the number of games that [Survival] plays from a board.
const survivalGames = 64

// Horizon returns the number of moves that a game must last to count as survived. It is 100 on 4x4, grows with the
// cube of the number of cells, and is at most 200. Up to 4x4 it is about a quarter of the length of Casual's games.
func Horizon(size board.Size) int {
	cells := size.Cells()
	return min(max(100*cells*cells*cells/(16*16*16), 1), 200)
}

// Survival returns the share of games from a board, with a probability p4 of a 4, in which the
// player p survives [Horizon] moves. p must be prepared for the size. All boards use the same
// random numbers, so that their results can be compared.
func Survival(ctx context.Context, p *player.Driver, start board.Board, p4 float64) (float64, error) {
	alive := 0
	for i := range uint64(survivalGames) {
		b, random := start, game.NewRandom(0, i, p4)
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
