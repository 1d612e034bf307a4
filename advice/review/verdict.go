package review

import (
	"fmt"
	"math"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
)

// severity is how fast the accuracy of a move falls with its loss: with the square root of the number of cells, because
// games on smaller boards are shorter, so that a move gives away more of them.
func severity(size board.Size) float64 { return 1.5 * math.Sqrt(float64(size.Cells())) }

// accuracyOf returns the accuracy of a move with a loss.
func accuracyOf(loss float64, size board.Size) float64 { return math.Exp(-severity(size) * loss) }

// The first look is clear, so that it is not repeated, if the best move was played and every other move
// loses clearMargin or more, or if no legal move loses more than noStake.
const (
	clearMargin = 0.05
	noStake     = 0.005
)

// Judgement is the judge's opinion of a recorded move.
type Judgement struct {
	Position
	Phase        protocol.GamePhase
	Best         board.Direction
	Options      [4]Option // by direction
	Unit         eval.Unit // of the values
	Exact        bool      // the values are exact, so the losses are too
	player.Grade           // of the recorded move
	Accuracy     float64   // of the recorded move, 0 to 1
	Unclear      bool      // a second look may change the result
}

// Option is the judge's opinion of one move on a board.
type Option struct {
	Legal bool
	Value float64 // NaN for a forced move
	player.Grade
}

// Forced reports whether the move had no alternative.
func (m *Judgement) Forced() bool { return m.Class == protocol.ClassForced }

// judged compares a recorded move with the judge's values of all moves.
func judged(p Position, d *player.Decision) (Judgement, error) {
	m := Judgement{Position: p, Phase: Phase(&p.Board), Best: d.Move, Unit: d.Unit, Exact: d.Source == player.Exact}
	grades, ok := d.Grades()
	second, worst := math.Inf(1), 0.0 // the least and the greatest loss of another move than the best
	for _, dir := range board.Directions {
		_, _, moved := p.Board.Slide(dir)
		m.Options[dir] = Option{Legal: moved, Value: d.Moves[dir].Value, Grade: grades[dir]}
		if o := &m.Options[dir]; moved && ok {
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
	m.Grade = m.Options[p.Played].Grade
	if m.Forced() {
		m.Options[p.Played].Value, m.Best = math.NaN(), p.Played
	}
	m.Accuracy = accuracyOf(m.Loss, p.Board.Size())
	m.Unclear = worst > noStake && (p.Played != m.Best || second < clearMargin)
	return m, nil
}

func noValues(d *player.Decision) error {
	return &UnsuitableError{d.Player, "does not value all moves"}
}

// UnsuitableError is the error of a judge whose values do not make losses.
type UnsuitableError struct{ Judge, Reason string }

func (u *UnsuitableError) Error() string {
	return fmt.Sprintf("%s %s: want a judge that estimates points, such as master, or a heuristic with a death_value, such as expert", u.Judge, u.Reason)
}
