package review

import (
	"fmt"
	"math"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/player"
	"afterstate/player/catalog"
	"afterstate/wire"
)

// Thresholds of the classes: the largest loss of a good move, an inaccuracy and a mistake.
const (
	GoodLimit       = 0.02
	InaccuracyLimit = 0.05
	MistakeLimit    = 0.1
)

// CostLimit is the largest cost of a move.
const CostLimit = 0.2

// cost returns what a loss counts for the accuracy: up to GoodLimit nothing, because that is within
// what the judge can distinguish.
func cost(loss float64) float64 { return min(max(loss-GoodLimit, 0), CostLimit) }

// The first look is clear, so that it is not repeated, if the best move was played and every other move
// loses clearMargin or more, or if no legal move loses more than noStake.
const (
	clearMargin = 0.05
	noStake     = 0.005
)

// heuristicScale converts losses by the heuristic expert to those of a judge that estimates points, so
// that the thresholds fit both. It was fitted on boards of 4x4.
const heuristicScale = 3

// Move is the judge's opinion of a recorded move.
type Move struct {
	Position
	Phase   wire.GamePhase
	Best    board.Direction
	Options [4]Option // by direction
	Unit    eval.Unit // of the values
	Exact   bool      // the values are exact, so the losses are too
	Class   wire.MoveClass
	Loss    float64 // of the recorded move, as all of these
	Cost    float64
	Stake   float64
	Lost    bool // the game ends after it, whatever spawns, and not after the best move
	Unclear bool // a second look may change the result
}

// Option is the judge's opinion of one move on a board.
type Option struct {
	Legal bool
	Value float64 // NaN for a forced move
	Loss  float64 // 0 to 1
	Lost  bool    // see Move
	Class wire.MoveClass
}

// ClassOf returns the class of a move with an alternative by its loss; lost is that of Move.
func ClassOf(loss float64, lost bool) wire.MoveClass {
	switch {
	case loss == 0:
		return wire.ClassBest
	case loss <= GoodLimit:
		return wire.ClassGood
	case loss > MistakeLimit || lost:
		return wire.ClassBlunder
	case loss <= InaccuracyLimit:
		return wire.ClassInaccuracy
	}
	return wire.ClassMistake
}

// Forced reports whether the move had no alternative.
func (m *Move) Forced() bool { return m.Class == wire.ClassForced }

// judged compares a recorded move with the judge's values of all moves. For a heuristic judge, distance is
// that of lifeDistance.
func judged(p Position, d *player.Decision, distance float64) (Move, error) {
	m := Move{Position: p, Phase: Phase(&p.Board), Best: d.Move, Unit: d.Unit, Exact: d.Source == player.Exact}
	var after [4]board.Board
	legal := 0
	for _, dir := range board.Directions {
		a, _, moved := p.Board.Slide(dir)
		after[dir], m.Options[dir].Legal, m.Options[dir].Value = a, moved, d.Moves[dir].Value
		if moved {
			legal++
		}
	}
	if legal == 1 {
		m.Options[p.Played].Value, m.Options[p.Played].Class = math.NaN(), wire.ClassForced
		m.Best, m.Class = p.Played, wire.ClassForced
		return m, nil
	}
	expected, err := expectation(&p, d, distance)
	if err != nil {
		return m, err
	}
	survives := !endsGame(&after[m.Best])
	second, worst := math.Inf(1), 0.0 // the least and the greatest loss of another move than the best
	for dir := range m.Options {
		o := &m.Options[dir]
		if !o.Legal {
			continue
		}
		if math.IsNaN(o.Value) {
			return m, noValues(d)
		}
		if lost := d.Best() - o.Value; lost > 0 { // all may be minus infinity
			o.Loss = min(lost/expected, 1)
		}
		o.Lost = survives && endsGame(&after[dir])
		o.Class = ClassOf(o.Loss, o.Lost)
		m.Stake += cost(o.Loss) / float64(legal)
		if board.Direction(dir) != m.Best {
			second, worst = min(second, o.Loss), max(worst, o.Loss)
		}
	}
	played := &m.Options[p.Played]
	m.Class, m.Loss, m.Cost, m.Lost = played.Class, played.Loss, cost(played.Loss), played.Lost
	m.Unclear = worst > noStake && (p.Played != m.Best || second < clearMargin)
	return m, nil
}

// expectation returns what losses are a share of.
func expectation(p *Position, d *player.Decision, distance float64) (float64, error) {
	best := d.Best()
	switch {
	case math.IsNaN(best) || math.IsInf(best, 1):
		return 0, noValues(d)
	case d.Unit == eval.Points:
		return max(1, float64(Worth(&p.Board))+max(best, 0)), nil
	case math.IsNaN(distance):
		return 0, &Unsuitable{d.Player, "has values on a scale without a zero"}
	}
	return distance / heuristicScale, nil
}

// lifeDistance is the value of the empty board minus that of a dead one for a heuristic judge: about what
// a board loses that dies. It is NaN for judges without these values.
func lifeDistance(m *catalog.Maker, size board.Size) float64 {
	if m.DeathValue == nil || m.Evaluator == nil {
		return math.NaN()
	}
	_, e := m.Evaluator(size)
	if e == nil || e.Unit() != eval.Heuristic {
		return math.NaN()
	}
	if distance := e.Value(&eval.Position{Board: board.New(size)}) - *m.DeathValue; distance > 0 {
		return distance
	}
	return math.NaN()
}

func noValues(d *player.Decision) error { return &Unsuitable{d.Player, "does not value all moves"} }

// Unsuitable is the error of a judge whose values do not make losses.
type Unsuitable struct{ Judge, Reason string }

func (u *Unsuitable) Error() string {
	return fmt.Sprintf("%s %s: want a judge that estimates points, such as master, or a heuristic with a death_value, such as expert", u.Judge, u.Reason)
}
