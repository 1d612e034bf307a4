package arena

import (
	"errors"
	"fmt"

	"afterstate/board"
	"afterstate/solve"
	"afterstate/stats"
	"afterstate/wire"
)

// Regret is what the moves of a game lose against the best ones, by exact values.
type Regret struct {
	Points float64 // expected points given away, the sum over all moves
	Best   int     // moves that give nothing away
}

// rounding is the relative difference of values below which moves count as equal.
const rounding = 1e-9

// regret judges the moves of a game, made on boards in turn.
func regret(table *solve.Table, boards []board.Board, moves []board.Direction) (r Regret, err error) {
	for i, d := range moves {
		values, err := table.Moves(&boards[i])
		if err != nil {
			return r, fmt.Errorf("board %v: %w", boards[i], err)
		}
		best, _ := solve.Best(&values)
		lost := best - values[d].Value
		if lost <= rounding*best {
			r.Best++
			continue
		}
		r.Points += lost
	}
	return r, nil
}

// Optimum returns the expected score of optimal play over a number of games: the mean of the exact
// values of their start boards, or of the standard start without any. It fails if the table does not
// have a board.
func Optimum(table *solve.Table, starts []Start, games int) (float64, error) {
	if len(starts) == 0 {
		return table.Start(), nil
	}
	var sum float64
	for i := range starts {
		v, err := table.Value(&starts[i].Board)
		if err != nil {
			return 0, fmt.Errorf("start board %d, %v: %w", i+1, starts[i].Board, err)
		}
		plays := games / len(starts)
		if i < games%len(starts) {
			plays++
		}
		sum += v * float64(plays)
	}
	if sum == 0 {
		return 0, errors.New("no game from the start boards can score: there is nothing to judge")
	}
	return sum / float64(games), nil
}

// RegretSummary is the regret of a player's games.
type RegretSummary struct {
	PerMove, PerGame float64 // points
	CI               stats.Interval
	// Share is PerGame as a share of the expected score of optimal play.
	Share     float64
	BestShare float64 // share of moves that give nothing away
}

// regretSummary returns nil if games were not judged.
func regretSummary(games []Game, optimal float64) *RegretSummary {
	if optimal == 0 {
		return nil
	}
	points := make([]float64, len(games))
	var sum float64
	best, moves := 0, 0
	for i, g := range games {
		points[i] = g.Regret.Points
		sum += points[i]
		best += g.Regret.Best
		moves += g.Moves
	}
	r := &RegretSummary{PerMove: stats.Ratio(sum, float64(moves)), BestShare: stats.Ratio(float64(best), float64(moves))}
	r.PerGame, r.CI = meanOf(games, points)
	r.Share = r.PerGame / optimal
	return r
}

func (r *RegretSummary) wire() *wire.Regret {
	if r == nil {
		return nil
	}
	return &wire.Regret{
		PerMove: stats.OrNull(r.PerMove), PerGame: stats.OrNull(r.PerGame), CI: interval(r.CI),
		Share: stats.OrNull(r.Share), BestMoves: stats.OrNull(r.BestShare),
	}
}
