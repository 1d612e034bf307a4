package protocol

import (
	"encoding/json"
	"fmt"

	"github.com/afterstate2048/afterstate/rules/board"
)

// BotReply is the result of the method best_move of a bot: a move, and what the bot's decision has besides.
type BotReply struct {
	MoveReply
	// Values contains the value of each legal move, nil if it is unknown.
	Values map[board.Direction]*float64 `json:"values,omitempty" param:"" want:"an object with a number for each legal move, such as {\"up\":1.5,\"left\":2}"`
	Unit   Unit                         `json:"unit,omitempty" param:"" range:"points|heuristic"` // unit of the values; empty: heuristic
	Depth  int                          `json:"depth,omitempty" param:"" range:"0:1000"`          // search depth, in moves of the player
	Nodes  int64                        `json:"nodes,omitempty" param:"" range:"0:2^62"`          // number of boards evaluated or expanded
	Tree   *TreeNode                    `json:"tree,omitempty" param:""`                          // the root of the search tree
}

// UnmarshalJSON reads a node of a bot's tree. The members may be missing, but not unknown.
func (n *TreeNode) UnmarshalJSON(node []byte) error { return readMember(node, n) }

// treeNodes are the boards that may follow a board of a tree.
type treeNodes []*TreeNode

// UnmarshalJSON reads an array of nodes. An error begins with the index of the node, counted from 0.
func (n *treeNodes) UnmarshalJSON(array []byte) error {
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

// UnmarshalJSON reads the spawn of a node of a bot's tree.
func (s *SpawnAt) UnmarshalJSON(spawn []byte) error { return readMember(spawn, s) }

// readMember reads an object that is a member of another one.
func readMember(object []byte, into any) error {
	if object[0] != '{' {
		return fmt.Errorf("%s: must be an object", kind(object))
	}
	return readKnown(object, into, "member")
}
