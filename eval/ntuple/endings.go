package ntuple

import (
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Ending networks (package endings) have a layout in which Walls is set. Their values are chances from 0 to 1.
// They read the views of boards. The first stage is for boards with a complete chain, whose views have no walls.
// Each ending has several stages, by the largest of its small tiles: the value of a pattern depends on how much of
// the chain is built, and few patterns contain the tiles that show it.

// EndingLayout returns the layout of an ending network with the patterns of l. Its endings have at
// least fewest and at most endings.MaxWalls walls.
func EndingLayout(l Layout, fewest int) (Layout, error) {
	if fewest < 1 || fewest > endings.MaxWalls {
		return Layout{}, fmt.Errorf("endings with %d walls: must be from 1 to %d", fewest, endings.MaxWalls)
	}
	l.Walls, l.Stages = uint8(fewest), []Stage{{}}
	for walls := fewest; walls <= endings.MaxWalls; walls++ {
		goal := endings.Goal(walls)
		for _, small := range []Stage{{}, {goal - 2}, {goal - 1}, {goal - 1, goal - 2}, {goal - 1, goal - 2, goal - 3}} {
			l.Stages = append(l.Stages, append(endingStage(walls), small...))
		}
	}
	return l, l.Validate()
}

// endingStage returns the condition of the stage for an ending with any small tiles.
func endingStage(walls int) Stage { return slices.Repeat(Stage{endings.Wall}, walls) }

// walls returns the number of walls in a condition.
func (s Stage) walls() (n int) {
	for n < len(s) && s[n] == endings.Wall {
		n++
	}
	return n
}

// Families returns the stages in groups. In the form for players (see [Network.Int16]), a weight
// that a stage has not learned takes its value from the previous stage in the same family. An
// ending network has one family for each ending, since chances of different endings have little in
// common; other networks have one family.
func (l *Layout) Families() (families []Family) {
	for i, s := range l.stages() {
		if i == 0 || l.Walls > 0 && s.walls() != l.Stages[i-1].walls() {
			families = append(families, Family{First: i})
		}
		families[len(families)-1].Count++
	}
	return families
}

// Family is a group of stages, see [Layout.Families].
type Family struct{ First, Count int }

// checkEndings returns an error unless every ending with Walls or more walls has a stage, and the stages are sorted
// by walls and then by small tiles. In that order, the last stage whose condition holds for a board is the most
// specific one.
func (l *Layout) checkEndings() error {
	ok := l.Size == bitboard.Size && l.Walls <= endings.MaxWalls && slices.IsSortedFunc(l.Stages, slices.Compare[Stage])
	for walls := int(l.Walls); walls <= endings.MaxWalls; walls++ {
		ok = ok && l.StageIndex(endingStage(walls)) > 0
	}
	for _, s := range l.stages()[1:] {
		walls := s.walls()
		ok = ok && walls >= int(l.Walls) && walls <= endings.MaxWalls && (len(s) == walls || s[walls] < endings.Goal(walls))
	}
	if !ok {
		return fmt.Errorf("ending network for %v boards, %d walls and stages %v: must be for 4x4 and 1 to %d walls; each number of walls must have a stage, followed by the stages for its small tiles in ascending order",
			l.Size, l.Walls, l.Stages, endings.MaxWalls)
	}
	return nil
}

// FoldBias moves the bias into the learned weights, so that unlearned weights, and weights that quantizing drops, add
// nothing and are no longer optimistic. Values of boards whose weights are all learned do not change. Players need
// this ([Network.Int16] does it for ending networks); trainers need the optimistic values. In an ending network,
// boards with a 32768 then have the value 1.
func (n *Network) FoldBias() {
	share := n.Bias / float32(n.Features())
	for stage, tables := range n.weights.Tables {
		for p, t := range tables {
			for i, w := range t {
				if w != 0 {
					t[i] = w + share
				}
			}
			if stage == 0 && n.Walls > 0 {
				t[n.Patterns[p].madeIndex()] = n.madeWeight()
			}
		}
	}
	n.Bias = 0
}

// madeIndex returns the index of the weight that boards with a 32768 (endings.Made) select. That weight is never
// trained.
func (p Pattern) madeIndex() int { return p.Index(slices.Repeat([]uint8{endings.LargestWall}, len(p))) }

// madeWeight returns the weight at madeIndex in a network whose bias is folded: boards with a 32768 have the value 1.
func (h *Head) madeWeight() float32 { return 1 / float32(h.Features()) }
