package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// A shared game of the app is a JSON object, the head, and an object for each ply. A ply is a move,
// a new tile, or a board that the player loads. The plies follow the head. In files of earlier
// versions, the plies are in the head's field "playersMoves". Tiles are written as exponents.

// andstatusNoTime stands for a time of day that is not known.
const andstatusNoTime = "1970-01-01T00:00:00+00:00"

type andstatusHead struct {
	Note      string             `json:"note"`
	Start     string             `json:"start"` // date and time; the app refuses a game without it
	Last      *andstatusPosition `json:"finalBoard"`
	Bookmarks []struct{}         `json:"bookmarks"`
	ID        int                `json:"id"`
	Type      string             `json:"type"`
	Plies     json.RawMessage    `json:"playersMoves,omitempty"`
}

type andstatusPosition struct {
	Ply     int            `json:"plyNumber"`
	Cells   andstatusCells `json:"pieces"`
	Score   int64          `json:"score"`
	Time    string         `json:"time"` // date and time; the app refuses a position without it
	Seconds int64          `json:"playedSeconds"`
}

type andstatusPly struct {
	Seconds   int64           `json:"seconds"` // time on the game's clock
	Moves     json.RawMessage `json:"moves"`   // what happens to tiles
	Player    string          `json:"player,omitempty"`
	Kind      string          `json:"ply,omitempty"` // a direction, "load" or, by default, "place"
	KindFirst string          `json:"moveEnum,omitempty"`
	Retries   int             `json:"retries,omitempty"` // number of times that the player had undone this move
}

type andstatusMove struct {
	Kind        string             `json:"move"`
	First       *andstatusTile     `json:"first,omitempty"`
	Second      *andstatusTile     `json:"second,omitempty"`
	Merged      *andstatusTile     `json:"merged,omitempty"`
	Destination *andstatusSquare   `json:"destination,omitempty"`
	Board       *andstatusPosition `json:"board,omitempty"`
}

type andstatusTile struct {
	Exponent int             `json:"piece"`
	Square   andstatusSquare `json:"square"`
}

type andstatusSquare struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// andstatusCells are the exponents of a square board, row by row, 0 for an empty cell.
type andstatusCells []int

// UnmarshalJSON fails, before it decodes the cells, if there are more than a board can have.
func (c *andstatusCells) UnmarshalJSON(data []byte) error {
	if maximum := board.MaxSide * board.MaxSide; bytes.Count(data, []byte(",")) >= maximum {
		return fmt.Errorf(`"pieces" has more than %d cells`, maximum)
	}
	return json.Unmarshal(data, (*[]int)(c))
}

func (p *andstatusPosition) board() (board.Board, error) {
	side := 0
	for side*side < len(p.Cells) {
		side++
	}
	if side*side != len(p.Cells) {
		return board.Board{}, fmt.Errorf(`"pieces" has %d cells: must be a square board`, len(p.Cells))
	}
	rows := make([][]int64, side)
	for r := range rows {
		for _, exponent := range p.Cells[r*side : (r+1)*side] {
			if exponent < 0 || exponent > board.MaxExponent {
				return board.Board{}, fmt.Errorf(`"pieces" contains %d: must be from 0 to %d`, exponent, board.MaxExponent)
			}
			rows[r] = append(rows[r], board.Tile(uint8(exponent)))
		}
	}
	b, err := board.FromTiles(rows)
	switch {
	case err != nil:
		return b, err
	case p.Score < 0 || p.Score > maxScore:
		return b, fmt.Errorf("score is %d: must be from 0 to %d", p.Score, int64(maxScore))
	}
	return b, nil
}

func looksAndstatus(head []byte) bool {
	head = trim(head)
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"finalBoard"`))
}

func readAndstatus(r *bufio.Reader) (*AnnotatedRecord, error) {
	in := json.NewDecoder(r)
	var head andstatusHead
	if err := in.Decode(&head); err != nil {
		return nil, fmt.Errorf("the first JSON object, which describes the game: %w", plainJSON(err))
	}
	if head.Last == nil {
		return nil, errors.New(`"finalBoard" is missing`)
	}
	last, err := head.Last.board()
	if err != nil {
		return nil, err
	}
	a := &andstatusGame{b: fromBoard(board.New(last.Size()))}
	if head.Plies != nil {
		list := json.NewDecoder(bytes.NewReader(head.Plies))
		if open, _ := list.Token(); open != json.Delim('[') {
			return nil, errors.New(`"playersMoves" must be an array`)
		}
		err = a.play(list)
	}
	if err = cmp.Or(err, a.play(in)); err != nil {
		return nil, err
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, fmt.Errorf("after move %d: unexpected data after the game", a.b.moves())
	}
	return a.end(&head, last)
}

// andstatusGame replays the plies of a game.
type andstatusGame struct {
	b       *builder
	plies   int
	slid    bool // a move was read, but not yet its new tile
	move    board.Direction
	seconds int64 // time on the game's clock after the latest move
	elapsed int64 // seconds that the latest move took
	undone  int
}

func (a *andstatusGame) play(in *json.Decoder) error {
	for in.More() {
		var p andstatusPly
		err := in.Decode(&p)
		if err == nil {
			err = a.ply(&p)
		}
		if err != nil {
			return fmt.Errorf("ply %d: %w", a.plies+1, plainJSON(err))
		}
		a.plies++
	}
	return nil
}

func (a *andstatusGame) ply(p *andstatusPly) error {
	kind := cmp.Or(p.Kind, p.KindFirst, "place")
	if kind != "place" && a.slid {
		return a.b.wrong(fmt.Errorf("no new tile follows %v", a.move))
	}
	switch kind {
	case "place", "load":
		var moves [1]andstatusMove
		if p.Moves == nil {
			return errors.New(`"moves" is missing`)
		}
		if err := json.Unmarshal(p.Moves, &moves); err != nil {
			return err
		}
		if kind == "load" {
			return a.load(moves[0].Board)
		}
		return a.place(moves[0].First)
	}
	d, err := board.ParseDirection(kind)
	if err != nil {
		return a.b.wrong(err)
	}
	a.slid, a.move = true, d
	a.elapsed, a.seconds = max(max(p.Seconds, 0)-a.seconds, 0), max(p.Seconds, 0)
	a.undone = min(a.undone+max(p.Retries, 0), MaxMoves)
	return nil
}

// place adds a start tile, or the new tile of a move.
func (a *andstatusGame) place(tile *andstatusTile) error {
	if tile == nil {
		return errors.New(`"first", the new tile, is missing`)
	}
	size := a.b.now.Size()
	x, y := tile.Square.X, tile.Square.Y
	switch {
	case x < 0 || x >= size.Cols || y < 0 || y >= size.Rows:
		return fmt.Errorf("the new tile is at x %d, y %d: must be on the %v board", x, y, size)
	case tile.Exponent != 1 && tile.Exponent != 2:
		return fmt.Errorf("the new tile is piece %d: must be 1 for a 2 or 2 for a 4", tile.Exponent)
	}
	s := game.Spawn{Cell: y*size.Cols + x, Exponent: uint8(tile.Exponent)}
	if !a.slid {
		if a.b.moves() > 0 {
			return a.b.wrong(errors.New("there is a new tile without a move"))
		}
		return a.b.place(s)
	}
	a.slid = false
	if err := a.b.move(a.move, s); err != nil {
		return err
	}
	return a.b.timed(min(a.elapsed, record.MaxTime) * 1000)
}

// load begins the game from a board.
func (a *andstatusGame) load(p *andstatusPosition) error {
	if p == nil {
		return errors.New(`"board", the board to load, is missing`)
	}
	start, err := p.board()
	switch {
	case err != nil:
		return err
	case start.Size() != a.b.now.Size():
		return fmt.Errorf("the loaded board is %v, but the final board is %v", start.Size(), a.b.now.Size())
	case a.b.moves() > 0:
		return a.b.wrong(fmt.Errorf("the game continues from another board, %v", start))
	}
	a.b = fromBoard(start)
	a.b.g.StartScore, a.seconds = p.Score, max(p.Seconds, 0)
	return nil
}

// end checks that the game agrees with its head, and returns the record.
func (a *andstatusGame) end(head *andstatusHead, last board.Board) (*AnnotatedRecord, error) {
	switch {
	case a.plies == 0: // the file holds a position without a game
		a.b = fromBoard(last)
		a.b.g.StartScore = head.Last.Score
	case a.slid:
		return nil, a.b.wrong(fmt.Errorf("no new tile follows %v", a.move))
	case a.b.now != last:
		return nil, fmt.Errorf("the last board is %v, but the %d moves lead to %v", last, a.b.moves(), a.b.now)
	}
	lost := &a.b.g.Lost
	lose(lost, head.Note != "", Loss{What: "note"})
	lose(lost, len(head.Bookmarks) > 0, Loss{"bookmarks", len(head.Bookmarks)})
	lose(lost, a.undone > 0, Loss{"undone moves", a.undone})
	lose(lost, head.Start != andstatusNoTime, Loss{What: "time of day"})
	g, err := a.b.end()
	if err != nil {
		return nil, err
	}
	score := g.StartScore + g.Score
	if head.Last.Score != score && head.Last.Score*2 != score { // earlier app versions count half of a merged tile
		return nil, fmt.Errorf("the score is %d, but the moves give %d", head.Last.Score, score)
	}
	return g, nil
}

// plainJSON returns an error of package json without names of Go types.
func plainJSON(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%q must not be a JSON %s", wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:], wrong.Value)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends within the game")
	}
	return err
}
