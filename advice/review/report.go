package review

import (
	"cmp"
	"slices"

	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
)

// Tally sums up judged moves. The zero value has none.
type Tally struct {
	Moves   int // with a choice
	Forced  int
	Inverse float64 // sum of 1 over the accuracies
	Loss    float64 // sum
	Classes protocol.ClassCounts
}

// Add counts a move.
func (t *Tally) Add(m *Judgement) {
	if m.Forced() {
		t.Forced++
		return
	}
	t.Moves++
	t.Inverse += 1 / m.Accuracy
	t.Loss += m.Loss
	*count(&t.Classes, m.Class)++
}

func count(c *protocol.ClassCounts, class protocol.MoveClass) *int {
	switch class {
	case protocol.ClassBest:
		return &c.Best
	case protocol.ClassGood:
		return &c.Good
	case protocol.ClassInaccuracy:
		return &c.Inaccuracy
	case protocol.ClassMistake:
		return &c.Mistake
	}
	return &c.Blunder
}

// Accuracy is the harmonic mean of the accuracies of the moves with a choice, NaN without any.
func (t *Tally) Accuracy() float64 { return float64(t.Moves) / t.Inverse }

// MeanLoss is the mean loss of a move with a choice, NaN without moves.
func (t *Tally) MeanLoss() float64 { return t.Loss / float64(t.Moves) }

// NewReport sums up judged moves of a game with total moves, and lists up to worst of them.
func NewReport(j *Judge, moves []Judgement, total, worst int) *protocol.ReviewReport {
	r := &protocol.ReviewReport{
		Judge: j.Spec, Unit: UnitOf(moves), Exact: AllExact(moves), Moves: total, Judged: len(moves), Phases: []protocol.PhaseReview{}, Worst: []protocol.WorstMove{},
	}
	var game Tally
	var phases [len(Phases)]Tally
	for i := range moves {
		m := &moves[i]
		game.Add(m)
		phases[slices.Index(Phases[:], m.Phase)].Add(m)
		if m.Loss > player.GoodLimit {
			r.Worst = append(r.Worst, protocol.WorstMove{MoveReview: m.Wire(), Board: m.Board, Score: m.Score})
		}
	}
	r.Game = game.wire()
	for i := range phases {
		if t := &phases[i]; t.Moves+t.Forced > 0 {
			r.Phases = append(r.Phases, protocol.PhaseReview{Phase: Phases[i], ReviewTally: t.wire()})
		}
	}
	slices.SortStableFunc(r.Worst, func(a, b protocol.WorstMove) int { return cmp.Compare(b.Loss, a.Loss) })
	r.Worst = r.Worst[:min(worst, len(r.Worst))]
	return r
}
