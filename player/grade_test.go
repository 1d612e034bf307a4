package player

import (
	"math"
	"slices"
	"testing"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/internal/must"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// graded returns a decision for left on a board, with values for left, right and up.
func graded(t *testing.T, unit eval.Unit, span, left, right, up float64) Decision {
	t.Helper()
	b := must.Get(board.Parse("4,8,2/16,32,4/2,2,8"))(t) // worth 4+16+0+48+128+4+0+0+16 = 216
	d := Decision{Board: b, Unit: unit, Span: span, Result: search.Result{OK: true, Move: board.Left}}
	for dir, v := range map[board.Direction]float64{board.Left: left, board.Right: right, board.Up: up} {
		d.Moves[dir] = search.MoveValue{Legal: true, Value: v}
	}
	return d
}

// A loss is a share of the expected final score, of the chance, or of a third of the span of a heuristic.
func TestGrades(t *testing.T) {
	for _, c := range []struct {
		unit                   eval.Unit
		span, left, right, up  float64
		lossRight, lossUp      float64
		rightClass, upperClass protocol.MoveClass
	}{
		{eval.Points, 0, 284, 259, 284, 25.0 / 500, 0, protocol.ClassInaccuracy, protocol.ClassBest},
		{eval.Points, 0, 0, math.Inf(-1), -1, 1, 1.0 / 216, protocol.ClassBlunder, protocol.ClassGood},
		{eval.Chance, 0, 0.5, 0.46, 0, 0.08, 1, protocol.ClassMistake, protocol.ClassBlunder},
		{eval.Chance, 0, 0, 0, 0, 0, 0, protocol.ClassBest, protocol.ClassBest},
		{eval.Heuristic, 300, -20, -21, -31, 0.01, 0.11, protocol.ClassGood, protocol.ClassBlunder},
	} {
		d := graded(t, c.unit, c.span, c.left, c.right, c.up)
		g, ok := d.Grades()
		if !ok || g[board.Left] != (Grade{Class: protocol.ClassBest}) || g[board.Down] != (Grade{}) ||
			math.Abs(g[board.Right].Loss-c.lossRight) > 1e-12 || g[board.Right].Class != c.rightClass ||
			math.Abs(g[board.Up].Loss-c.lossUp) > 1e-12 || g[board.Up].Class != c.upperClass {
			t.Errorf("%+v: %+v %v", c, g, ok)
		}
	}
}

// A mean of playouts has a bad class only if the loss is surely above 0, and a good one only if it is surely small.
func TestMeasuredGrades(t *testing.T) {
	for _, c := range []struct {
		right, half float64 // the value of left is 284, and 500 points are at stake
		class       protocol.MoveClass
	}{
		{259, 20, protocol.ClassInaccuracy}, {259, 30, protocol.ClassUndecided}, {224, 59, protocol.ClassBlunder},
		{279, 4, protocol.ClassGood}, {279, 19, protocol.ClassGood}, {279, 21, protocol.ClassUndecided},
		{290, 20, protocol.ClassGood}, {290, 40, protocol.ClassUndecided}, {244, 0, protocol.ClassMistake},
	} {
		d := graded(t, eval.Points, 0, 284, c.right, 100)
		d.Playouts = new(Playouts)
		d.Playouts.Errors[board.Right] = c.half
		if g, ok := d.Grades(); !ok || g[board.Right].Class != c.class || g[board.Left].Class != protocol.ClassBest {
			t.Errorf("%+v: %+v %v", c, g, ok)
		}
	}
}

// Values without a scale have no grades, nor have bounds and unknown values; an only move is forced.
func TestNoGrades(t *testing.T) {
	d := graded(t, eval.Heuristic, 0, 3, 2, 1)
	if g, ok := d.Grades(); ok {
		t.Errorf("a heuristic without a span: %+v", g)
	}
	d = graded(t, eval.Points, 0, 300, 200, math.NaN())
	d.Moves[board.Right].Bound = true
	if g, ok := d.Grades(); !ok || g[board.Left].Class != protocol.ClassBest || g[board.Right].Class != "" || g[board.Up].Class != "" {
		t.Errorf("a bound and an unknown value: %+v %v", g, ok)
	}
	if m := d.Wire().Moves; m.Left.Class != protocol.ClassBest || *m.Left.LossShare != 0 || m.Right.LossShare != nil {
		t.Errorf("as a message: %+v", m)
	}
	b, _ := board.Parse("2,4/0,0")
	d = Decision{Board: b, Result: search.Result{OK: true, Move: board.Down}}
	d.Moves[board.Down] = search.MoveValue{Legal: true, Value: math.NaN()}
	if g, ok := d.Grades(); !ok || g[board.Down].Class != protocol.ClassForced {
		t.Errorf("an only move: %+v %v", g, ok)
	}
}

// Classes get worse with the loss, and a lost move is never better than another one.
func TestClassOf(t *testing.T) {
	order := []protocol.MoveClass{protocol.ClassBest, protocol.ClassGood, protocol.ClassInaccuracy, protocol.ClassMistake, protocol.ClassBlunder}
	before := 0
	for i := range 1001 {
		loss := float64(i) / 1000
		at, lost := slices.Index(order, classOf(loss, false)), slices.Index(order, classOf(loss, true))
		if at < before || lost < at {
			t.Fatalf("loss %v: %s, lost %s", loss, order[at], order[lost])
		}
		before = at
	}
	if before != len(order)-1 || classOf(GoodLimit/2, true) != protocol.ClassGood || classOf(GoodLimit*1.01, true) != protocol.ClassBlunder {
		t.Errorf("a loss of 1 is a %s", order[before])
	}
}
