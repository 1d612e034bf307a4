package protocol

import "github.com/afterstate2048/afterstate/rules/board"

// Solve is the params of solve.
type Solve struct {
	Size  board.Size `json:"size" param:"required"`
	Goal  int64      `json:"goal,omitempty" param:"tile"`                                                                   // tile to make; 0: the score
	Spawn string     `json:"spawn,omitempty" param:"of=random|adversary|friendly" ts:"'random' | 'adversary' | 'friendly'"` // empty: random
	P4    *float64   `json:"p4,omitempty" param:"max=1"`                                                                    // probability of a 4; absent: 0.1
}

// Solution is the result of solve.
type Solution struct {
	Size          board.Size `json:"size"`
	Spawn         string     `json:"spawn"`
	P4            *float64   `json:"p4"`     // null: spawns are not random
	States        int64      `json:"states"` // boards up to symmetry
	ExpectedScore *float64   `json:"expected_score,omitempty"`
	Goal          int64      `json:"goal,omitempty"`
	Probability   *float64   `json:"probability,omitempty"`
}

// States of a size in a SolveState.
const (
	SolveNone    = "none"     // the player has no use for a table of this size, or there is no cache
	SolveMissing = "unsolved" // solve.start makes the table
	SolveRunning = "solving"
	SolveDone    = "solved"
)

// SolveSize is the params of solve.start and solve.stop.
type SolveSize struct {
	Size board.Size `json:"size" param:"required"`
}

// ShowSolve is the params of solve.show.
type ShowSolve struct {
	SolveSize
	Player string `json:"player,omitempty" param:""` // a spec; empty: the server's default
}

// SolveState is the result of solve.show, solve.start and solve.stop.
type SolveState struct {
	Size    board.Size `json:"size"`
	State   string     `json:"state" ts:"'none' | 'unsolved' | 'solving' | 'solved'"`
	Allowed bool       `json:"allowed"`         // the server solves for clients
	TimeS   float64    `json:"time_s"`          // estimate for two idle cores
	Bytes   int64      `json:"bytes"`           // estimate of the table on disk
	Done    float64    `json:"done"`            // share of the work
	LeftS   *float64   `json:"left_s"`          // estimate; null while unknown
	Error   string     `json:"error,omitempty"` // why the last attempt failed
}
