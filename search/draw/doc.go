// Package draw shows the captured tree of a search as a picture (SVG), as a graph
// for graphviz (DOT), and as data (JSON).
//
//	tree, err := s.Tree(ctx, query, search.TreeOptions{Depth: 2, Width: 3, Boards: 200})
//	p := draw.Picture{Tree: tree, Player: "expectimax(plies=2)", Unit: eval.Heuristic, Source: "search"}
//	err = p.WriteSVG(file)
//
// # What is shown
//
// Every board of the tree with what it is worth; see [search.TreeNode]. The chosen
// line is bold. Thinner dark lines are what the player, or an opponent, would choose
// at other boards. The new tile of a board is ringed; lost boards are pale. What was
// left out is said at the board it belongs to and below the picture.
//
// # JSON
//
// One object on one line:
//
//	board, player, move, unit, plies, nodes, source   as best --json has them
//	depth         the player's moves shown
//	boards        how many boards are in it
//	omitted       {"beyond_width", "beyond_boards"}: spawns and moves that were not captured
//	tree          the root
//
// and each board of the tree, with the keys that apply to it:
//
//	board         rows of tile values
//	score         the game's score there
//	turn          whose turn it is: player, chance or opponent
//	value, lost   of the step that led here; value is null when it is minus infinity
//	              (lost), or not known
//	leaf          the search asked its evaluator here and looked no further
//	terminal      there is no legal move
//	pruned        the beam did not keep it, or expectimax's margin left out the move
//	move, reward  the move that led here
//	spawn         the tile that came: {"row", "col", "tile"}, counted from 0
//	probability   of that tile; not for an opponent's
//	best          the player, or the opponent, would choose this step
//	chosen        on the chosen line
//	children      what may follow
//	omitted_children  how many more may follow
package draw
