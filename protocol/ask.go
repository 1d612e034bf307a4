package protocol

import (
	"encoding/json"

	"github.com/afterstate2048/afterstate/internal/stats"
	"github.com/afterstate2048/afterstate/rules/board"
)

// Loading holds the parameters of the notification loading. The server sends it when a search of this connection has
// waited 0.3 s for a network, and when that network has been loaded.
type Loading struct {
	Loading bool `json:"loading"`
}

// Cancel holds the parameters of the method cancel: the id of the request to cancel.
type Cancel struct {
	ID json.RawMessage `json:"id" param:"required" ts:"number | string | null"`
}

// ParseBoard holds the parameters of the method board.parse: a board in any notation, including the original
// page's saved state.
type ParseBoard struct {
	Text string `json:"text" param:"required"`
}

// ParsedBoard is the result of the method board.parse.
type ParsedBoard struct {
	Board board.Board `json:"board"`
	Score *int64      `json:"score"` // null if the notation has no score
	Text  string      `json:"text"`  // the board as text with tile values
	// Readings are the possible boards if letters in the text may stand for walls. The first one equals Board; the last
	// one has walls in place of the letters.
	Readings []board.Board `json:"readings,omitempty"`
}

// ReadPicture holds the parameters of the method picture.read: a PNG, JPEG or WebP file in base64. If a size is
// given, the server does not search for the board, but assumes that its cells fill the given frame.
type ReadPicture struct {
	Data []byte     `json:"data" param:"required" ts:"string"`
	Size board.Size `json:"size" param:""` // zero: the server searches for the board
	PictureFrame
}

// PictureFrame is a part of a picture. Left and Width are shares of the width of the picture, Top
// and Height shares of its height.
type PictureFrame struct {
	Left   float64 `json:"left" param:"" range:"0:1"`
	Top    float64 `json:"top" param:"" range:"0:1"`
	Width  float64 `json:"width" param:"" range:"0:1" default:"1"`
	Height float64 `json:"height" param:"" range:"0:1" default:"1"`
}

// PictureBoard is the result of the method picture.read.
type PictureBoard struct {
	Board  board.Board `json:"board"`
	Text   string      `json:"text"`   // the board as text with tile values
	Doubts []int       `json:"doubts"` // indices of cells whose value is uncertain, counted row by row from 0
	Grid   string      `json:"grid"`   // why the size of the board is uncertain; "" if it is certain
	// Frame is the part of the picture that the cells fill. It is set only if the request had a
	// size.
	Frame PictureFrame `json:"frame"`
}

// DrawTree holds the parameters of the method tree. Its result is a [Tree] or, if Format is svg, a
// [TreePicture].
type DrawTree struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"" range:"0:2^62"`
	Player string      `json:"player,omitempty" param:""`
	// Depth is the maximum number of moves of the player on a path from the root. 0 means the complete search.
	Depth int `json:"depth,omitempty" param:"" range:"0:64"`
	// Width is the maximum number of spawns shown for a board. 0 means all.
	Width int `json:"width,omitempty" param:"" range:"0:72"`
	// Boards is the maximum number of boards in the result. 0 means 500.
	Boards int    `json:"boards,omitempty" param:"" range:"1:2000"`
	Format string `json:"format,omitempty" param:"" range:"json|svg" ts:"'json' | 'svg'"` // empty: json
}

// TreePicture is the result of the method tree if the format is svg.
type TreePicture struct {
	SVG string `json:"svg"`
}

// Empty is the result of methods that return no data: an empty object.
type Empty struct{}

// Solve holds the parameters of the method solve. If Goal is 0, the solution maximizes the expected
// score.
type Solve struct {
	Size board.Size `json:"size" param:"required"`
	// Goal is the tile to make. 0 means none.
	Goal  int64    `json:"goal,omitempty" param:"" range:"0|tile:2:2^48"`
	Spawn string   `json:"spawn,omitempty" param:"" range:"random|adversary|friendly" ts:"'random' | 'adversary' | 'friendly'"` // empty: random
	P4    *float64 `json:"p4,omitempty" param:"" range:"0:1"`                                                                   // probability of a 4; absent: 0.1
}

// Solution is the result of the method solve.
type Solution struct {
	Size          board.Size `json:"size"`
	Spawn         string     `json:"spawn"`
	P4            *float64   `json:"p4"`     // probability of a 4; null if spawns are not random
	States        int64      `json:"states"` // number of boards, up to symmetry
	ExpectedScore *float64   `json:"expected_score,omitempty"`
	Goal          int64      `json:"goal,omitempty"`
	Probability   *float64   `json:"probability,omitempty"`
	// Walls are the layouts of the walls of an ending, such as "####/##../..../....". Probability is then the mean
	// over start boards with two 2s.
	Walls     []string `json:"walls,omitempty"`
	FreeWalls bool     `json:"free_walls,omitempty"` // walls may move between the layouts and their rotations and reflections; false: no wall may move
	BestStart *float64 `json:"best_start,omitempty"` // maximum probability among the start boards
}

// Endings is the result of the method endings.list: the solved endings of 4x4.
type Endings struct {
	Endings []Solution `json:"endings"`
}

// AskEndings holds the parameters of the method endings.ask.
type AskEndings struct {
	Board board.Board `json:"board" param:"required"`
}

// EndingsAnswer is the result of the method endings.ask: the solved endings that contain the board.
type EndingsAnswer struct {
	Endings []EndingMoves `json:"endings"`
}

// EndingMoves are the exact chances to make the goal of an ending after each move on a board.
type EndingMoves struct {
	Walls     []string `json:"walls"`
	FreeWalls bool     `json:"free_walls"`
	Goal      int64    `json:"goal"`
	// Moves contains the chance after each legal move. The chance is null if the move shifts walls in a way that the
	// ending does not allow.
	Moves map[board.Direction]stats.Figure `json:"moves"`
	Error float64                          `json:"error,omitempty"` // maximum error of the chances; absent: 0
}

// The values of SolveState.State.
const (
	SolveNone    = "none"     // the player uses no table for this size, or there is no cache for tables
	SolveMissing = "unsolved" // the table does not exist yet; the method solve.start makes it
	SolveRunning = "solving"
	SolveDone    = "solved"
)

// SolveSize holds the parameters of the methods solve.start and solve.stop.
type SolveSize struct {
	Size board.Size `json:"size" param:"required"`
}

// ShowSolve holds the parameters of the method solve.show.
type ShowSolve struct {
	SolveSize
	Player string `json:"player,omitempty" param:""` // the player's spec; empty: the server's default
}

// SolveState is the result of the methods solve.show, solve.start and solve.stop.
type SolveState struct {
	Size    board.Size `json:"size"`
	State   string     `json:"state" ts:"'none' | 'unsolved' | 'solving' | 'solved'"`
	Allowed bool       `json:"allowed"`         // clients may start solving on this server
	TimeS   float64    `json:"time_s"`          // estimated solving time on two idle cores
	Bytes   int64      `json:"bytes"`           // estimated size of the table on disk
	Done    float64    `json:"done"`            // share of the work that is done, from 0 to 1
	LeftS   *float64   `json:"left_s"`          // estimated remaining time; null while unknown
	Error   string     `json:"error,omitempty"` // why the last attempt failed
}
