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

// Ledger says what the moves and the new tiles of a game changed; moves are all of it, judged. It
// is nil where luck is unknown (see luck.Recorded). parse is catalog.Parse with the caller's
// capabilities.
//
// A level measured both parts. A move changes the score that a player of the level expects: after
// the move, minus before it, when it was not known which move that player would have made. A new
// tile changes it from after the move to the next board. Both add up to the score, and a player of
// the level changes nothing by its moves, on average (performance difference lemma; Kakade and
// Langford, ICML 2002). For other judges see package luck.
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
		return nil, nil // a solved ending judged a move, in chances
	}
	return l, nil
}

// End returns the final score that a level expects after the last move of a game; NaN for another
// judge, and for a board that the level does not know.
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
