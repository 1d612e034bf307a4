package review

import (
	"math"
	"slices"
	"testing"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/wire"
)

// The loss in points is a share of the tiles' worth and the best value together.
func TestLossInPoints(t *testing.T) {
	b, _ := board.Parse("4,8,2/16,32,4/2,2,8") // worth 4+16+0+48+128+4+0+0+16 = 216
	if Worth(&b) != 216 {
		t.Fatalf("worth %d", Worth(&b))
	}
	m := moveWith(t, Position{Position: eval.Position{Board: b, Score: 7}, Played: board.Right}, 284, 259)
	if m.Loss != 25.0/500 || m.Class != wire.ClassInaccuracy || m.Best != board.Left || math.Abs(m.Cost-0.03) > 1e-12 || math.Abs(m.Stake-0.015) > 1e-12 {
		t.Errorf("%+v", m)
	}
}

// Classes get worse with the loss, and a lost move is never better than another one.
func TestClassOf(t *testing.T) {
	order := []wire.MoveClass{wire.ClassBest, wire.ClassGood, wire.ClassInaccuracy, wire.ClassMistake, wire.ClassBlunder}
	before := 0
	for i := range 1001 {
		loss := float64(i) / 1000
		at, lost := slices.Index(order, ClassOf(loss, false)), slices.Index(order, ClassOf(loss, true))
		if at < before || lost < at {
			t.Fatalf("loss %v: %s, lost %s", loss, order[at], order[lost])
		}
		before = at
	}
	if before != len(order)-1 {
		t.Errorf("a loss of 1 is a %s", order[before])
	}
}
