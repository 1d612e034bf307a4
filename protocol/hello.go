package protocol

import (
	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Protocol is the version of this protocol. It changes only if messages become incompatible with older programs.
const Protocol = 1

// Methods that this package or a client in Go uses. Package session contains the table of all methods, and
// docs/api.md and docs/protocol.md describe them.
const (
	MethodHello      = "hello"
	MethodBestMove   = "best_move"
	MethodBye        = "bye"
	MethodPicture    = "picture.read"
	MethodReviewRead = "review.read"
	MethodFootage    = "review.footage"
	MethodFrame      = "watch.frame" // a notification, like MethodLoading
	MethodLoading    = "loading"
)

// Hello identifies a program. It holds the parameters of the method hello, which are all optional,
// and is also the method's result. Size is a parameter only.
type Hello struct {
	Name     string `json:"name" param:"answer"`
	Version  string `json:"version,omitempty" param:""`
	Protocol int    `json:"protocol" param:"answer" range:"0:2^31-1" default:"1"`
	// Sizes lists the supported board sizes. Empty means all.
	Sizes []board.Size `json:"sizes,omitempty" param:"" items:"0:25" want:"an array of sizes such as [\"4x4\",\"5x5\"]"`
	// WantsSeed requests the fields Seed and Game in BestMove.
	WantsSeed bool `json:"wants_seed,omitempty" param:""`
	// Size is the size of the boards that will follow, so that the player can load its data before
	// it answers. Zero means unknown.
	Size board.Size `json:"size,omitzero" param:"asked"`
}

// Players is the result of the method players.list.
type Players struct {
	Players    []PlayerInfo    `json:"players"`
	Evaluators []EvaluatorInfo `json:"evaluators"`
	SpawnRules []SpawnRuleInfo `json:"spawn_rules"`
}

// PlayerInfo describes a player that can be named in specs.
type PlayerInfo struct {
	Name    string    `json:"name"`
	Spec    string    `json:"spec"`    // the spec of a preset; otherwise the name itself
	Keys    []KeyInfo `json:"keys"`    // the keys it accepts
	Origin  string    `json:"origin"`  // the program that the player's algorithm comes from, or ""
	Summary string    `json:"summary"` // a short description, a colon, and details
}

// KeyInfo describes a key of a spec, as in name(key=value).
type KeyInfo struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`             // unit of the value, such as plies or bytes; "" if it has none
	Range   string   `json:"range"`            // the accepted values, in words
	Values  []string `json:"values,omitempty"` // the accepted words, if the set is fixed
	Default string   `json:"default"`          // the default: a value, or a description
	Help    string   `json:"help"`
}

// EvaluatorInfo describes an evaluator: a value of the key eval in specs.
type EvaluatorInfo struct {
	Name    string    `json:"name"`
	Formula string    `json:"formula"`
	Origin  string    `json:"origin"`
	Unit    string    `json:"unit"` // unit of the values: points or heuristic
	Keys    []KeyInfo `json:"keys"` // the weights that specs can set, as in lines(empty=300)
}

// SpawnRuleInfo describes a spawn rule that can be named in specs.
type SpawnRuleInfo struct {
	Name    string    `json:"name"`
	Keys    []KeyInfo `json:"keys"`
	Summary string    `json:"summary"`
}

// Inspect holds the parameters of the method rules.inspect.
type Inspect struct {
	Board   board.Board `json:"board" param:"required"`
	Motions bool        `json:"motions,omitempty" param:""` // the result includes the path of each tile
}

// Inspection is the result of the method rules.inspect: the rules applied to a board. The command
// "inspect" prints it too.
type Inspection struct {
	Board board.Board `json:"board"`
	Moves Slides      `json:"moves"`
	Over  bool        `json:"over"`
}

// Slides contains the results of the four slides of a board.
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
	// Motions contains the paths of the tiles, if they were requested and the slide moves
	// something.
	Motions []board.Motion `json:"motions,omitempty"`
}

// Analyze holds the parameters of the method analyze, whose result is a [Decision].
type Analyze struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"" range:"0:2^62"`
	Player string      `json:"player,omitempty" param:""` // a spec; empty: the server's default
	// Level requests MoveValue.Level for each move, on 4x4. A level is a reference player that plays like a person
	// with this mean score.
	Level string `json:"level,omitempty" param:"" range:"400|1000|3000|8000|20000|50000|60000|150000|strong"`
}

// BestMove holds the parameters of the method best_move.
type BestMove struct {
	Board board.Board `json:"board" param:"required"`
	Score int64       `json:"score" param:"" range:"0:2^62"`
	// Legal lists the moves that change the board, for bots that do not implement the rules. A player may ignore Legal
	// and the fields below.
	Legal []board.Direction `json:"legal,omitempty" param:"" items:"0:4" want:"an array of directions such as [\"up\",\"left\"]"`
	// Turn is 1 in the first request of a game, then 2, 3 and so on.
	Turn   int     `json:"turn,omitempty" param:"" range:"1:2^31-1"`
	TimeMS float64 `json:"time_ms,omitempty" param:"" range:"0.001:3600000"` // time limit; 0: none
	Player string  `json:"player,omitempty" param:""`                        // a spec; empty: the server's default
	// Seed and Game identify the game; see Hello.WantsSeed.
	Seed *uint64 `json:"seed,omitempty" param:""`
	Game *uint64 `json:"game,omitempty" param:""`
}

// MoveReply is the result of the method best_move.
type MoveReply struct {
	Move *board.Direction `json:"move" param:"required" want:"up, right, down or left"` // nil, in JSON null, if there is no legal move
}

// Bye is the result of the method bye: an empty object.
type Bye struct{}

// Unit is the unit of the values of a decision or a tree.
type Unit string

const (
	Points    Unit = "points"    // expected points until the end of the game
	Chance    Unit = "chance"    // probability to make the goal
	Heuristic Unit = "heuristic" // arbitrary scale; such values can only be compared with each other
)

// Share is a proportion of games with its confidence interval.
type Share struct {
	Games int            `json:"-"`     // number of games
	Share stats.Figure   `json:"share"` // from 0 to 1; null without games
	CI    stats.Interval `json:"ci95"`
}

// Decision is the result of the method analyze: a player's move on a board and its values.
type Decision struct {
	Board     board.Board      `json:"board"`
	Player    string           `json:"player"` // spec of the player
	Move      *board.Direction `json:"move"`   // null if no move is legal
	Moves     MoveValues       `json:"moves"`
	Unit      Unit             `json:"unit"`
	Plies     int              `json:"plies"`      // search depth, in moves of the player
	Nodes     int64            `json:"nodes"`      // number of boards evaluated or expanded
	ElapsedMS float64          `json:"elapsed_ms"` // milliseconds
	// Source is the origin of the values: search, foresight (a search with future spawns), exact, reward, playouts,
	// random or bot.
	Source string `json:"source"`
}

// MoveValues are the values of the four moves.
type MoveValues struct {
	Up    MoveValue `json:"up"`
	Right MoveValue `json:"right"`
	Down  MoveValue `json:"down"`
	Left  MoveValue `json:"left"`
}

// MoveValue is a player's evaluation of one move.
type MoveValue struct {
	Legal bool     `json:"legal"`
	Value *float64 `json:"value"` // null if the move is illegal or lost, or if its value is unknown
	// Lost means that some sequence of spawns within the search depth ends the game whatever the player does or, if the
	// player knows the future spawns, that the game ends.
	Lost  bool     `json:"lost"`
	Loss  *float64 `json:"loss"`            // value of the best move minus the value of this move; null if unknown
	Bound bool     `json:"bound,omitempty"` // value is only an upper bound
	// LossShare is the loss as a share of the stake, as in a review (see MoveReview.Loss): at most 1. If a level
	// judges, random errors may make it less than 0.
	LossShare *float64  `json:"loss_share,omitempty"`
	Class     MoveClass `json:"class,omitempty"` // as in a review; absent if the stake is unknown
	// Level contains the points that the requested level is expected to score from this move on. It is missing if no
	// level was requested.
	Level *LevelPoints `json:"level,omitempty"`
}

// LevelPoints is the mean number of points that a level (a reference player) scores in playouts that begin with this
// move.
type LevelPoints struct {
	Points float64        `json:"points"`
	CI     stats.Interval `json:"ci95"`
}

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
	Board           board.Board      `json:"board" param:"bot"`
	Score           int64            `json:"score" param:"bot" range:"0:2^62"`
	Turn            Turn             `json:"turn" param:"bot" range:"player|chance|opponent"`
	Value           *float64         `json:"value" param:"bot" want:"a number or null"` // null if the board is lost or pruned, or if its value is unknown
	Lost            bool             `json:"lost" param:"bot"`
	Leaf            bool             `json:"leaf,omitempty" param:""`     // the value comes from the evaluator
	Terminal        bool             `json:"terminal,omitempty" param:""` // no move is legal
	Pruned          bool             `json:"pruned,omitempty" param:""`   // not searched: dropped by prune_margin
	Move            *board.Direction `json:"move,omitempty" param:"" want:"up, right, down or left"`
	Reward          *int64           `json:"reward,omitempty" param:"" range:"0:2^62"`
	Spawn           *SpawnAt         `json:"spawn,omitempty" param:""`
	Probability     float64          `json:"probability,omitempty" param:"" range:"0:1"` // probability of the spawn
	Best            bool             `json:"best,omitempty" param:""`                    // the best among its siblings
	Chosen          bool             `json:"chosen,omitempty" param:""`                  // on the principal variation
	Children        treeNodes        `json:"children,omitempty" param:"" ts:"TreeNode[]"`
	OmittedChildren int              `json:"omitted_children,omitempty" param:"" range:"0:72"` // number of children missing from the tree
}

// SpawnAt is a new tile; row and column start at 0.
type SpawnAt struct {
	Row  int   `json:"row" param:"required" range:"0:5"`
	Col  int   `json:"col" param:"required" range:"0:5"`
	Tile int64 `json:"tile" param:"required" range:"tile:2:4" want:"2 or 4"`
}
