package review

import (
	"math"
	"slices"

	"afterstate/board"
	"afterstate/stats"
	"afterstate/wire"
)

// Wire returns the move as a protocol message.
func (m *Move) Wire() wire.MoveReview {
	out := wire.MoveReview{
		Move: m.Move, Phase: m.Phase, Played: m.Played, Best: m.Best, Class: m.Class,
		Loss: rounded(m.Loss), Accuracy: rounded(m.Accuracy), Lost: m.Lost, Unclear: m.Unclear,
		Value: finite(m.Options[m.Best].Value), Moves: map[board.Direction]wire.ReviewedMove{},
	}
	for _, d := range board.Directions {
		if o := &m.Options[d]; o.Legal {
			out.Moves[d] = wire.ReviewedMove{Value: finite(o.Value), Loss: rounded(o.Loss), Class: o.Class}
		}
	}
	return out
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return stats.OrNull(x)
}

// rounded has eight significant digits, like all figures in JSON.
func rounded(x float64) float64 { return *stats.OrNull(x) }

// UnitOf returns the unit of the moves' values, nil without moves.
func UnitOf(moves []Move) *wire.Unit {
	if len(moves) == 0 {
		return nil
	}
	unit := wire.Unit(moves[0].Unit)
	return &unit
}

// AllExact reports whether all losses are exact; false without moves.
func AllExact(moves []Move) bool {
	return len(moves) > 0 && !slices.ContainsFunc(moves, func(m Move) bool { return !m.Exact })
}

// Wire returns the report as a protocol message.
func (r *Report) Wire() wire.ReviewReport {
	out := wire.ReviewReport{
		Judge: r.Judge, Unit: r.Unit, Exact: r.Exact, Moves: r.Total, Judged: r.Judged, Game: r.Game.Wire(),
		Phases: []wire.PhaseReview{}, Worst: []wire.WorstMove{},
	}
	for i, phase := range Phases {
		if t := &r.Phases[i]; t.Moves+t.Forced > 0 {
			out.Phases = append(out.Phases, wire.PhaseReview{Phase: phase, ReviewTally: t.Wire()})
		}
	}
	for i := range r.Worst {
		m := &r.Worst[i]
		out.Worst = append(out.Worst, wire.WorstMove{MoveReview: m.Wire(), Board: m.Board, Score: m.Score})
	}
	return out
}

// Wire returns the tally as a protocol message.
func (t *Tally) Wire() wire.ReviewTally {
	return wire.ReviewTally{
		Moves: t.Moves, Forced: t.Forced, Accuracy: stats.OrNull(t.Accuracy()), Loss: stats.OrNull(t.MeanLoss()), Classes: t.Classes,
	}
}
