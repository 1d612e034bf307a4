// Package bitboard is the 4x4 board in one uint64, for searches and training
// that make hundreds of millions of boards a second.
//
// Cell i, counted row-major from the top left, is the i-th nibble from the least
// significant end: an exponent from 0 (empty) to 15 (32768).
//
//	b, ok := bitboard.From(&full) // a board.Board of 4x4 with no tile above 32768
//	var after [4]bitboard.Afterstate
//	b.Afterstates(&after)         // all four slides with their rewards
//
// # How a slide works
//
// A row is 16 bits, so one table answers for all 65,536 rows what changes when
// they are pushed towards the first cell and towards the last one: an XOR of the
// row before and after. Sliding left or right is four reads; up and down are the
// same on the transposed board. Rows do not touch each other, so a search that
// changes one cell has to look up two lines only, not eight.
//
// # What it cannot hold
//
// Package board is the truth, and tests prove both equal. A nibble ends at 32768:
// here two 32768 tiles do not merge. [Pack] takes any 4x4 board and a number of
// moves to look ahead, and answers only where such a merge is out of reach; tiles
// above 32768 are then written as smaller ones that nothing can be confused with.
package bitboard
