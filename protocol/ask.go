package protocol

import (
	"encoding/json"

	"github.com/afterstate2048/afterstate/rules/board"
)

// Loading is the params of the notification loading: a search of the connection has been waiting for
// a network for a while, or that network is there now.
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
}

// ReadPicture is the params of picture.read: a PNG, JPEG or WebP file in base64. With a size, the board is not looked
// for: its cells fill a frame, given in shares of the picture's width and height.
type ReadPicture struct {
	Data []byte     `json:"data" param:"required" ts:"string"`
	Size board.Size `json:"size" param:""` // zero: the board is looked for
	PictureFrame
}

// PictureFrame is a part of a picture, in shares of its width and height.
type PictureFrame struct {
	Left   float64 `json:"left" param:"max=1"`
	Top    float64 `json:"top" param:"max=1"`
	Width  float64 `json:"width" param:"max=1,default=1"`
	Height float64 `json:"height" param:"max=1,default=1"`
}

// PictureBoard is the result of picture.read.
type PictureBoard struct {
	Board  board.Board `json:"board"`
	Text   string      `json:"text"`   // the board in tile values
	Doubts []int       `json:"doubts"` // the cells, row by row from 0, whose value is not certain
	Grid   string      `json:"grid"`   // why the size may be another one; "" if it is certain
	// Frame is where the cells lie, for a request with a size.
	Frame PictureFrame `json:"frame"`
}

// Explain is the params of explain; a [Reasons] is its result.
type Explain struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"max=2^62"`
	Player string      `json:"player,omitempty" param:""`
	TimeMS float64     `json:"time_ms,omitempty" param:"min=1,max=10000"` // limit for the whole explanation; 0: 500
}

// DrawTree is the params of tree. Its result is a [Tree] or, with format svg, a
// [TreePicture].
type DrawTree struct {
	Board  board.Board `json:"board" param:"required"`
	Score  int64       `json:"score,omitempty" param:"max=2^62"`
	Player string      `json:"player,omitempty" param:""`
	Depth  int         `json:"depth,omitempty" param:"max=64"`                           // in moves of the player; 0: the whole search
	Width  int         `json:"width,omitempty" param:"max=72"`                           // spawns at each board; 0: all
	Boards int         `json:"boards,omitempty" param:"min=1,max=2000"`                  // limit of boards in the result; 0: 500
	Format string      `json:"format,omitempty" param:"of=json|svg" ts:"'json' | 'svg'"` // empty: json
}

// TreePicture is the result of tree with format svg.
type TreePicture struct {
	SVG string `json:"svg"`
}

// Empty is the result of methods without data, an empty object.
type Empty struct{}
