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

// Thresholds of the classes: the largest loss of a good move, an inaccuracy and a mistake.
const (
	GoodLimit       = 0.02
	InaccuracyLimit = 0.05
	MistakeLimit    = 0.1
)

// heuristicScale converts losses by the heuristic expert to those of a player that estimates points, so
// that the thresholds fit both. It was fitted on boards of 4x4.
const heuristicScale = 3

// Grade is what a move is worth beside the best one.
type Grade struct {
	Class protocol.MoveClass // empty: not known
	Loss  float64            // the share of what is at stake that the move gives away, at most 1; measured by playouts, it may be below 0
	Lost  bool               // the game is over after it, whatever spawns, and not after the best move
}

// Given returns the loss as people read it, such as -7.3 %; empty without one.
func (g Grade) Given() string {
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

// String returns the class and the loss as people read them, such as "mistake -7.3 %".
func (g Grade) String() string { return strings.TrimSpace(string(g.Class) + " " + g.Given()) }

// Grades returns the grades of the moves. Illegal moves, and those whose value is unknown or only bounded,
// have none. ok is false if no move has one: the values have no scale with a zero.
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
		if lost > 0 || e > 0 { // all may be minus infinity
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

// stake is what losses are a share of: in points the expected score of the finished game, for a chance the
// chance itself, for a heuristic a part of the difference between an empty board and a dead one. NaN: unknown.
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

// classOf returns the class of a move with an alternative; lost is that of Grade.
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

// measured returns the class of a move that is not the best, from a loss that is a mean of playouts and
// half the width of its interval. Only a loss that is surely above 0 has a bad class, and only one that
// is surely small a good one.
func measured(loss, half, stake float64) protocol.MoveClass {
	switch {
	case loss-half > 0 && loss/stake > GoodLimit:
		return classOf(loss/stake, false)
	case (loss+half)/stake < InaccuracyLimit:
		return protocol.ClassGood
	}
	return protocol.ClassUndecided
}

// EndsGame reports whether the game is over after a move to an afterstate, whatever spawns. This takes
// a board with one empty cell: if there are two, one is still empty after the spawn.
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

// Marked returns the name of a move with a mark if it is the player's.
func (d *Decision) Marked(m board.Direction) string {
	if d.OK && m == d.Move {
		return "> " + m.String()
	}
	return "  " + m.String()
}
