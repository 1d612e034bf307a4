package wire

import "afterstate/board"

// Methods of small boards that can be solved. MethodSolve is for sessions of one client, whom it
// answers when the table is there; servers have the others.
const (
	MethodSolve      = "solve"
	MethodSolveShow  = "solve.show"
	MethodSolveStart = "solve.start"
	MethodSolveStop  = "solve.stop"
)

// Solve is the params of solve.
type Solve struct {
	Size  board.Size `json:"size"`
	Goal  int64      `json:"goal,omitempty"`                                           // tile to make; 0: the score
	Spawn string     `json:"spawn,omitempty" ts:"'random' | 'adversary' | 'friendly'"` // empty: random
	P4    *float64   `json:"p4,omitempty"`                                             // probability of a 4; absent: 0.1
}

// ReadParams reads the params of solve.
func (p *Solve) ReadParams(params []byte) error {
	var p4 float64
	return readParams(MethodSolve, params,
		field{"size", required, readSize(&p.Size)},
		field{"goal", optional, readTile(&p.Goal)},
		field{"spawn", optional, readChoice(&p.Spawn, "random", "adversary", "friendly")},
		field{"p4", optional, func(value []byte) error { p.P4 = &p4; return readNumber(&p4, 0, 1)(value) }},
	)
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

// SolveSize is the params of solve.show, and without a player those of solve.start and solve.stop.
type SolveSize struct {
	Size   board.Size `json:"size"`
	Player string     `json:"player,omitempty"` // a spec; empty: the server's default
}

// ReadParams reads the params of one of the methods.
func (p *SolveSize) ReadParams(method string, params []byte) error {
	fields := []field{{"size", required, readSize(&p.Size)}}
	if method == MethodSolveShow {
		fields = append(fields, field{"player", optional, readString(&p.Player)})
	}
	return readParams(method, params, fields...)
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
