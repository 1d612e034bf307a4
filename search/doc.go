// Package search holds the searches that choose a move: for any board size, with any evaluator.
//
//   - [Expectimax] averages over the spawns, to a fixed depth or under limits of time and nodes
//     (iterative deepening), with or without pruning at chance nodes. [Expectimax4] is the same for
//     4x4 boards in one uint64, for evaluators that are sums over lines and for pattern networks: equal
//     values, many times the speed.
//   - [Minimax] assumes the worst spawn, plain or with alpha-beta.
//   - [Foresight] knows the spawns to come and follows only those.
//   - [Adversary] is a spawner that searches for the worst tile, or for the best.
//
// A search answers a [Query] with a [Result]: a value for each move, the best move, the depth and
// the number of nodes.
//
//	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 3})
//	r, err := s.Search(ctx, search.NewQuery(b, 0))
//
// Expectimax, Minimax and Foresight can also return the [Tree] that a result came from, or a part
// of it, with the value of each board; package draw renders it:
//
//	t, err := s.Tree(ctx, q, search.TreeOptions{Depth: 2, Width: 3})
//
// A search is for one goroutine at a time.
//
// # Values
//
// With a heuristic evaluator a dead position has the value minus infinity, and so has every position
// that the search cannot keep from it: a move is lost when its value is minus infinity.
// ExpectimaxOptions.DeathValue sets another value of death. With an evaluator in points a dead
// position has the value 0, and rewards on the path are added. Among equal values the lowest
// direction is chosen, also among lost moves.
//
// # Depth
//
// Plies count the player's moves. A leaf is the afterstate of the last move, or with LeafSpawn each
// board after its spawn.
//
// # Nodes
//
// A node is a board that the search made, after a move or after a spawn. Expectimax4 also counts
// slides that change nothing.
//
// # Transposition tables
//
// The same afterstate is reached by many move orders. With ExpectimaxOptions.TT a table stores the
// values of afterstates. By default an entry answers for any search that is at most as deep. Under
// MinProb, or with entries of a deeper level, a value can then depend on what was searched before;
// TTExact restricts which entries answer. See table.go and table4.go.
//
// # Symmetry
//
// With an evaluator that is [eval.Symmetric], moves to mirrored or rotated afterstates with the same
// reward have equal values, and so have mirrored and rotated boards. A table whose entries answer
// lines of another probability would break that. So such moves are searched once, and Expectimax
// searches one canonical board for all eight symmetries; see view.go. On 4x4, moves are searched
// once only if the Query has All set, and values of symmetric boards may differ when both a table
// and MinProb are used.
//
// # Views
//
// A network may evaluate boards with large tiles as boards of smaller ones ([eval.Downgrader]). Wherever
// a search chooses a move, at the root and below, the rewards are those of the moves on the view of
// the board, as in training.
//
// # Threads
//
// Expectimax and Expectimax4 may search one position with several threads, which take the spawns
// after each first move from a queue and share the table. Without a table, or with TTExact and
// without MinProb, results are bit for bit those of one thread; otherwise values may differ slightly
// from run to run.
//
// # Sources
//
// B. Ballard, The *-minimax search procedure for trees containing chance nodes (Artificial
// Intelligence 21, 1983): Star1 and Star2. The program nneonneo/2048-ai: the probability cut
// (MinProb), depth by the number of distinct tiles (DepthByTiles), and a transposition table for each
// root move (TTRootMove). The program "2048 AI": Foresight.
package search
