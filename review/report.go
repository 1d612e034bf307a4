package review

import (
	"cmp"
	"slices"

	"afterstate/player"
	"afterstate/wire"
)

// Tally sums up judged moves. The zero value has none.
type Tally struct {
	Moves   int // with a choice
	Forced  int
	Inverse float64 // sum of 1 over the accuracies
	Loss    float64 // sum
	Classes wire.ClassCounts
}

// Add counts a move.
func (t *Tally) Add(m *Move) {
	if m.Forced() {
		t.Forced++
		return
	}
	t.Moves++
	t.Inverse += 1 / m.Accuracy
	t.Loss += m.Loss
	*count(&t.Classes, m.Class)++
}

func count(c *wire.ClassCounts, class wire.MoveClass) *int {
	switch class {
	case wire.ClassBest:
		return &c.Best
	case wire.ClassGood:
		return &c.Good
	case wire.ClassInaccuracy:
		return &c.Inaccuracy
	case wire.ClassMistake:
		return &c.Mistake
	}
	return &c.Blunder
}

// Accuracy is the harmonic mean of the accuracies of the moves with a choice, NaN without any.
func (t *Tally) Accuracy() float64 { return float64(t.Moves) / t.Inverse }

// MeanLoss is the mean loss of a move with a choice, NaN without moves.
func (t *Tally) MeanLoss() float64 { return t.Loss / float64(t.Moves) }

// Report sums up the review of a game.
type Report struct {
	Judge  string
	Unit   *wire.Unit // of the values; nil without moves
	Exact  bool       // all losses are exact; see package solve
	Total  int        // moves of the game
	Judged int
	Game   Tally
	Phases [len(Phases)]Tally // in the order of Phases
	Worst  []Move             // largest losses first; without best and good moves
}

// NewReport sums up judged moves of a game with total moves, and lists up to worst of them.
func NewReport(j *Judge, moves []Move, total, worst int) *Report {
	r := &Report{Judge: j.Spec, Unit: UnitOf(moves), Exact: AllExact(moves), Total: total, Judged: len(moves)}
	for i := range moves {
		m := &moves[i]
		r.Game.Add(m)
		r.Phases[slices.Index(Phases[:], m.Phase)].Add(m)
		if m.Loss > player.GoodLimit {
			r.Worst = append(r.Worst, *m)
		}
	}
	slices.SortStableFunc(r.Worst, func(a, b Move) int { return cmp.Compare(b.Loss, a.Loss) })
	r.Worst = r.Worst[:min(worst, len(r.Worst))]
	return r
}
