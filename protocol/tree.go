package protocol

import (
	"encoding/json"
	"fmt"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Tree is the result of the method tree if the format is json: a part of a search tree.
type Tree struct {
	Board   board.Board      `json:"board"`
	Player  string           `json:"player"` // spec of the player
	Move    *board.Direction `json:"move"`   // null if no move is legal
	Unit    Unit             `json:"unit"`
	Plies   int              `json:"plies"` // depth of the search
	Nodes   int64            `json:"nodes"` // number of boards evaluated or expanded
	Source  string           `json:"source"`
	Depth   int              `json:"depth"`  // depth of this tree, in plies
	Boards  int              `json:"boards"` // number of boards in this tree
	Omitted Omitted          `json:"omitted"`
	Tree    *TreeNode        `json:"tree" ts:"TreeNode"`
}

// Omitted counts the boards of the search that the tree leaves out.
type Omitted struct {
	BeyondWidth  int `json:"beyond_width"`  // boards after spawns beyond the requested width
	BeyondBoards int `json:"beyond_boards"` // boards beyond the requested number
}

// Turn says what comes next on a board of a search tree: a move of the player or a spawn.
type Turn string

const (
	TurnPlayer   Turn = "player"
	TurnChance   Turn = "chance"   // a random spawn follows
	TurnOpponent Turn = "opponent" // the worst spawn follows
)

// TreeNode is a board of a tree, with the move and the spawn that led to it.
type TreeNode struct {
	Board           board.Board      `json:"board" param:""`
	Score           int64            `json:"score" param:"" range:"0:2^62"`
	Turn            Turn             `json:"turn" param:"" range:"player|chance|opponent"`
	Value           *float64         `json:"value" param:"nullable" want:"a number or null"` // null if the board is lost or pruned, or if its value is unknown
	Lost            bool             `json:"lost" param:""`
	Leaf            bool             `json:"leaf,omitempty" param:""`     // the value comes from the evaluator
	Terminal        bool             `json:"terminal,omitempty" param:""` // no move is legal
	Pruned          bool             `json:"pruned,omitempty" param:""`   // not searched: dropped by prune_margin
	Move            *board.Direction `json:"move,omitempty" param:"" want:"up, right, down or left"`
	Reward          *int64           `json:"reward,omitempty" param:"" range:"0:2^62"`
	Spawn           *SpawnAt         `json:"spawn,omitempty" param:""`
	Probability     float64          `json:"probability,omitempty" param:"" range:"0:1"` // probability of the spawn
	Best            bool             `json:"best,omitempty" param:""`                    // the best among its siblings
	Chosen          bool             `json:"chosen,omitempty" param:""`                  // on the principal variation
	Children        TreeNodes        `json:"children,omitempty" param:"" ts:"TreeNode[]"`
	OmittedChildren int              `json:"omitted_children,omitempty" param:"" range:"0:72"` // number of children missing from the tree
}

// UnmarshalJSON reads a node of a bot's tree. The members may be missing, but not unknown.
func (n *TreeNode) UnmarshalJSON(node []byte) error { return readMember(node, n) }

// TreeNodes are the boards that may follow a board of a tree.
type TreeNodes []*TreeNode

// UnmarshalJSON reads an array of nodes. An error begins with the index of the node, counted from 0.
func (n *TreeNodes) UnmarshalJSON(array []byte) error {
	var nodes []json.RawMessage
	if json.Unmarshal(array, &nodes) != nil {
		return fmt.Errorf("%s: must be an array of boards", kind(array))
	}
	for i, text := range nodes {
		node := new(TreeNode)
		if err := node.UnmarshalJSON(text); err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
		*n = append(*n, node)
	}
	return nil
}

// SpawnAt is a new tile; row and column start at 0.
type SpawnAt struct {
	Row  int   `json:"row" param:"required" range:"0:5"`
	Col  int   `json:"col" param:"required" range:"0:5"`
	Tile int64 `json:"tile" param:"required" range:"tile:2:4" want:"2 or 4"`
}

// UnmarshalJSON reads the spawn of a node of a bot's tree.
func (s *SpawnAt) UnmarshalJSON(spawn []byte) error { return readMember(spawn, s) }

// readMember reads an object that is a member of another one.
func readMember(object []byte, into any) error {
	if object[0] != '{' {
		return fmt.Errorf("%s: must be an object", kind(object))
	}
	return readKnown(object, into, "member")
}
