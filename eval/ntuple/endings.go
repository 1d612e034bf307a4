package ntuple

import (
	"fmt"
	"slices"

	"github.com/afterstate2048/afterstate/eval/endings"
	"github.com/afterstate2048/afterstate/rules/bitboard"
)

// Ending networks (package endings) have a layout with Walls. Their values are chances from 0 to 1. They read the views of
// boards. The first stage holds boards with a complete chain, whose views have no walls, and each further one those with Walls,
// Walls + 1, ... walls.

// EndingLayout returns the layout of an ending network with the patterns of l, for fewest to endings.MaxWalls walls.
func EndingLayout(l Layout, fewest int) (Layout, error) {
	if fewest < 1 || fewest > endings.MaxWalls {
		return Layout{}, fmt.Errorf("endings with %d walls: must be from 1 to %d", fewest, endings.MaxWalls)
	}
	l.Walls, l.Stages = uint8(fewest), endingStages(fewest)
	return l, l.Validate()
}

// endingStages returns the conditions of the stages of an ending network.
func endingStages(fewest int) []Stage {
	stages := []Stage{{}}
	for walls := fewest; walls <= endings.MaxWalls; walls++ {
		stages = append(stages, slices.Repeat(Stage{endings.Wall}, walls))
	}
	return stages
}

// checkEndings returns an error unless the layout is one that EndingLayout makes.
func (l *Layout) checkEndings() error {
	if l.Size != bitboard.Size || l.Walls > endings.MaxWalls || !slices.EqualFunc(l.Stages, endingStages(int(l.Walls)), slices.Equal[Stage]) {
		return fmt.Errorf("an ending network for %v boards and %d walls with the stages %v: must be 4x4 and 1 to %d walls, and a stage for each number of walls",
			l.Size, l.Walls, l.Stages, endings.MaxWalls)
	}
	return nil
}

// FoldBias moves the bias into the weights that are known, so that unknown weights, and those that quantizing drops, add
// nothing and are no longer optimistic. Values of boards whose weights are all known stay as they are. Players need that;
// a trainer needs the optimism. In an ending network a board with the tile that the chain makes has the value 1 then,
// whatever the bias was.
func (n *Network) FoldBias() {
	share := n.Bias / float32(n.Features())
	for stage, tables := range n.weights.Tables {
		for p, t := range tables {
			for i, w := range t {
				if w != 0 {
					t[i] = w + share
				}
			}
			if stage == 0 && n.Walls > 0 { // what endings.Made selects, which nothing learns
				t[n.Patterns[p].Index(slices.Repeat([]uint8{endings.LeastWall}, len(n.Patterns[p])))] = 1 / float32(n.Features())
			}
		}
	}
	n.Bias = 0
}
