package learn

import (
	"math"
	"math/bits"

	"github.com/afterstate2048/afterstate/rules/bitboard"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
)

// rules are the slides and spawns for boards of at most 16 cells in the layout of ntuple.Pack. Up to
// 4x4, a smaller board lies in the top left corner of the bitboard; slides to the right and down shift
// it to that wall first.
type rules struct {
	size        board.Size
	lines       *bitboard.Lines // of a size with a side above four, else nil
	cells       uint64          // the lowest bit of every nibble that is a cell
	right, down uint            // how far, in bits, the board is from these walls
	fours       uint64          // lower halves of a random number below it make a 4
}

func rulesOf(size board.Size) rules { return rulesWith(size, game.P4) }

// rulesWith are the rules with another probability of a 4.
func rulesWith(size board.Size, p4 float64) rules {
	r := rules{size: size, fours: game.Fours(p4)}
	if size.Rows > 4 || size.Cols > 4 {
		r.lines = bitboard.NewLines(size)
		r.cells = 0x1111111111111111 >> (64 - 4*size.Cells())
		return r
	}
	r.right, r.down = uint(4*(4-size.Cols)), uint(16*(4-size.Rows))
	for i := range size.Cells() {
		r.cells |= 1 << (4 * (4*(i/size.Cols) + i%size.Cols))
	}
	return r
}

// afterstates computes all four slides.
func (r *rules) afterstates(b bitboard.Board, out *[4]bitboard.Afterstate) {
	if r.lines != nil {
		r.lines.Afterstates(b, out)
		return
	}
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
