// Package solve computes the exact values of small boards and of 4x4 endings: the highest possible expected score, or
// chance of making a tile, for every board that a game can reach.
//
//	p := solve.Problem{Size: board.Size{Rows: 2, Cols: 3}, P4: 0.1}
//	t, err := solve.Solve(ctx, p, solve.Options{})
//	t.Start           // 480.258271775958, the expected score of a game
//	moves, err := t.Moves(&b) // the value of each move
//
// # Method
//
// A move does not change the sum of the tiles, and a spawn adds 2 or 4. So boards fall into layers
// by their sum, and the values of a layer follow from the values of the next two (retrograde
// analysis). Boards that are images of each other under rotations and reflections have the same
// value; the smallest image represents them all.
//
// A first pass goes through the layers in order of increasing sums and finds the boards that a game
// can reach and their afterstates (reach.go). A second pass goes through them in the opposite order
// and computes the value of every afterstate: the mean, over all spawns, of the highest value of a
// move (values.go). Both passes keep three layers in hash tables that fit into the processor's
// caches, and divide the work of a layer among all cores.
//
// Only afterstates are stored, since the value of a move is its reward plus the value of its
// afterstate. Within a layer the last cell follows from the others, so a board of nine cells has a
// key of 32 bits. Sorted keys take two bytes each and a
// few more for their shared upper halves. Values take eight bytes, five for 3x3, or three for endings
// (record.go).
//
// # Files
//
// A table is a file of records with checksums. It has another name until it is complete, so a
// killed process leaves no table, and the next process starts over.
//
// A table is read layer by layer and not mapped into memory, so a change to its file can neither
// change values nor crash the process.
//
// # Endings
//
// An ending is a 4x4 board whose largest tiles are walls: they are all different, so they do not merge before the
// goal is made. Only the free cells vary, so an ending with ten free cells is no larger than a board of ten cells
// (endings.go). Either the walls are fixed on one layout, and a move that would shift a wall is not allowed, or they
// are free to move among at most four layouts and their symmetric images.
//
//	p := solve.Problem{Walls: "###./###.", Goal: 512, P4: 0.1}
//	t, err := solve.Folder(dir).Solve(ctx, p, solve.Options{})
//	t.Start, t.Best // 0.643489 and 0.764092: the mean and the highest chance over starts with two 2s
//
// # Limits
//
// Tables can be made for 2x2, 2x3, 2x4 and 3x3, and for endings with 1 to 12 walls whose keys fit into 32 bits.
// Transposed sizes, such as 3x2, have the same values. A table holds
// only boards that can occur in a game from the standard start.
package solve
