package protocol

import (
	"encoding/json"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Loading is the params of the notification loading: a search of the connection has been waiting for
// a network for a while, or that network has been loaded.
type Loading struct {
	Loading bool `json:"loading"`
}

// Cancel is the params of cancel: the id of a request that is to be cancelled.
type Cancel struct {
	ID json.RawMessage `json:"id" param:"required" ts:"number | string | null"`
}

// ParseBoard is the params of board.parse: a board in any notation, including the original page's
// saved state.
type ParseBoard struct {
	Text string `json:"text" param:"required"`
}

// ParsedBoard is the result of board.parse.
type ParsedBoard struct {
	Board board.Board `json:"board"`
	Score *int64      `json:"score"` // null if the notation has no score
	Text  string      `json:"text"`  // the board in tile values
	// Readings are the possible boards if letters may be walls; board is the first, and the last has walls.
	Readings []board.Board `json:"readings,omitempty"`
}

// ReadPicture is the params of picture.read: a PNG, JPEG or WebP file in base64. With a size, the server does not
// search for the board: its cells fill the given frame.
type ReadPicture struct {
	Data []byte     `json:"data" param:"required" ts:"string"`
	Size board.Size `json:"size" param:""` // zero: the server searches for the board
	PictureFrame
}

// PictureFrame is a part of a picture, in shares of its width and height.
type PictureFrame struct {
	Left   float64 `json:"left" param:"" range:"0:1"`
	Top    float64 `json:"top" param:"" range:"0:1"`
	Width  float64 `json:"width" param:"" range:"0:1" default:"1"`
	Height float64 `json:"height" param:"" range:"0:1" default:"1"`
}

// PictureBoard is the result of picture.read.
type PictureBoard struct {
	Board  board.Board `json:"board"`
	Text   string      `json:"text"`   // the board in tile values
	Doubts []int       `json:"doubts"` // the cells, row by row from 0, whose value is not certain
	Grid   string      `json:"grid"`   // why the size is not certain; "" if it is
	// Frame is the part of the picture that the cells fill, for a request with a size.
	Frame PictureFrame `json:"frame"`
}

// DrawTree is the params of tree. Its result is a [Tree] or, with format svg, a
// [TreePicture].
type DrawTree struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"" range:"0:2^62"`
	Player string      `json:"player,omitempty" param:""`
	Depth  int         `json:"depth,omitempty" param:"" range:"0:64"`                          // in moves of the player; 0: the whole search
	Width  int         `json:"width,omitempty" param:"" range:"0:72"`                          // spawns at each board; 0: all
	Boards int         `json:"boards,omitempty" param:"" range:"1:2000"`                       // limit of boards in the result; 0: 500
	Format string      `json:"format,omitempty" param:"" range:"json|svg" ts:"'json' | 'svg'"` // empty: json
}

// TreePicture is the result of tree with format svg.
type TreePicture struct {
	SVG string `json:"svg"`
}

// Empty is the result of methods without data, an empty object.
type Empty struct{}

// Solve is the params of solve.
type Solve struct {
	Size  board.Size `json:"size" param:"required"`
	Goal  int64      `json:"goal,omitempty" param:"" range:"0|tile:2:2^48"`                                                       // tile to make; 0: the score
	Spawn string     `json:"spawn,omitempty" param:"" range:"random|adversary|friendly" ts:"'random' | 'adversary' | 'friendly'"` // empty: random
	P4    *float64   `json:"p4,omitempty" param:"" range:"0:1"`                                                                   // probability of a 4; absent: 0.1
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
	// Walls are the layouts of an ending, such as "####/##../..../....". Probability is then the mean over starts with
	// two 2s.
	Walls     []string `json:"walls,omitempty"`
	FreeWalls bool     `json:"free_walls,omitempty"` // walls may move from one layout, or an image of one, to another
	BestStart *float64 `json:"best_start,omitempty"` // greatest probability of a start
}

// Endings is the result of endings.list: the solved endings of 4x4.
type Endings struct {
	Endings []Solution `json:"endings"`
}

// AskEndings is the params of endings.ask.
type AskEndings struct {
	Board board.Board `json:"board" param:"required"`
}

// EndingsAnswer is the result of endings.ask: the solved endings that contain the board.
type EndingsAnswer struct {
	Endings []EndingMoves `json:"endings"`
}

// EndingMoves are the exact chances of a board to make the goal of an ending.
type EndingMoves struct {
	Walls     []string                         `json:"walls"`
	FreeWalls bool                             `json:"free_walls"`
	Goal      int64                            `json:"goal"`
	Moves     map[board.Direction]stats.Figure `json:"moves"`           // legal moves; null: the move shifts walls, which the ending does not allow
	Error     float64                          `json:"error,omitempty"` // maximum error of the chances; absent: 0
}

// States of a size in a SolveState.
const (
	SolveNone    = "none"     // the player does not use a table of this size, or there is no cache
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
