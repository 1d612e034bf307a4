// Package draw renders the captured tree of a search as a picture (SVG) and as data (JSON).
//
//	tree, err := s.Tree(ctx, query, search.TreeOptions{Depth: 2, Width: 3, Boards: 200})
//	p := draw.Picture{Tree: tree, Player: "expectimax(plies=2)", Unit: eval.Heuristic, Source: "search"}
//	err = p.WriteSVG(file)
//
// # What is shown
//
// Every board of the tree with its value; see [search.TreeNode]. The chosen line is bold. Thinner
// dark lines are the choices of the player, or of an opponent, at other boards. A board's new tile
// has a ring; lost and pruned boards are pale. Notes at the boards and below the picture count what was
// left out.
//
// # JSON
//
// One object on one line:
//
//	board, player, move, unit, plies, nodes, source   as in best --json
//	depth         the player's moves shown
//	boards        number of boards in the tree
//	omitted       {"beyond_width", "beyond_boards"}: spawns and moves that were not captured
//	tree          the root
//
// and each board of the tree, with the keys that apply to it:
//
//	board         rows of tile values
//	score         the game's score there
//	turn          what happens next: player, chance or opponent
//	value, lost   of the step that led here; value is null if it is minus infinity
//	              (lost) or unknown
//	leaf          the search evaluated this board and went no deeper
//	terminal      there is no legal move
//	pruned        the beam did not keep it, or expectimax's prune_margin dropped the move
//	move, reward  the move that led here
//	spawn         the new tile: {"row", "col", "tile"}, counted from 0
//	probability   of that spawn, unless an opponent chose it
//	best          the player, or the opponent, would choose this step
//	chosen        on the chosen line
//	children      the boards that may follow
//	omitted_children  number of children that were left out
package draw
