package draw

import (
	"encoding/json"
	"io"
	"math"

	"github.com/afterstate2048/afterstate/protocol"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/search"
)

// WriteJSON writes the tree as one object on one line.
func (p *Picture) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(p.Wire())
}

// Wire returns the tree as a protocol message.
func (p *Picture) Wire() protocol.Tree {
	t := p.Tree
	out := protocol.Tree{
		Board: t.Root.Board, Player: p.Player, Unit: protocol.Unit(p.Unit), Plies: t.Plies, Nodes: t.Nodes, Source: p.Source,
		Depth: t.Depth, Boards: t.Boards, Omitted: protocol.Omitted{BeyondWidth: t.BeyondWidth, BeyondBoards: t.BeyondBoards}, Tree: wireNode(t.Root),
	}
	if t.OK {
		out.Move = &t.Move
	}
	return out
}

func wireNode(n *search.TreeNode) *protocol.TreeNode {
	j := &protocol.TreeNode{
		Board: n.Board, Score: n.Score, Turn: protocol.Turn(n.Turn.String()), Lost: n.Lost(),
		Leaf: n.Leaf, Terminal: n.Terminal, Pruned: n.Pruned, Best: n.Best, Chosen: n.Chosen,
		Probability: n.Probability, OmittedChildren: n.OmittedChildren,
	}
	if !math.IsNaN(n.Value) && !math.IsInf(n.Value, 0) {
		j.Value = &n.Value
	}
	if n.ByMove {
		j.Move, j.Reward = &n.Move, &n.Reward
	}
	if e := n.Spawn.Exponent; e != 0 {
		cols := n.Board.Size().Cols
		j.Spawn = &protocol.SpawnAt{Row: n.Spawn.Cell / cols, Col: n.Spawn.Cell % cols, Tile: board.Tile(e)}
	}
	for _, c := range n.Children {
		j.Children = append(j.Children, wireNode(c))
	}
	return j
}
