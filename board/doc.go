// Package board holds the rules of 2048 for every board from 2x2 to 6x6.
//
// A [Board] is a comparable value: the exponents of its tiles (2 is 1, 4 is 2,
// 2048 is 11, an empty cell is 0) and its size. It knows the rules of a slide
// and nothing else: no randomness, no score, no history. Package game adds those.
//
//	b, _ := board.Parse("2,2,0,4/0,0,8,0/0,0,0,0/2,0,0,2")
//	after, reward, moved := b.Slide(board.Left) // 4,4,0,0/8,0,0,0/0,0,0,0/4,0,0,0, 8, true
//
// The board after a slide and before the next spawn is the afterstate, the
// thing a 2048 player really chooses.
//
// # Layout and speed
//
// A row is one uint64 with one exponent a byte, the leftmost cell lowest. A
// slide treats the cells of a row as lanes and moves whole rows against each
// other without a branch (slide.go); left and right are the same after a
// transposition. [Board.Motions] computes the same slide tile by tile and is
// the plain reference that tests hold the fast one against.
//
// # Limits
//
// Text and JSON may name tiles up to 2^48 ([MaxExponent]), far above what any
// size can reach, so that sums and rewards never overflow an int64.
package board
