package review

import (
	"context"
	"math"

	"github.com/afterstate2048/afterstate/advice/luck"
	"github.com/afterstate2048/afterstate/player/catalog"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// Ledger returns how much the moves and the new tiles of a game changed the expected score. moves holds the
// judgements of all its moves. A judge that is not a level uses luck.Recorded. The ledger of a level is nil
// if the luck is not known (luck.Known), if there are no moves, if the level cannot value the last board, or
// if a solved ending judged a move. parse is catalog.Parse with the caller's capabilities.
//
// If a level judged the moves, playouts measured both contributions. Before a move, the expected score is an
// average over all moves that a player of the level may make. The contribution of a move is the
// expected score after it minus this average. The contribution of a new tile is the change of the
// expected score from after the move to the next board. Together the contributions add up to the score.
// The moves of a player of the level contribute nothing on average (performance difference lemma; Kakade
// and Langford, ICML 2002).
func (j *Judge) Ledger(
	ctx context.Context, parse func(spec string) (catalog.Maker, error), m *record.Meta, g *game.Game, moves []Judgement,
) (*protocol.Ledger, error) {
	if j.level == nil {
		return luck.Recorded(ctx, parse, m, g)
	}
	if !luck.Known(parse, m) {
		return nil, nil
	}
	end := j.End(g)
	if math.IsNaN(end) || len(moves) == 0 {
		return nil, nil
	}
	l := &protocol.Ledger{Player: j.Spec, Expected: moves[0].Expected, Score: g.Score()}
	l.Remaining = end - float64(l.Score)
	squares := 0.0
	for i := range moves {
		x, next := &moves[i], end
		if i+1 < len(moves) {
			next = moves[i+1].Expected
		}
		tile := &protocol.TileLuck{Move: x.Move, Luck: next - x.After}
		l.Moves += x.After - x.Expected
		l.Luck += tile.Luck
		squares += tile.Luck * tile.Luck
		if l.Worst == nil || tile.Luck < l.Worst.Luck {
			l.Worst = tile
		}
		if l.Best == nil || tile.Luck > l.Best.Luck {
			l.Best = tile
		}
	}
	if l.LuckSD = math.Sqrt(squares); math.IsNaN(l.LuckSD) {
		return nil, nil // a solved ending judged a move, so values are chances, not points
	}
	return l, nil
}

// End returns the expected final score if a player of the judge's level continued the game from its last position. It
// returns NaN if the judge is not a level or if the level cannot value the board.
func (j *Judge) End(g *game.Game) float64 {
	if j.level == nil {
		return math.NaN()
	}
	b := g.Board()
	remaining, err := j.level.Expected(&b)
	if err != nil {
		return math.NaN()
	}
	return float64(g.Score()) + remaining
}
