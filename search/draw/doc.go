// Package draw renders the captured tree of a search as a picture (SVG) and as data (JSON).
//
//	tree, err := s.Tree(ctx, query, search.TreeOptions{Depth: 2, Width: 3, Boards: 200})
//	p := draw.Picture{Tree: tree, Player: "expectimax(plies=2)", Unit: eval.Heuristic, Source: "search"}
//	err = p.WriteSVG(file)
//
// # What is shown
//
// The picture shows every board of the tree with its value; see [search.TreeNode]. The root is at the top, and
// beside it the chosen line, which is bold. Thinner dark lines are the choices of the player, or of an opponent, at
// other boards. A board's new tile has a ring; lost and pruned boards are pale. Notes at the boards and below the
// picture count the boards that were left out.
//
// # JSON
//
// WriteJSON writes one object on one line:
//
//	board, player, move, unit, plies, nodes, source   as in the output of "best --json"
//	depth         number of the player's moves shown
//	boards        number of boards in the tree
//	omitted       {"beyond_width", "beyond_boards"}: spawns and moves that were not captured
//	tree          the root
//
// Each board of the tree is an object with the following keys, as far as they apply to it:
//
//	board         rows of tile values
//	score         the game's score there
//	turn          what happens next: player, chance or opponent
//	value, lost   value of the step that led here; null if it is minus infinity (lost
//	              is then true) or unknown
//	leaf          the search evaluated this board and went no deeper
//	terminal      there is no legal move
//	pruned        prune_margin dropped the move
//	move, reward  the move that led here, and its reward
//	spawn         the new tile: {"row", "col", "tile"}, counted from 0
//	probability   probability of the spawn, unless an opponent chose it
//	best          the player, or the opponent, would choose this step
//	chosen        the board is on the chosen line
//	children      the boards that may follow
//	omitted_children  number of children that were left out
package draw
