package review

import (
	"fmt"
	"math"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Judgement is the judge's opinion of a recorded move.
type Judgement struct {
	Position
	Phase    protocol.GamePhase
	Best     board.Direction
	Moves    [4]ReviewedMove // by direction
	Unit     eval.Unit       // unit of the values
	Exact    bool            // the values are exact, so the losses are too
	P4       float64         // probability of a 4 that the judge assumed; see game.ChanceOf4
	Level    string          // name of the level that judged; empty if the judge is not a level
	Expected float64         // expected final score of a player of the level before the move; NaN if unknown
	// After is the expected final score of a player of the level after the move, before the spawn; NaN if unknown.
	After        float64
	NextTile     *protocol.NextTile
	Goal         int64   // if not 0, the values are exact chances to make this tile, from a solved ending
	player.Grade         // grade of the recorded move
	Accuracy     float64 // accuracy of the recorded move, 1 if it has no loss
	Unclear      bool    // a second look may change the result
}

// ReviewedMove is the judge's opinion of one move on a board.
type ReviewedMove struct {
	Legal bool
	Value float64 // NaN for a forced move
	player.Grade
}

// Forced reports whether the move had no alternative.
func (m *Judgement) Forced() bool { return m.Class == protocol.ClassForced }

// judged compares a recorded move with the values of all moves in d. The values come from the judge or, if goal is
// not 0, from an ending with this goal. judged omits moves that have no value in an ending because the ending's
// rule for walls forbids them.
func judged(p Position, d *player.Decision, goal int64) (Judgement, error) {
	m := Judgement{Position: p, Goal: goal, Phase: Phase(&p.Board), Best: d.Move, Unit: d.Unit, Exact: d.Source == player.Exact}
	m.Expected, m.After = math.NaN(), math.NaN()
	if d.Playouts != nil {
		m.Expected, m.After = float64(p.Score)+d.Playouts.Expected, float64(p.Score)+d.Moves[p.Played].Value
	}
	grades, ok := d.Grades()
	second, worst := math.Inf(1), 0.0 // smallest and largest loss of the moves other than the best
	for _, dir := range board.Directions {
		_, _, moved := p.Board.Slide(dir)
		moved = moved && !(goal != 0 && math.IsNaN(d.Moves[dir].Value))
		m.Moves[dir] = ReviewedMove{Legal: moved, Value: d.Moves[dir].Value, Grade: grades[dir]}
		if o := &m.Moves[dir]; moved && ok {
			if o.Class == "" {
				return m, noValues(d)
			}
			if dir != m.Best {
				second, worst = min(second, o.Loss), max(worst, o.Loss)
			}
		}
	}
	switch {
	case !ok && (math.IsNaN(d.Best()) || math.IsInf(d.Best(), 1)):
		return m, noValues(d)
	case !ok:
		return m, &UnsuitableError{d.Player, "has values on a scale without a zero"}
	}
	m.Grade = m.Moves[p.Played].Grade
	if m.Forced() {
		m.Moves[p.Played].Value, m.Best = math.NaN(), p.Played
	}
	m.Accuracy = Accuracy(m.Loss, p.Board.Size())
	m.Unclear = worst > noStake && (p.Played != m.Best || second < clearMargin)
	return m, nil
}

func noValues(d *player.Decision) error {
	return &UnsuitableError{d.Player, "does not give every legal move a value"}
}

// UnsuitableError reports a judge whose values cannot be turned into losses.
type UnsuitableError struct{ Judge, Reason string }

func (u *UnsuitableError) Error() string {
	return fmt.Sprintf("%s %s: use a judge that estimates points, such as master, or a heuristic with a death_value, such as expert", u.Judge, u.Reason)
}
