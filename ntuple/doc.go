// Package ntuple holds pattern networks: functions that tell what a position is
// worth by adding up what they know of parts of it.
//
// A [Pattern] is a few cells, such as 012456, the two rows of three in the top left
// corner. For every way these cells can be filled its table holds a weight: 16^6 of
// them. The value of a board is the sum over all patterns of the weight that the board
// names, and that under all eight symmetries with the same table, so that what is
// learned in one corner holds in all:
//
//	layout, _ := ntuple.Named(bitboard.Size, "4x6") // four patterns of six cells
//	network, _ := ntuple.New(layout)
//	points := network.Value(afterstate)
//
// A value is in points: the score still to come from an afterstate, a board after a
// move and before its spawn. The best move by a network alone is that of the largest
// reward + value. [Evaluator] is a network for searches.
//
// A [Network] may have stages, sets of weights for later parts of the game; see
// [Stage] for which board belongs to which, and [Network.Promote] for what a stage
// begins with. Boards of up to 4x4 have networks; see [Word] for how smaller ones lie
// in a bitboard.
//
// A network may view boards with large tiles as boards of smaller ones, which it knows
// better; see [Network.View].
//
// # Speed
//
// Nearly all time is waiting for memory: a 4x6 network has 256 MB, of which each
// board reads 32 places. So indices are found first, for all of a batch's boards
// ([Network.Evaluate]), and all reads follow, many of them under way at a time;
// weights lie on huge pages, and those that are read together near each other. With
// AVX2 a few instructions find a pattern's eight indices. Everywhere else code
// written out for the large named networks does, or a loop for all others. Tests hold
// all three to the same values, to the bit.
//
// # Files
//
// [Save] writes, and [Load] maps, a file that describes itself: layout, how it was
// trained, what it reached, checksums. Files that are truncated, corrupt or foreign are
// refused with an error that says so. Package quant has a small form of files for
// players, and package models opens both.
//
// # What it leaves out
//
// It does not train; package learn does. A nibble ends at 32768; see [Evaluator] for
// what becomes of larger tiles.
package ntuple
