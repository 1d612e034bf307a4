package protocol

import (
	"github.com/afterstate2048/afterstate/rules/board"
)

// Protocol is the version of this protocol. It changes when older programs would no longer be
// understood.
const Protocol = 1

// Methods that this package or a client in Go names. Package session has the table of all, and docs/api.md and
// docs/protocol.md describe them.
const (
	MethodHello      = "hello"
	MethodBestMove   = "best_move"
	MethodBye        = "bye"
	MethodPicture    = "picture.read"
	MethodReviewRead = "review.read"
	MethodFrame      = "watch.frame" // a notification, as the next one
	MethodLoading    = "loading"
)

// Hello identifies a program: the params of hello, all of them optional, and its result. Size is a
// param only.
type Hello struct {
	Name      string       `json:"name" param:"answer"`
	Version   string       `json:"version,omitempty" param:""`
	Protocol  int          `json:"protocol" param:"answer,max=2^31-1,default=1"`
	Sizes     []board.Size `json:"sizes,omitempty" param:""`      // board sizes that are supported; empty: all
	WantsSeed bool         `json:"wants_seed,omitempty" param:""` // best_move should include seed and game
	// Size is the size of the boards to come, so that the player can load its data before it
	// answers. Zero: unknown.
	Size board.Size `json:"size,omitzero" param:"asked"`
}

// Players is the result of players.list.
type Players struct {
	Players    []PlayerInfo    `json:"players"`
	Evaluators []EvaluatorInfo `json:"evaluators"`
	SpawnRules []SpawnRuleInfo `json:"spawn_rules"`
}

// PlayerInfo describes a name for specs.
type PlayerInfo struct {
	Name    string    `json:"name"`
	Spec    string    `json:"spec"`    // the spec of a preset; otherwise the name itself
	Keys    []KeyInfo `json:"keys"`    // the keys it accepts
	Origin  string    `json:"origin"`  // the program it comes from, or ""
	Summary string    `json:"summary"` // a few words, a colon and the details
}

// KeyInfo describes a key of a spec, as in name(key=value).
type KeyInfo struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`             // of the value, such as plies or bytes; "" where it has none
	Range   string   `json:"range"`            // the accepted values, in words
	Values  []string `json:"values,omitempty"` // the accepted words, if the set is fixed
	Default string   `json:"default"`          // the default: a value, or a description
	Help    string   `json:"help"`
}

// EvaluatorInfo describes a value of the key eval.
type EvaluatorInfo struct {
	Name    string    `json:"name"`
	Formula string    `json:"formula"`
	Origin  string    `json:"origin"`
	Unit    string    `json:"unit"` // unit of its values: points or heuristic
	Keys    []KeyInfo `json:"keys"` // the weights it accepts, as in lines(empty=300)
}

// SpawnRuleInfo describes a name for spawn rules.
type SpawnRuleInfo struct {
	Name    string    `json:"name"`
	Keys    []KeyInfo `json:"keys"`
	Summary string    `json:"summary"`
}

// Inspect is the params of rules.inspect.
type Inspect struct {
	Board   board.Board `json:"board" param:"required"`
	Motions bool        `json:"motions,omitempty" param:""` // add the path of each tile to each slide
}

// Inspection is the result of rules.inspect: the rules applied to a board. The command inspect
// prints it too.
type Inspection struct {
	Board board.Board `json:"board"`
	Moves Slides      `json:"moves"`
	Over  bool        `json:"over"`
}

// Slides are the results of the four slides of a board.
type Slides struct {
	Up    Slide `json:"up"`
	Right Slide `json:"right"`
	Down  Slide `json:"down"`
	Left  Slide `json:"left"`
}

// Slide is the result of one slide.
type Slide struct {
	Moved  bool        `json:"moved"`
	Reward int64       `json:"reward"`
	After  board.Board `json:"after"`
	// Motions are the paths of the tiles, if they were requested and the slide moves something.
	Motions []board.Motion `json:"motions,omitempty"`
}

// Analyze is the params of analyze; a [Decision] is its result.
type Analyze struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"max=2^62"`
	Player string      `json:"player,omitempty" param:""` // a spec; empty: the server's default
}

// BestMove is the params of best_move.
type BestMove struct {
	Board board.Board `json:"board" param:"required"`
	Score int64       `json:"score" param:"max=2^62"`
	// Legal are the moves that change the board, for bots that do not implement the rules. A player
	// may ignore it and the fields below.
	Legal  []board.Direction `json:"legal,omitempty" param:""`
	Turn   int               `json:"turn,omitempty" param:"min=1,max=2^31-1"`         // 1, 2, 3 and so on; 1 begins a game
	TimeMS float64           `json:"time_ms,omitempty" param:"min=0.001,max=3600000"` // time limit; 0: none
	Player string            `json:"player,omitempty" param:""`                       // a spec; empty: the server's default
	// Seed and Game identify the game; see Hello.WantsSeed.
	Seed *uint64 `json:"seed,omitempty" param:""`
	Game *uint64 `json:"game,omitempty" param:""`
}

// MoveReply is the result of best_move.
type MoveReply struct {
	Move *board.Direction `json:"move" param:"required"` // nil, in JSON null, if there is no legal move
}

// Bye is the result of bye, an empty object.
type Bye struct{}
