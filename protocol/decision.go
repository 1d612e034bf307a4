package protocol

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Unit is the unit of the values of a decision or a tree.
type Unit string

const (
	Points    Unit = "points"    // expected points until the end of the game
	Chance    Unit = "chance"    // probability to make the goal
	Heuristic Unit = "heuristic" // no scale; comparable only with each other
)

// Share is a proportion of games with its confidence interval.
type Share struct {
	Games int            `json:"-"`     // how many they are
	Share stats.Figure   `json:"share"` // 0 to 1; null without games
	CI    stats.Interval `json:"ci95"`
}

// Decision is the result of analyze: a player's move on a board and its values.
type Decision struct {
	Board     board.Board      `json:"board"`
	Player    string           `json:"player"` // a spec
	Move      *board.Direction `json:"move"`   // null if no move is legal
	Moves     MoveValues       `json:"moves"`
	Unit      Unit             `json:"unit"`
	Plies     int              `json:"plies"`      // search depth, in moves of the player
	Nodes     int64            `json:"nodes"`      // boards evaluated or expanded
	ElapsedMS float64          `json:"elapsed_ms"` // milliseconds
	Source    string           `json:"source"`     // search, foresight (a search with future spawns), exact, reward, random or bot
}

// MoveValues are the values of the four moves.
type MoveValues struct {
	Up    MoveValue `json:"up"`
	Right MoveValue `json:"right"`
	Down  MoveValue `json:"down"`
	Left  MoveValue `json:"left"`
}

// MoveValue is what a player expects of one move.
type MoveValue struct {
	Legal bool     `json:"legal"`
	Value *float64 `json:"value"`           // null if the move is illegal, lost or not valued
	Lost  bool     `json:"lost"`            // every spawn sequence after the move loses
	Loss  *float64 `json:"loss"`            // value of the best move minus this one; null if unknown
	Bound bool     `json:"bound,omitempty"` // value is only an upper bound
	// The share of what is at stake that the move gives away, 0 to 1, and its class, as in a review.
	LossShare *float64  `json:"loss_share,omitempty"`
	Class     MoveClass `json:"class,omitempty"` // missing where the values have no scale
}

// Reasons is the result of explain: a decision and its explanation.
type Reasons struct {
	Decision
	Why RolloutReasons `json:"why"`
}

// RolloutReasons is the explanation of a decision. A rollout is a game played on after a move.
type RolloutReasons struct {
	Rollouts      int                             `json:"rollouts"`            // from each move
	RolloutLimits string                          `json:"rollouts_limited_to"` // limits of the rollouts' faster player; empty: none
	Horizon       int                             `json:"horizon_moves"`       // moves within which game_over counts
	ReachHorizon  int                             `json:"reach_horizon_moves"` // moves within which reach counts; 0: no limit
	NextTile      int64                           `json:"next_tile"`           // twice the largest tile
	Moves         map[board.Direction]MoveReasons `json:"moves"`               // legal moves only
	Line          []LineStep                      `json:"line"`                // the expected line, best move first
}

// MoveReasons are the statistics of one move.
type MoveReasons struct {
	Reach    Share  `json:"reach"`                    // rollouts that made next_tile
	GameOver Share  `json:"game_over"`                // rollouts that ended within the horizon
	Terms    []Term `json:"terms" ts:"Term[] | null"` // of the evaluator's value after the move; null without an evaluator
}

// Term is a named part of an evaluator's value; the terms add up to the value.
type Term struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // weighted
}

// LineStep is a move of the expected line.
type LineStep struct {
	Move  board.Direction `json:"move"`
	Board board.Board     `json:"board"` // after the move and the expected spawn
}

// Tree is the result of tree with format json: a part of a search tree.
type Tree struct {
	Board   board.Board      `json:"board"`
	Player  string           `json:"player"` // a spec
	Move    *board.Direction `json:"move"`   // null if no move is legal
	Unit    Unit             `json:"unit"`
	Plies   int              `json:"plies"` // depth of the search
	Nodes   int64            `json:"nodes"` // boards evaluated or expanded
	Source  string           `json:"source"`
	Depth   int              `json:"depth"`  // depth of this tree, in plies
	Boards  int              `json:"boards"` // number of boards in this tree
	Omitted Omitted          `json:"omitted"`
	Tree    *TreeNode        `json:"tree" ts:"TreeNode"`
}

// Omitted counts boards of the search that are missing in the tree.
type Omitted struct {
	BeyondWidth  int `json:"beyond_width"`  // spawns beyond the width
	BeyondBoards int `json:"beyond_boards"` // beyond the number of boards
}

// Turn is the kind of a tree node's children.
type Turn string

const (
	TurnPlayer   Turn = "player"
	TurnChance   Turn = "chance"   // a random spawn
	TurnOpponent Turn = "opponent" // the worst spawn
)

// TreeNode is a board of a tree, with the move and the spawn that led to it.
type TreeNode struct {
	Board           board.Board      `json:"board"`
	Score           int64            `json:"score"`
	Turn            Turn             `json:"turn"`
	Value           *float64         `json:"value"` // null if lost, dropped or not valued
	Lost            bool             `json:"lost"`
	Leaf            bool             `json:"leaf,omitempty"`     // the evaluator's value
	Terminal        bool             `json:"terminal,omitempty"` // no move is legal
	Pruned          bool             `json:"pruned,omitempty"`   // not searched: outside the beam
	Move            *board.Direction `json:"move,omitempty"`
	Reward          *int64           `json:"reward,omitempty"`
	Spawn           *SpawnAt         `json:"spawn,omitempty"`
	Probability     float64          `json:"probability,omitempty"` // of the spawn
	Best            bool             `json:"best,omitempty"`        // the best of its siblings
	Chosen          bool             `json:"chosen,omitempty"`      // on the principal variation
	Children        []*TreeNode      `json:"children,omitempty"`
	OmittedChildren int              `json:"omitted_children,omitempty"` // children missing in the tree
}

// SpawnAt is a new tile; row and column start at 0.
type SpawnAt struct {
	Row  int   `json:"row"`
	Col  int   `json:"col"`
	Tile int64 `json:"tile"`
}
