// Package endings describes the endings of 4x4 games as a network learns them: the largest tiles are
// walls, and the value of a board is the chance to make the tile 32768.
//
// Late in a game the largest tiles, the walls, are all different, so they cannot merge before the next
// large tile, the goal, is made: with 16384, 8192, 4096 and 2048 on the board the goal is a 1024. An ending
// is a number of walls with its goal; the pairs (walls, goal) up to the tile 32768 are
//
//	(1, 8192) (2, 4096) (3, 2048) (4, 1024) (5, 512) (6, 512)
//
// The goal of five walls is the first 512, the goal of six walls the second one. With both, the chain is complete:
// 512 and 512, 1024 and 1024, ... merge into a 32768, if the player can bring them together. Each goal, once made,
// becomes the next wall, so the value of a board in one ending depends on the values of boards in the next ending.
//
// A network reads the view of a board. In the view, every wall is the same symbol, [Wall], which slides and does
// not merge, like the tile 32768 in package bitboard. So a view slides as its board does, and boards that differ
// only in the order of their walls have the same view. The view of a board with a complete chain is the board
// itself, since the order of its tiles decides what merges.
//
// On a board with a 32768 and no 16384, the player builds the same chain again, up to the 16384. [Lower] replaces
// such a board by the corresponding board before the first 32768.
//
// Package ntuple implements the networks. Each ending has several stages there, by the small tiles on the board.
// Package learn trains the networks.
package endings

import (
	"math/rand/v2"
	"slices"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
)

const (
	// Tile is the exponent of the tile that a complete chain makes: 32768.
	Tile = 15
	// LargestWall is the exponent of the largest wall, which every ending has: 16384.
	LargestWall = Tile - 1
	// Wall is the exponent of every wall in a view.
	Wall = bitboard.MaxExponent
	// MaxWalls is the largest number of walls of an ending. The smallest of six walls is a 512.
	MaxWalls = 6
	// Of returns Complete or Made in place of a number of walls: Complete for a board with a complete chain, Made
	// for a board with a 32768.
	Complete = MaxWalls + 1
	Made     = MaxWalls + 2
)

// Points is the value of making a 32768 for a player in an ending, in points still to come: about the value that
// the embedded network gives to boards with six walls, divided by the share of games that make the tile.
const Points = 240_000

// madeView is the view of every board with a 32768. All its cells are 16384; in other views, at most two cells are
// 16384.
const madeView bitboard.Board = 0xeeeeeeeeeeeeeeee

// Goal returns the exponent of the goal of an ending with this number of walls, which is from 0 to MaxWalls.
func Goal(walls int) uint8 { return uint8(max(LargestWall-walls, Tile-MaxWalls)) }

// Of returns the view of a board and its number of walls. The number is 0 without a 16384, Complete if two equal
// tiles complete the chain, and Made with a 32768.
func Of(b bitboard.Board) (view bitboard.Board, walls int) {
	if cells(b, Tile) != 0 {
		return madeView, Made
	}
	view = b
	for ; ; walls++ {
		tiles := cells(view, Goal(walls))
		switch {
		case tiles == 0:
			return view, walls
		case walls == MaxWalls || tiles&(tiles-1) != 0:
			return b, Complete
		}
		view |= bitboard.Board(tiles * Wall)
	}
}

// View returns the view of a board.
func View(b bitboard.Board) bitboard.Board {
	view, _ := Of(b)
	return view
}

// Lower returns the board to evaluate in place of b. If b has a 32768 and no 16384, the chain repeats: with 32768,
// 8192, 4096, ... the player builds a 16384, in the same way as with 16384, 8192, 4096, ... before the first 32768. So
// Lower halves the 32768. It returns other boards unchanged.
func Lower(b bitboard.Board) bitboard.Board {
	if cells(b, LargestWall) != 0 {
		return b
	}
	return b - bitboard.Board(cells(b, Tile))
}

// cells returns a word in which the lowest bit of a nibble is set if its cell has this exponent.
func cells(b bitboard.Board, exponent uint8) uint64 {
	const ones = 0x1111111111111111
	x := uint64(b) ^ ones*uint64(exponent) // a nibble is zero where the exponent matches
	x |= x >> 2
	x |= x >> 1
	return ^x & ones
}

// Small returns the sum of the tiles of a view that are not walls.
func Small(view bitboard.Board) (sum int64) {
	for ; view != 0; view >>= 4 {
		if e := uint8(view & 15); e != Wall {
			sum += board.Tile(e)
		}
	}
	return sum
}

// Completed reports whether the complete chain on a board can come from an ending with six walls: the tiles outside
// the chain sum to less than 512. Other boards with two equal large tiles are rare, and no network learns them.
func Completed(b bitboard.Board) bool {
	return b.Sum() < 1<<Tile+board.Tile(Goal(MaxWalls))
}

// layouts are the wall layouts of strong play. Each lists the cells of the walls, the largest wall
// first. An ending with fewer walls uses the first cells of a list.
var layouts = [][]uint8{
	{3, 2, 1, 0, 4, 5}, // an edge and two cells: ####/##..
	{3, 2, 1, 0, 4, 5},
	{0, 1, 2, 6, 5, 4}, // the 2x3 block by rows: ###./###.
	{0, 4, 5, 1, 2, 6}, // the block by columns
	{1, 0, 4, 5, 6, 2}, // around the block
	{3, 2, 7, 6, 0, 4}, // the T: #.##/#.##
	{3, 2, 7, 6, 4, 0},
	{3, 2, 6, 4, 0}, // only for up to five walls: #.##/#.#.
}

// On average, one in rareLayouts starts uses a random path from a corner as its layout. More such
// starts teach a network little that occurs in play, and make its values of the layouts above less
// accurate.
const rareLayouts = 16

// Start returns a random board of an ending: its walls and two to six small tiles with a sum below half the goal.
func Start(walls int, r *rand.PCG) bitboard.Board {
	layout := layouts[Draw(r, len(layouts))]
	if Draw(r, rareLayouts) == 0 || len(layout) < walls {
		layout = path(walls, r)
	}
	var b bitboard.Board
	for i, cell := range layout[:walls] {
		b |= bitboard.Board(LargestWall-i) << (4 * cell)
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

// Draw returns a uniformly distributed number from 0 to n-1.
func Draw(r *rand.PCG, n int) int { return int(r.Uint64() >> 32 * uint64(n) >> 32) }

// path returns the cells of a random path of the given length from a corner.
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
		if at[0] < 4 && at[1] < 4 { // uint8 turns -1 into 255
			beside = append(beside, 4*at[0]+at[1])
		}
	}
	return beside
}
