// Package ntuple holds n-tuple networks: value functions that sum table entries, one for each
// pattern of cells and each symmetry of the board.
//
// A [Pattern] (the literature's n-tuple) is a list of cells, such as 012456, the two rows of three
// in the top left corner. Its table has a weight for every content of these cells: 16^6 weights. The
// value of a board is the sum over all patterns and all eight symmetries of the weight that the board
// selects. The symmetries share one table, so what is learned in one corner holds in all:
//
//	layout, _ := ntuple.Named(bitboard.Size, "4x6") // four patterns of six cells
//	network, _ := ntuple.New(layout)
//	points := network.Value(afterstate)
//
// A value is in points: the expected score still to come from an afterstate, the board after a move
// and before its spawn. Greedy play takes the move of the largest reward + value. [Evaluator] makes
// a network the evaluator of a search.
//
// A [Network] may have stages (multi-stage TD): sets of weights for later parts of the game.
// [Stage] is the condition of a stage, and [Network.Promote] initializes its weights from the stage
// before. [Pack] packs boards of at most 16 cells into a word; larger boards are read cell by cell, more slowly
// ([WideBatch]). [DefaultLayout] returns a layout for every size.
// [Network.DowngradeBoard] is tile downgrading: boards with large tiles are read as boards of smaller tiles.
//
// # Speed
//
// Nearly all time is spent waiting for memory: a 4x6 network has 256 MiB, of which each board reads
// 32 words. So indices are computed first, for a batch of boards ([Network.Evaluate]), and all
// reads follow, many in flight at a time. Weights that are read together are close to each other. On
// Linux decoded weights are on huge pages; weights mapped from a cache file are not. With AVX2 a few
// instructions compute a pattern's eight indices. Elsewhere unrolled Go code does so for some named
// networks, and a loop for the others. Tests check that all three give the same results, bit for bit.
//
// # Files
//
// [Save] writes, and [Load] maps, a file that describes itself: layout, training history,
// measurements, checksums. Truncated, corrupt and foreign files are refused with an error that wraps
// [ErrModel]. Package quant has a small file format for players, and package models opens both.
//
// # Limits
//
// The package does not train networks; package learn does. A cell has four bits, so 32768 is the
// largest tile; see [Evaluator] and [Network.ValueOf] for larger ones.
//
// # Sources
//
// M. Szubert, W. Jaśkowski, Temporal difference learning of n-tuple networks for the game 2048 (CIG
// 2014): networks and afterstate values. I-C. Wu, K.-H. Yeh et al., Multi-stage temporal difference
// learning for 2048 (TAAI 2014), and K.-H. Yeh et al., Multistage temporal difference learning for
// 2048-like games (IEEE Trans. Comput. Intell. AI Games 9, 2017): stages. W. Jaśkowski, Mastering 2048 with delayed
// temporal coherence learning, multistage weight promotion, redundant encoding and carousel shaping
// (IEEE Trans. Games 10, 2018): weight promotion.
package ntuple
