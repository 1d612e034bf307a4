package draw

import (
	"encoding/json"
	"io"
	"math"

	"afterstate/board"
	"afterstate/eval"
	"afterstate/search"
)

type jsonTree struct {
	Board   board.Board      `json:"board"`
	Player  string           `json:"player"`
	Move    *board.Direction `json:"move"`
	Unit    eval.Unit        `json:"unit"`
	Plies   int              `json:"plies"`
	Nodes   int64            `json:"nodes"`
	Source  string           `json:"source"`
	Depth   int              `json:"depth"`
	Boards  int              `json:"boards"`
	LeftOut jsonLeftOut      `json:"left_out"`
	Tree    *jsonNode        `json:"tree"`
}

type jsonLeftOut struct {
	BeyondWidth int `json:"beyond_width"`
	NoRoom      int `json:"no_room"`
}

type jsonNode struct {
	Board       board.Board      `json:"board"`
	Score       int64            `json:"score"`
	Turn        string           `json:"turn"`
	Value       *float64         `json:"value"`
	Lost        bool             `json:"lost"`
	Leaf        bool             `json:"leaf,omitempty"`
	Dead        bool             `json:"dead,omitempty"`
	Dropped     bool             `json:"dropped,omitempty"`
	Move        *board.Direction `json:"move,omitempty"`
	Reward      *int64           `json:"reward,omitempty"`
	Spawn       *jsonSpawn       `json:"spawn,omitempty"`
	Probability float64          `json:"probability,omitempty"`
	Best        bool             `json:"best,omitempty"`
	Chosen      bool             `json:"chosen,omitempty"`
	Children    []*jsonNode      `json:"children,omitempty"`
	Hidden      int              `json:"hidden,omitempty"`
}

type jsonSpawn struct {
	Row  int   `json:"row"`
	Col  int   `json:"col"`
	Tile int64 `json:"tile"`
}

// WriteJSON writes the tree as one object on one line.
func (p *Picture) WriteJSON(w io.Writer) error {
	t := p.Tree
	out := jsonTree{
		Board: t.Root.Board, Player: p.Player, Unit: p.Unit, Plies: t.Plies, Nodes: t.Nodes, Source: p.Source,
		Depth: t.Depth, Boards: t.Boards, LeftOut: jsonLeftOut{t.BeyondWidth, t.NoRoom}, Tree: toJSON(t.Root),
	}
	if t.OK {
		out.Move = &t.Move
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func toJSON(n *search.TreeNode) *jsonNode {
	j := &jsonNode{
		Board: n.Board, Score: n.Score, Turn: n.Turn.String(), Lost: n.Lost(),
		Leaf: n.Leaf, Dead: n.Dead, Dropped: n.Dropped, Best: n.Best, Chosen: n.Chosen,
		Probability: n.Probability, Hidden: n.Hidden,
	}
	if !math.IsNaN(n.Value) && !math.IsInf(n.Value, 0) {
		j.Value = &n.Value
	}
	if n.ByMove {
		j.Move, j.Reward = &n.Move, &n.Reward
	}
	if e := n.Spawn.Exponent; e != 0 {
		cols := n.Board.Size().Cols
		j.Spawn = &jsonSpawn{n.Spawn.Cell / cols, n.Spawn.Cell % cols, board.Tile(e)}
	}
	for _, c := range n.Children {
		j.Children = append(j.Children, toJSON(c))
	}
	return j
}
