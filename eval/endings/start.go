package endings

import (
	"math/rand/v2"
	"slices"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

// layouts are the layouts of strong play, as cells in the order of the walls, the largest first. An ending with
// fewer walls uses the beginning of one. Neighbours in the list are beside each other or one slide apart.
var layouts = [][]uint8{
	{3, 2, 1, 0, 4, 5}, // an edge and two cells: ####/##..
	{3, 2, 1, 0, 4, 5},
	{0, 1, 2, 6, 5, 4}, // the 2x3 block by rows: ###./###.
	{0, 4, 5, 1, 2, 6}, // by columns
	{1, 0, 4, 5, 6, 2}, // around
	{3, 2, 7, 6, 0, 4}, // the T: #.##/#.##
	{3, 2, 7, 6, 4, 0},
	{3, 2, 6, 4, 0}, // with five walls: #.##/#.#.
}

// rareLayouts is how many starts there are for one whose layout is any path from a corner. More of them teach a
// network little that play meets, and blur what it knows of the usual layouts.
const rareLayouts = 16

// Start returns a random board of an ending: walls and two to six small tiles, whose sum is less than half of the goal.
func Start(walls int, r *rand.PCG) bitboard.Board {
	layout := layouts[Draw(r, len(layouts))]
	if Draw(r, rareLayouts) == 0 || len(layout) < walls {
		layout = path(walls, r)
	}
	var b bitboard.Board
	for i, cell := range layout[:walls] {
		b |= bitboard.Board(LeastWall-i) << (4 * cell)
	}
	sum, limit := int64(0), board.Tile(Goal(walls))/2
	for range 2 + Draw(r, 3)*Draw(r, 3) {
		e := uint8(1)
		for board.Tile(e+1) < limit-sum && Draw(r, 4) == 0 {
			e++
		}
		if sum += board.Tile(e); sum >= limit {
			break
		}
		b = b.PlaceNth(Draw(r, b.Empty()), e)
	}
	return b
}

// Draw returns a uniform number from 0 to n-1.
func Draw(r *rand.PCG, n int) int { return int(r.Uint64() >> 32 * uint64(n) >> 32) }

// path returns the cells of a random path from a corner.
func path(length int, r *rand.PCG) []uint8 {
	for {
		cells := []uint8{0}
		for len(cells) < length {
			next := neighbours(cells[len(cells)-1])
			next = slices.DeleteFunc(next, func(c uint8) bool { return slices.Contains(cells, c) })
			if len(next) == 0 {
				break
			}
			cells = append(cells, next[Draw(r, len(next))])
		}
		if len(cells) == length {
			return cells
		}
	}
}

// neighbours returns the cells beside a cell.
func neighbours(cell uint8) (beside []uint8) {
	row, col := cell/4, cell%4
	for _, at := range [][2]uint8{{row - 1, col}, {row + 1, col}, {row, col - 1}, {row, col + 1}} {
		if at[0] < 4 && at[1] < 4 { // -1 is 255
			beside = append(beside, 4*at[0]+at[1])
		}
	}
	return beside
}
