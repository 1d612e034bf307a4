// Package solve computes the exact values of small boards, and of endings of 4x4: the greatest expected score, or the
// greatest chance to make a tile, of every board that a game can reach.
//
//	p := solve.Problem{Size: board.Size{Rows: 2, Cols: 3}, P4: 0.1}
//	t, err := solve.Solve(ctx, p, solve.Options{})
//	t.Start()           // 480.258271775958, the expected score of a game
//	moves, err := t.Moves(&b) // the value of each move
//
// # Method
//
// A move keeps the sum of the tiles, and a spawn adds 2 or 4. So boards fall into layers by their
// sum, and the values of a layer follow from those of the next two (retrograde analysis). Boards
// that are images of each other under rotations and reflections have the same value; only the
// smallest image is considered.
//
// A first pass goes upwards and finds, layer by layer, the boards that are reached and their
// afterstates (reach.go). A second pass goes downwards and computes the value of every afterstate:
// the mean over all spawns of the greatest value of a move (values.go). Both keep three layers in
// hash tables that fit into the processor's caches, and share the work of a layer among all cores.
//
// Only afterstates are stored, since the value of a move is its reward and the value of the
// afterstate. Within a layer the last cell follows from the others, so a board of nine cells is a
// key of 32 bits. Ten cells need a denser code (type tenKeys). Sorted keys take two bytes each and a few more
// for their shared upper halves; values take eight bytes, or five for 3x3 (record.go).
//
// # Files
//
// A table is a file of records with checksums. While it is made, records are appended, so that a
// process that was killed loses the layer it was working on and no more. Values are rounded when
// they are stored; a second small file holds the exact ones of the last three layers, so that a
// resumed solve gives the same table, byte by byte.
//
// A table is not mapped but read a layer at a time, so that no change to its file gives other values or
// ends the process.
//
// # The start alone
//
// On 2x5 a table would be too large. Folder.SolveStart makes the same two passes, but forgets the values
// of a layer when no other layer needs them. It stores the keys of all layers in a file, so that it
// resumes too, and at the end only the value of the start (folder.go).
//
// # Endings
//
// In an ending of 4x4 the largest tiles are walls: all different, so they do not merge before the goal is made. Only the
// free cells count, so ten of them are no more than a board of ten cells (endings.go). Walls are fixed on one layout: a move
// that would shift one is not allowed. Or they are free among at most four layouts and their symmetric images.
//
//	p := solve.Problem{Walls: "###./###.", Goal: 512, P4: 0.1}
//	t, err := solve.Folder(dir).Solve(ctx, p, solve.Options{})
//	t.Start(), t.Best() // 0.643489 and 0.764092: the mean and the greatest chance over starts with two 2s
//
// # Limits
//
// Tables of sizes 2x2, 2x3, 2x4 and 3x3, and their turns; the start of 2x5; endings with 1 to 12 walls whose keys fit in 32 bits. Values hold for games from
// the standard start: boards that cannot come up in one are not in the table.
package solve
