package wire

import "afterstate/board"

// Methods for recorded games. Each of them takes the whole record, so that no connection is needed.
const (
	MethodReviewOpen   = "review.open"
	MethodReviewShow   = "review.show"
	MethodReviewValues = "review.values"
)

// Review is the params of review.open, review.show and review.values.
type Review struct {
	Record string `json:"record"`
	Move   int    `json:"move" ts:"?"`      // for review.show: the position after this number of moves
	Player string `json:"player,omitempty"` // for review.values: the player that values the moves
	From   int    `json:"from" ts:"?"`      // for review.values: the first move to value, from 0
}

// ReadParams reads the params of one of the methods.
func (p *Review) ReadParams(method string, params []byte) error {
	fields := []field{{"record", required, readString(&p.Record)}}
	switch method {
	case MethodReviewShow:
		fields = append(fields, field{"move", required, readInt(&p.Move, 0, 1<<30)})
	case MethodReviewValues:
		fields = append(fields,
			field{"player", optional, readString(&p.Player)},
			field{"from", optional, readInt(&p.From, 0, 1<<30)})
	}
	return readParams(method, params, fields...)
}

// ReviewSummary is the result of review.open.
type ReviewSummary struct {
	Size   board.Size  `json:"size"`
	Spawn  string      `json:"spawn"`
	Seed   uint64      `json:"seed"`
	Player string      `json:"player"`
	Moves  int         `json:"moves"`
	Board  board.Board `json:"board"` // at the end
	Score  int64       `json:"score"` // at the end
}

// ReviewPosition is the result of review.show.
type ReviewPosition struct {
	Board board.Board `json:"board"`
	Score int64       `json:"score"`
	Step  *Step       `json:"step"` // that led here; null at the start
	Next  *NextMove   `json:"next"` // null at the end
}

// NextMove is the recorded move on a board.
type NextMove struct {
	Move board.Direction `json:"move"`
}

// ReviewValues is the result of review.values: as many moves as the time limit allowed.
type ReviewValues struct {
	From  int          `json:"from"`
	Next  int          `json:"next"` // the first move that is not valued yet
	Moves []MoveReview `json:"moves"`
	Unit  *Unit        `json:"unit"` // of the values; null if no move was valued
}

// MoveReview is a player's valuation of a recorded move.
type MoveReview struct {
	Played board.Direction `json:"played"`
	Best   board.Direction `json:"best"`
	Value  *float64        `json:"value"` // of the best move; null: every move loses
	Loss   *float64        `json:"loss"`  // null if unknown
	Lost   bool            `json:"lost"`  // the recorded move loses, the best one does not
}
