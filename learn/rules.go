package learn

import (
	"math"
	"math/bits"

	"afterstate/bitboard"
	"afterstate/board"
	"afterstate/game"
)

// rules are the slides and spawns for boards up to 4x4 in the layout of ntuple.Word. A smaller
// board lies in the top left corner of the bitboard; slides to the right and down shift it to that
// wall first.
type rules struct {
	size        board.Size
	cells       uint64 // the lowest bit of every nibble that is a cell
	right, down uint   // how far, in bits, the board is from these walls
	fours       uint64 // lower halves of a random number below it make a 4
}

func rulesOf(size board.Size) rules { return rulesWith(size, game.P4) }

// rulesWith are the rules with another probability of a 4.
func rulesWith(size board.Size, p4 float64) rules {
	r := rules{size: size, right: uint(4 * (4 - size.Cols)), down: uint(16 * (4 - size.Rows))}
	for i := range size.Cells() {
		r.cells |= 1 << (4 * (4*(i/size.Cols) + i%size.Cols))
	}
	r.fours = uint64(math.Floor(p4 * (1 << 32)))
	return r
}

// afterstates computes all four slides.
func (r *rules) afterstates(b bitboard.Board, out *[4]bitboard.Afterstate) {
	if r.right|r.down == 0 {
		b.Afterstates(out)
		return
	}
	slide := func(d board.Direction, shift uint) {
		after, reward, moved := (b << shift).Slide(d)
		out[d] = bitboard.Afterstate{Board: after >> shift, Reward: reward, Moved: moved}
	}
	slide(board.Left, 0)
	slide(board.Up, 0)
	slide(board.Right, r.right)
	slide(board.Down, r.down)
}

// spawn places the tile that the random number u selects, as game.Random does. The board must have
// an empty cell.
func (r *rules) spawn(b bitboard.Board, u uint64) bitboard.Board {
	free := b.EmptyMask() & r.cells
	n := (u >> 32) * uint64(bits.OnesCount64(free)) >> 32
	for ; n > 0; n-- {
		free &= free - 1
	}
	free &= -free
	if u&math.MaxUint32 < r.fours {
		free <<= 1
	}
	return b | bitboard.Board(free)
}
