package protocol

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Protocol is the version of this protocol. It changes when older programs would no longer be
// understood.
const Protocol = 1

// Methods that this package or a client in Go refers to. Package session has the table of all methods, and docs/api.md
// and docs/protocol.md describe them.
const (
	MethodHello      = "hello"
	MethodBestMove   = "best_move"
	MethodBye        = "bye"
	MethodPicture    = "picture.read"
	MethodReviewRead = "review.read"
	MethodFootage    = "review.footage"
	MethodFrame      = "watch.frame" // a notification, like loading
	MethodLoading    = "loading"
)

// Hello identifies a program: the params of hello, all of them optional, and its result. Size is a
// param only.
type Hello struct {
	Name      string       `json:"name" param:"answer"`
	Version   string       `json:"version,omitempty" param:""`
	Protocol  int          `json:"protocol" param:"answer" range:"0:2^31-1" default:"1"`
	Sizes     []board.Size `json:"sizes,omitempty" param:"" want:"an array of sizes such as [\"4x4\",\"5x5\"]"` // board sizes that are supported; empty: all
	WantsSeed bool         `json:"wants_seed,omitempty" param:""`                                               // best_move should include seed and game
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

// PlayerInfo describes a player by its name in specs.
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
	Unit    string   `json:"unit"`             // of the value, such as plies or bytes; "" if it has none
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

// SpawnRuleInfo describes a spawn rule by its name in specs.
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
	Score  int64       `json:"score,omitempty" param:"" range:"0:2^62"`
	Player string      `json:"player,omitempty" param:""` // a spec; empty: the server's default
	// Level requests MoveValue.Level for each move, on 4x4. A level is a reference player that plays like a person with
	// this mean score.
	Level string `json:"level,omitempty" param:"" range:"1000|3000|8000|20000|strong"`
}

// BestMove is the params of best_move.
type BestMove struct {
	Board board.Board `json:"board" param:"required"`
	Score int64       `json:"score" param:"" range:"0:2^62"`
	// Legal are the moves that change the board, for bots that do not implement the rules. A player
	// may ignore it and the fields below.
	Legal  []board.Direction `json:"legal,omitempty" param:"" want:"an array of directions such as [\"up\",\"left\"]"`
	Turn   int               `json:"turn,omitempty" param:"" range:"1:2^31-1"`         // 1, 2, 3 and so on; 1 begins a game
	TimeMS float64           `json:"time_ms,omitempty" param:"" range:"0.001:3600000"` // time limit; 0: none
	Player string            `json:"player,omitempty" param:""`                        // a spec; empty: the server's default
	// Seed and Game identify the game; see Hello.WantsSeed.
	Seed *uint64 `json:"seed,omitempty" param:""`
	Game *uint64 `json:"game,omitempty" param:""`
}

// MoveReply is the result of best_move.
type MoveReply struct {
	Move *board.Direction `json:"move" param:"required" want:"up, right, down or left"` // nil, in JSON null, if there is no legal move
}

// Bye is the result of bye, an empty object.
type Bye struct{}

// Unit is the unit of the values of a decision or a tree.
type Unit string

const (
	Points    Unit = "points"    // expected points until the end of the game
	Chance    Unit = "chance"    // probability to make the goal
	Heuristic Unit = "heuristic" // no scale; comparable only with each other
)

// Share is a proportion of games with its confidence interval.
type Share struct {
	Games int            `json:"-"`     // number of games
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
	// LossShare is the share of what is at stake that the move gives away, 0 to 1, as in a review.
	LossShare *float64  `json:"loss_share,omitempty"`
	Class     MoveClass `json:"class,omitempty"` // as in a review; missing if the values have no scale
	// Level has the points that the requested level still makes, including the reward of the move; missing without one.
	Level *LevelPoints `json:"level,omitempty"`
}

// LevelPoints is the mean number of points that a reference player still makes, in playouts after a move.
type LevelPoints struct {
	Points float64        `json:"points"`
	CI     stats.Interval `json:"ci95"`
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

// Omitted counts boards of the search that are missing from the tree.
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
	OmittedChildren int              `json:"omitted_children,omitempty"` // number of children missing from the tree
}

// SpawnAt is a new tile; row and column start at 0.
type SpawnAt struct {
	Row  int   `json:"row"`
	Col  int   `json:"col"`
	Tile int64 `json:"tile"`
}
