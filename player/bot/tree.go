package bot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/afterstate2048/afterstate/eval"
	"github.com/afterstate2048/afterstate/player"
	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/search"
)

// understand copies the values, their unit, the depth and the nodes from the program's answer to a decision. If the
// answer has a search tree, understand returns its root, otherwise nil. An error starts with the field of the answer
// that is wrong, such as "values: left".
func understand(d *player.Decision, q *search.Query, answer *protocol.BotReply) (root *search.TreeNode, err error) {
	d.Plies, d.Nodes, d.Unit = answer.Depth, answer.Nodes, eval.Unit(cmp.Or(answer.Unit, protocol.Heuristic))
	for dir := range d.Moves {
		dir, m := board.Direction(dir), &d.Moves[dir]
		v, given := answer.Values[dir]
		switch {
		case v != nil && !m.Legal:
			return nil, fmt.Errorf("values: %v %v: must be null, since %v changes nothing on %v", dir, *v, dir, q.Board)
		case v != nil:
			m.Value = *v
		case m.Legal && !given && answer.Values != nil:
			return nil, fmt.Errorf("values: %v is missing: must be a number, or null if it is unknown", dir)
		}
	}
	if answer.Tree == nil {
		return nil, nil
	}
	root = &search.TreeNode{Position: q.Position, Turn: protocol.TurnPlayer}
	if err = follow(root, answer.Tree); err == nil {
		err = matchRoot(d, root, answer.Values != nil)
	}
	if err != nil {
		return nil, fmt.Errorf("tree: %w", err)
	}
	d.Plies = max(d.Plies, plies(root))
	return root, nil
}

// matchRoot compares the moves at the root of a tree with the decision. If the answer has no values, they are those at
// the root.
func matchRoot(d *player.Decision, root *search.TreeNode, valued bool) error {
	if !slices.ContainsFunc(root.Children, func(c *search.TreeNode) bool { return c.Move == d.Move }) {
		return fmt.Errorf("children: the move %v is missing, which is the answer", d.Move)
	}
	for i, c := range root.Children {
		m := &d.Moves[c.Move]
		if !valued {
			m.Value = c.Value
		}
		if c.Value != m.Value && !(math.IsNaN(c.Value) && math.IsNaN(m.Value)) {
			return fmt.Errorf("children: %d: value %v: must be the value of %v in values, %v", i, c.Value, c.Move, m.Value)
		}
	}
	return nil
}

// follow sets the fields of a node whose position and step are known, and makes the nodes below it, from a node of the
// program's tree.
func follow(n *search.TreeNode, given *protocol.TreeNode) error {
	if given.Board.Size() != (board.Size{}) && given.Board != n.Board {
		return fmt.Errorf("board %v: must be %v", given.Board, n.Board)
	}
	n.Value, n.Probability = math.NaN(), given.Probability
	n.Pruned, n.OmittedChildren = given.Pruned, given.OmittedChildren
	switch {
	case given.Lost:
		n.Value = math.Inf(-1)
	case given.Value != nil:
		n.Value = *given.Value
	}
	switch {
	case !n.ByMove && given.Turn != "" && given.Turn != protocol.TurnPlayer:
		return fmt.Errorf("turn %v: must be player", given.Turn)
	case n.ByMove && len(given.Children) > 0 && given.Children[0].Move != nil: // the program ignores new tiles
		n.Turn = cmp.Or(given.Turn, protocol.TurnPlayer)
	case n.ByMove:
		n.Turn = cmp.Or(given.Turn, protocol.TurnChance)
	}
	n.Terminal = n.Turn == protocol.TurnPlayer && n.Board.Terminal()
	for i, child := range given.Children {
		c, err := step(n, child)
		if err == nil {
			err = follow(c, child)
		}
		if err != nil {
			return fmt.Errorf("children: %d: %w", i, err)
		}
		n.Children = append(n.Children, c)
	}
	return nil
}

// step returns the node that a move or a spawn leads to.
func step(n *search.TreeNode, given *protocol.TreeNode) (*search.TreeNode, error) {
	c := &search.TreeNode{Position: n.Position, Turn: protocol.TurnPlayer}
	switch at := given.Spawn; {
	case n.Turn == protocol.TurnPlayer && given.Move != nil && at == nil:
		after, reward, moved := n.Board.Slide(*given.Move)
		if !moved {
			return nil, fmt.Errorf("move %v: must be a move that changes %v", *given.Move, n.Board)
		}
		c.ByMove, c.Move, c.Reward = true, *given.Move, reward
		c.Board, c.Score = after, n.Score+reward
	case n.Turn == protocol.TurnPlayer:
		return nil, errors.New("must have move and no spawn, since the player is to move")
	case at == nil || given.Move != nil:
		return nil, errors.New("must have spawn and no move, since a new tile comes")
	default:
		size := n.Board.Size()
		cell := at.Row*size.Cols + at.Col
		if at.Row >= size.Rows || at.Col >= size.Cols || n.Board.Cell(cell) != 0 {
			return nil, fmt.Errorf("spawn: row %d, col %d: must be an empty cell of %v", at.Row, at.Col, n.Board)
		}
		c.Spawn = game.Spawn{Cell: cell, Exponent: uint8(bits.Len64(uint64(at.Tile)) - 1)}
		c.Board.Set(cell, c.Spawn.Exponent)
	}
	same := func(other *search.TreeNode) bool { return other.Move == c.Move && other.Spawn == c.Spawn }
	if slices.ContainsFunc(n.Children, same) {
		return nil, errors.New("the step is given twice")
	}
	return c, nil
}

// plies returns the largest number of moves on a line below a node.
func plies(n *search.TreeNode) (depth int) {
	for _, c := range n.Children {
		below := plies(c)
		if c.ByMove {
			below++
		}
		depth = max(depth, below)
	}
	return depth
}
