package wire

import (
	"encoding/json"

	"afterstate/board"
)

// Methods of the server beyond those of a session; docs/api.md describes them.
const (
	MethodCancel  = "cancel"
	MethodParse   = "board.parse"
	MethodExplain = "explain"
	MethodTree    = "tree"
	MethodLoading = "loading"
	MethodPicture = "picture.read"
)

// Loading is the params of the notification loading: a search of the connection has been waiting for
// a network for a while, or that network is there now.
type Loading struct {
	Loading bool `json:"loading"`
}

// Cancel is the params of cancel: the id of a request that is to be cancelled.
type Cancel struct {
	ID json.RawMessage `json:"id" ts:"number | string | null"`
}

// ReadParams reads the params of cancel.
func (p *Cancel) ReadParams(params []byte) error {
	return readParams(MethodCancel, params, field{"id", required, readID(&p.ID)})
}

// ParseBoard is the params of board.parse: a board in any notation, including the original page's
// saved state.
type ParseBoard struct {
	Text string `json:"text"`
}

// ReadParams reads the params of board.parse.
func (p *ParseBoard) ReadParams(params []byte) error {
	return readParams(MethodParse, params, field{"text", required, readString(&p.Text)})
}

// ParsedBoard is the result of board.parse.
type ParsedBoard struct {
	Board board.Board `json:"board"`
	Score *int64      `json:"score"` // null if the notation has no score
	Text  string      `json:"text"`  // the board in tile values
}

// ReadPicture is the params of picture.read: a PNG, JPEG or WebP file in base64.
type ReadPicture struct {
	Data []byte `json:"data" ts:"string"`
}

// ReadParams reads the params of picture.read.
func (p *ReadPicture) ReadParams(params []byte) error {
	return readParams(MethodPicture, params, field{"data", required, readBase64(&p.Data)})
}

// PictureBoard is the result of picture.read.
type PictureBoard struct {
	Board  board.Board `json:"board"`
	Text   string      `json:"text"`   // the board in tile values
	Doubts []int       `json:"doubts"` // the cells, row by row from 0, whose value is not certain
	Grid   string      `json:"grid"`   // why the size may be another one; "" if it is certain
}

// Explain is the params of explain; a [Reasons] is its result.
type Explain struct {
	Board  board.Board `json:"board"`
	Score  int64       `json:"score,omitempty"`
	Player string      `json:"player,omitempty"`
	TimeMS float64     `json:"time_ms,omitempty"` // limit for the whole explanation; 0: 500
}

// ReadParams reads the params of explain.
func (p *Explain) ReadParams(params []byte) error {
	const maxTime = 10_000
	return readParams(MethodExplain, params,
		field{"board", required, readBoard(&p.Board)},
		field{"score", optional, readInt(&p.Score, 0, 1<<62)},
		field{"player", optional, readString(&p.Player)},
		field{"time_ms", optional, readNumber(&p.TimeMS, 1, maxTime)},
	)
}

// DrawTree is the params of tree. Its result is a [Tree] or, with format svg, a
// [TreePicture].
type DrawTree struct {
	Board  board.Board `json:"board"`
	Score  int64       `json:"score,omitempty"`
	Player string      `json:"player,omitempty"`
	Depth  int         `json:"depth,omitempty"`                      // in moves of the player; 0: the whole search
	Width  int         `json:"width,omitempty"`                      // spawns at each board; 0: all
	Boards int         `json:"boards,omitempty"`                     // limit of boards in the result; 0: 500
	Format string      `json:"format,omitempty" ts:"'json' | 'svg'"` // empty: json
}

// ReadParams reads the params of tree.
func (p *DrawTree) ReadParams(params []byte) error {
	return readParams(MethodTree, params,
		field{"board", required, readBoard(&p.Board)},
		field{"score", optional, readInt(&p.Score, 0, 1<<62)},
		field{"player", optional, readString(&p.Player)},
		field{"depth", optional, readInt(&p.Depth, 0, 64)},
		field{"width", optional, readInt(&p.Width, 0, 72)},
		field{"boards", optional, readInt(&p.Boards, 1, 2000)},
		field{"format", optional, readChoice(&p.Format, "json", "svg")},
	)
}

// TreePicture is the result of tree with format svg.
type TreePicture struct {
	SVG string `json:"svg"`
}

// Empty is the result of methods without data, an empty object.
type Empty struct{}
