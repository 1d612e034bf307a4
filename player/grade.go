package player

import (
	"fmt"
	"math"
	"strings"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// Thresholds of the move classes: the largest Grade.Loss of a good move, an inaccuracy and a
// mistake.
const (
	GoodLimit       = 0.02
	InaccuracyLimit = 0.05
	MistakeLimit    = 0.1
)

// heuristicScale defines the stake of heuristic values, Span / heuristicScale. It was chosen so that the thresholds
// above fit the player expert as well as players that estimate points, on 4x4 boards.
const heuristicScale = 3

// Grade rates a move in comparison with the best one.
type Grade struct {
	Class protocol.MoveClass // empty: unknown
	// Loss is the loss of value as a share of the stake (see Decision.Grades). It is at most 1, and
	// may be below 0 if playouts measured it.
	Loss float64
	Lost bool // every possible spawn ends the game after this move, but at least one does not after the best move
}

// LossText returns the loss as text, such as "-7.3 %"; empty if there is no loss.
func (g Grade) LossText() string {
	switch x := 100 * g.Loss; {
	case x <= 0:
		return ""
	case x < 0.1:
		return "<0.1 %"
	case x < 9.95:
		return fmt.Sprintf("-%.1f %%", x)
	default:
		return fmt.Sprintf("-%.0f %%", x)
	}
}

// String returns the class and the loss as text, such as "mistake -7.3 %".
func (g Grade) String() string { return strings.TrimSpace(string(g.Class) + " " + g.LossText()) }

// Grades returns the grades of the moves. A grade states the loss of a move as a share of the stake: for points the
// expected final score of the game, for a chance the chance after the best move, for a heuristic a fixed part of
// Span. Illegal moves, and moves whose value is unknown or only bounded, have an empty Class. ok is false if no move
// can be graded, since the stake is unknown.
func (d *Decision) Grades() (grades [4]Grade, ok bool) {
	if !d.OK {
		return grades, false
	}
	if d.Level != nil && d.Source != Exact {
		return d.Level.Grades()
	}
	if len(d.Board.Legal()) == 1 {
		grades[d.Move].Class = protocol.ClassForced
		return grades, true
	}
	stake := d.stake()
	if math.IsNaN(stake) {
		return grades, false
	}
	ends := func(dir board.Direction) bool {
		after, _, _ := d.Board.Slide(dir)
		return EndsGame(&after)
	}
	survives := !ends(d.Move)
	for dir, m := range d.Moves {
		if !m.Legal || m.Bound || math.IsNaN(m.Value) {
			continue
		}
		g := &grades[dir]
		lost, e := d.Best()-m.Value, 0.0
		if d.Playouts != nil {
			e = d.Playouts.Errors[dir]
		}
		if lost > 0 || e > 0 { // lost is NaN if all values are minus infinity
			g.Loss = min(lost/stake, 1)
		}
		g.Lost = survives && ends(board.Direction(dir))
		g.Class = classOf(g.Loss, g.Lost)
		if e > 0 && board.Direction(dir) != d.Move && !g.Lost {
			g.Class = measured(lost, e, stake)
		}
	}
	return grades, true
}

// stake returns the value that losses are divided by: for points the expected final score of the game, for a chance
// the chance after the best move, for a heuristic Span / heuristicScale. It returns NaN if the stake is unknown.
func (d *Decision) stake() float64 {
	best := d.Best()
	switch {
	case math.IsNaN(best) || math.IsInf(best, 1):
		return math.NaN()
	case d.Unit == eval.Points:
		return max(1, float64(game.Worth(&d.Board))+max(best, 0))
	case d.Unit == eval.Chance:
		return max(best, math.SmallestNonzeroFloat64)
	case d.Span > 0:
		return d.Span / heuristicScale
	}
	return math.NaN()
}

// classOf returns the class of a move that is not forced. loss and lost are fields of Grade.
func classOf(loss float64, lost bool) protocol.MoveClass {
	switch {
	case loss == 0:
		return protocol.ClassBest
	case loss <= GoodLimit:
		return protocol.ClassGood
	case loss > MistakeLimit || lost:
		return protocol.ClassBlunder
	case loss <= InaccuracyLimit:
		return protocol.ClassInaccuracy
	}
	return protocol.ClassMistake
}

// measured returns the class of a move other than the best. loss is its mean loss in playouts, and half is half the
// width of the 95 % interval of the loss. measured returns a bad class only if the whole interval is above 0, and a
// good class only if the whole interval is below InaccuracyLimit.
func measured(loss, half, stake float64) protocol.MoveClass {
	switch {
	case loss-half > 0 && loss/stake > GoodLimit:
		return classOf(loss/stake, false)
	case (loss+half)/stake < InaccuracyLimit:
		return protocol.ClassGood
	}
	return protocol.ClassUndecided
}

// EndsGame reports whether every spawn on an afterstate ends the game. This is possible only if exactly one cell is
// empty: if there are more, a cell is still empty after the spawn.
func EndsGame(after *board.Board) bool {
	if after.Empty() != 1 {
		return false
	}
	for k := uint8(1); k <= 2; k++ {
		spawned := *after
		spawned.PlaceNth(0, k)
		if !spawned.Terminal() {
			return false
		}
	}
	return true
}

// Marked returns the name of a move, marked with ">" if the player chose it.
func (d *Decision) Marked(m board.Direction) string {
	if d.OK && m == d.Move {
		return "> " + m.String()
	}
	return "  " + m.String()
}
