// Package search holds the searches that choose a move: on any board size, with
// any evaluator.
//
//   - [Expectimax] averages over the spawns, to a depth or under limits of time
//     and nodes (iterative deepening), with or without pruned chance nodes.
//     [Expectimax4] is the same on one word, for 4x4 and evaluators that are sums
//     over lines, or pattern networks: equal values, many times the speed.
//   - [Minimax] fears the worst spawn, plain or with alpha-beta.
//   - [Foresight] knows the spawns to come and follows only those.
//   - [Adversary] turns the search around: a spawner that places the worst tile,
//     or the friendliest.
//
// A search answers a [Query] with a [Result]: a value for each move, the best
// move, the plies and the nodes.
//
//	s := search.NewExpectimax(search.ExpectimaxOptions{Eval: e, Plies: 3})
//	r, err := s.Search(ctx, search.NewQuery(b, 0))
//
// Expectimax, Minimax and Foresight can also show the [Tree] that an answer came
// from, or a part of it, with what each board in it is worth; package draw makes
// pictures of it:
//
//	t, err := s.Tree(ctx, q, search.TreeOptions{Depth: 2, Width: 3})
//
// # Values
//
// With a heuristic evaluator a dead position is worth minus infinity, and so is
// whatever can lead to one in the tree: a move is lost when its value is minus
// infinity. Expectimax can be told another worth of death. With points a dead
// position is worth 0 and rewards on the path are added. In every tie, also
// between lost moves, the lowest direction is chosen.
//
// # Symmetry
//
// Under an evaluator that is [eval.Symmetric], moves to mirrored or rotated afterstates for
// the same reward have the same value, and images of a board have the same values. A table
// that answers lines of other likelihoods would break that, so such moves are searched
// once, and Expectimax searches one image for all; see symmetry.go. On 4x4 the moves are
// searched once only for a Query that asks for All, and otherwise values of images may
// differ where there are both a table and MinProb.
//
// # Depth
//
// Plies count the player's moves. A leaf is the afterstate of the last one, or
// with LeafSpawn every board after its spawn.
//
// # Nodes
//
// A node is a board that the search made: after a move, or after a spawn.
// Expectimax4 counts slides that change nothing too.
//
// # Views
//
// A network may view boards with large tiles as boards of smaller ones ([eval.Viewer]).
// Wherever a search chooses a move, at the root and below it, the rewards are those of the
// moves on the view of the board, as in training.
//
// # Threads
//
// Expectimax and Expectimax4 may search one position with several threads, which
// take the spawns after each first move in turn and share the table. Without a
// table, or with one with TTExact and without MinProb, they answer as one thread
// does, to the last bit; otherwise values may differ a little from run to run.
package search
