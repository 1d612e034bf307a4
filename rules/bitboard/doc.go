// Package bitboard implements the 4x4 board in one uint64, for search and training.
//
// Cell i, counted row-major from the top left, is the i-th nibble from the least significant end:
// an exponent from 0 (empty) to 15 (32768).
//
//	b, ok := bitboard.From(&full) // a board.Board of 4x4 with no tile above 32768
//	var after [4]bitboard.Afterstate
//	b.Afterstates(&after)         // all four slides with their rewards
//
// # How a slide works
//
// A row is 16 bits, so one table holds, for all 65,536 rows, the change when the row is pushed
// towards its first cell and towards its last: the XOR of the row before and after. A slide left or
// right takes four lookups. Up and down do the same on the transposed board. The technique comes
// from nneonneo/2048-ai.
//
// [Lines] slides the other sizes of at most 16 cells that have a side of five or six, such as 3x5.
// It packs their cells row-major into the word, without gaps.
//
// # Limits
//
// Package board is the reference implementation; tests compare the two packages. The largest
// exponent in a nibble is 15, so two 32768 tiles do not merge here. [Pack] converts a 4x4 board for
// a given number of moves. It succeeds only if no such merge is possible within these moves. It
// represents tiles above 32768 by smaller exponents that no other tile can collide with.
package bitboard
