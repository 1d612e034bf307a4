// Package board implements the rules of 2048 for every board from 2x2 to 6x6.
//
// A [Board] is a comparable value: a size and the exponents of its tiles (a 2 has exponent 1, a 4
// has 2, a 2048 has 11, an empty cell 0). The package implements slides and the notations of
// boards. It has no randomness, no score and no history: package game adds those.
//
//	b, _ := board.Parse("2,2,0,4/0,0,8,0/0,0,0,0/2,0,0,2")
//	after, reward, moved := b.Slide(board.Left) // 4,4,0,0/8,0,0,0/0,0,0,0/4,0,0,0, 8, true
//
// The board after a slide and before the next spawn is the afterstate.
//
// # Layout and speed
//
// A row is one uint64 with one exponent per byte, the leftmost cell in the lowest byte. A slide
// treats the cells of a row as independent lanes and combines whole rows without branches
// (slide.go); left and right slides transpose first. [Board.Motions] computes the same slide tile
// by tile and is the reference in tests.
//
// # Limits
//
// Text and JSON may contain tiles up to 2^48 ([MaxExponent]), more than any size can reach. With
// this limit, sums and rewards do not overflow an int64.
package board
