package review

import (
	"math"
	"slices"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Wire returns the move as a protocol message.
func (m *Judgement) Wire() protocol.MoveReview {
	out := protocol.MoveReview{
		Move: m.Move, Phase: m.Phase, Played: m.Played, Best: m.Best, Class: m.Class,
		Loss: rounded(m.Loss), Accuracy: rounded(m.Accuracy), Lost: m.Lost, Unclear: m.Unclear,
		Value: finite(m.Options[m.Best].Value), Moves: map[board.Direction]protocol.ReviewedMove{},
	}
	for _, d := range board.Directions {
		if o := &m.Options[d]; o.Legal {
			out.Moves[d] = protocol.ReviewedMove{Value: finite(o.Value), Loss: rounded(o.Loss), Class: o.Class}
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
func UnitOf(moves []Judgement) *protocol.Unit {
	if len(moves) == 0 {
		return nil
	}
	unit := protocol.Unit(moves[0].Unit)
	return &unit
}

// AllExact reports whether all losses are exact; false without moves.
func AllExact(moves []Judgement) bool {
	return len(moves) > 0 && !slices.ContainsFunc(moves, func(m Judgement) bool { return !m.Exact })
}

// wire returns the tally as a protocol message.
func (t *Tally) wire() protocol.ReviewTally {
	return protocol.ReviewTally{
		Moves: t.Moves, Forced: t.Forced, Accuracy: stats.OrNull(t.Accuracy()), Loss: stats.OrNull(t.MeanLoss()), Classes: t.Classes,
	}
}
