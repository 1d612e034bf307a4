package wire

import (
	"afterstate/board"
)

// Protocol is the version of this protocol. It changes when older programs would no longer be
// understood.
const Protocol = 1

// The methods.
const (
	MethodHello    = "hello"
	MethodPlayers  = "players.list"
	MethodInspect  = "rules.inspect"
	MethodAnalyze  = "analyze"
	MethodBestMove = "best_move"
	MethodBye      = "bye"
)

// Searches are the methods that run a search. Clients with several connections send them over one of
// their own.
var Searches = []string{
	MethodBestMove, MethodAnalyze, MethodExplain, MethodOdds, MethodSolve, MethodTree, MethodPicture, MethodReviewValues, MethodReviewReport,
}

// Methods lists the methods of a session.
var Methods = []string{MethodHello, MethodPlayers, MethodInspect, MethodAnalyze, MethodBestMove, MethodOdds, MethodSolve, MethodBye}

// Hello identifies a program: the params of hello, all of them optional, and its result. Size is a
// param only.
type Hello struct {
	Name      string       `json:"name"`
	Version   string       `json:"version,omitempty"`
	Protocol  int          `json:"protocol"`
	Sizes     []board.Size `json:"sizes,omitempty"`      // board sizes that are supported; empty: all
	WantsSeed bool         `json:"wants_seed,omitempty"` // best_move should include seed and game
	// Size is the size of the boards to come, so that the player can load its data before it
	// answers. Zero: unknown.
	Size board.Size `json:"size,omitzero"`
}

// ReadParams reads the params of hello.
func (h *Hello) ReadParams(params []byte) error {
	return readParams(MethodHello, params, append(h.fields(optional), field{"size", optional, readSize(&h.Size)})...)
}

// ReadResult reads a bot's answer to hello.
func (h *Hello) ReadResult(result []byte) error {
	return readResult(MethodHello, result, h.fields(required)...)
}

func (h *Hello) fields(need bool) []field {
	return []field{
		{"name", need, readString(&h.Name)},
		{"version", optional, readString(&h.Version)},
		{"protocol", need, readInt(&h.Protocol, 0, 1<<31-1)},
		{"sizes", optional, readSizes(&h.Sizes)},
		{"wants_seed", optional, readBool(&h.WantsSeed)},
	}
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
	Spec    string    `json:"spec"`   // the spec of a preset; otherwise the name itself
	Keys    []KeyInfo `json:"keys"`   // the keys it accepts
	Origin  string    `json:"origin"` // the program it comes from, or ""
	Summary string    `json:"summary"`
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
	Board   board.Board `json:"board"`
	Motions bool        `json:"motions,omitempty"` // add the path of each tile to each slide
}

// ReadParams reads the params of rules.inspect.
func (p *Inspect) ReadParams(params []byte) error {
	return readParams(MethodInspect, params,
		field{"board", required, readBoard(&p.Board)},
		field{"motions", optional, readBool(&p.Motions)},
	)
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
	Board  board.Board `json:"board"`
	Score  int64       `json:"score,omitempty"`
	Player string      `json:"player,omitempty"` // a spec; empty: the server's default
}

// ReadParams reads the params of analyze.
func (p *Analyze) ReadParams(params []byte) error {
	return readParams(MethodAnalyze, params,
		field{"board", required, readBoard(&p.Board)},
		field{"score", optional, readInt(&p.Score, 0, 1<<62)},
		field{"player", optional, readString(&p.Player)},
	)
}

// BestMove is the params of best_move.
type BestMove struct {
	Board board.Board `json:"board"`
	Score int64       `json:"score" ts:"?"`
	// Legal are the moves that change the board, for bots that do not implement the rules. A player
	// may ignore it and the fields below.
	Legal  []board.Direction `json:"legal,omitempty"`
	Turn   int               `json:"turn,omitempty"`    // 1, 2, 3 and so on; 1 begins a game
	TimeMS float64           `json:"time_ms,omitempty"` // time limit; 0: none
	Player string            `json:"player,omitempty"`  // a spec; empty: the server's default
	// Seed and Game identify the game; see Hello.WantsSeed.
	Seed *uint64 `json:"seed,omitempty"`
	Game *uint64 `json:"game,omitempty"`
}

// ReadParams reads the params of best_move.
func (p *BestMove) ReadParams(params []byte) error {
	const hour = 3600_000
	return readParams(MethodBestMove, params,
		field{"board", required, readBoard(&p.Board)},
		field{"score", optional, readInt(&p.Score, 0, 1<<62)},
		field{"legal", optional, readDirections(&p.Legal)},
		field{"turn", optional, readInt(&p.Turn, 1, 1<<31-1)},
		field{"time_ms", optional, readNumber(&p.TimeMS, 0.001, hour)},
		field{"player", optional, readString(&p.Player)},
		field{"seed", optional, readSeed(&p.Seed)},
		field{"game", optional, readSeed(&p.Game)},
	)
}

// Move is the result of best_move.
type Move struct {
	Move *board.Direction `json:"move"` // nil, in JSON null, if there is no legal move
}

// ReadResult reads a bot's answer to best_move.
func (m *Move) ReadResult(result []byte) error {
	return readResult(MethodBestMove, result, field{"move", required, readMove(&m.Move)})
}

// Bye is the result of bye, an empty object.
type Bye struct{}
