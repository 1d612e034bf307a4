// Package search chooses moves by game-tree search, for any board size and any evaluator.
//
//   - [Expectimax] averages over the spawns, to a fixed depth or under limits of time and nodes
//     (iterative deepening), with or without pruning at chance nodes. [Expectimax4] returns the same
//     values many times faster for 4x4 boards, each packed into a uint64. It supports evaluators that
//     are sums over lines, and pattern networks.
//   - [Minimax] assumes the worst spawn, plain or with alpha-beta.
//   - [Foresight] knows the future spawns of a game and searches only these.
//   - [Adversary] is a spawner that searches for the worst spawn, or for the best.
//
// A search answers a [Query] with a [Result]: a value for each move, the best move, the depth and
// the number of nodes.
//
//	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 3})
//	r, err := s.Search(ctx, search.NewQuery(b, 0))
//
// Expectimax, Expectimax4 and Minimax can also return the [Tree] that a result came from, or a part of it, with the
// value of each board; package draw renders it:
//
//	t, err := s.Tree(ctx, q, search.TreeOptions{Depth: 2, Width: 3})
//
// A search is not safe for concurrent use.
//
// # Values
//
// With a heuristic evaluator a dead position has the value minus infinity. A move is called lost, and
// has this value too, if some sequence of spawns within the depth, however improbable, ends the game
// whatever the player does. If all moves are lost, Expectimax and Minimax choose the
// move after which the player survives with the best chance (survival.go). In Foresight a lost move
// ends the game, since the spawns are known. ExpectimaxOptions.DeathValue sets another value for
// dead positions. With an evaluator in points, a dead position has the value 0, and a value
// includes the rewards on the path. Of moves with equal values, the search chooses the first
// in the order up, right, down, left.
//
// # Depth
//
// Plies count the player's moves. A leaf is the afterstate of the last move, or with LeafSpawn each
// board after its spawn. A line is a sequence of moves and spawns from the root to a leaf or to a
// dead board. An iteration is a search of all moves to one depth; iterative deepening does one iteration after
// another, each deeper than the one before.
//
// # Nodes
//
// Each board that a search makes, after a move or after a spawn, counts as one node. Expectimax4 also
// counts slides that change nothing.
//
// # Transposition tables
//
// Different move orders can reach the same afterstate. If ExpectimaxOptions.TT is set, a table
// stores the values of afterstates. By default an entry is used for any remaining depth up to its
// own. So with MinProb, or if an entry is deeper than needed, a value depends on what was
// searched before. TTExact restricts which entries are used. See table.go and table4.go.
//
// # Symmetry
//
// With a symmetric evaluator ([eval.Symmetric]), mirrored and rotated boards have equal values, and so have moves
// with equal rewards to mirrored or rotated afterstates. A transposition table would break this, because entries from
// lines with another probability may be used. So with a table only one of several equivalent root moves is searched,
// and a search whose result depends on the order of its nodes searches one canonical board for all eight symmetries;
// see symmetry.go.
//
// # Views
//
// A network may evaluate a board with large tiles as another board with smaller tiles, its view
// ([eval.Downgrader]). Wherever a search chooses a move, at the root and below, it takes the
// rewards from the moves on the view of the board, as training does.
//
// # Sources
//
// B. Ballard, The *-minimax search procedure for trees containing chance nodes (Artificial
// Intelligence 21, 1983): Star1. The program nneonneo/2048-ai: the probability cut
// (MinProb), depth by the number of distinct tiles (DepthByTiles), and a transposition table for each
// root move (TTRootMove). The program "2048 AI": Foresight.
package search
