package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/afterstate2048/afterstate/internal/table"
	"github.com/afterstate2048/afterstate/rules/board"
	"github.com/afterstate2048/afterstate/rules/game"
	"github.com/afterstate2048/afterstate/rules/record"
)

// columns are the names of a table's columns, in the order in which they are written.
var columns = []string{
	"game", "player", "size", "move_number", "board", "score", "move", "spawn_cell", "spawn_tile",
	"ms", "rate_up", "rate_right", "rate_down", "rate_left",
}

// Limits on the size of a row: a row of empty cells takes many times its size in memory.
const (
	maxRow     = 1 << 20 // maximum length in bytes
	maxColumns = 1000
)

// maxRate is the largest rate that .rpl files can hold.
const maxRate = float64(1<<32-1) / rateUnit

// sheet reads the rows of a CSV file by the names of the columns.
type sheet struct {
	comma  rune
	at     map[string]int // index of each known column
	width  int
	others []string // names of columns that are not read
	row    []string
	read   bool // row is a data row, not the heading

	cells    []int // column indices of the board's cells, if each cell has a column
	cellSize board.Size
}

// isHeading reports whether a line can be the heading: it is not empty, and is not a separator line such as "sep=;",
// which spreadsheets write.
func isHeading(line []byte) bool {
	line = trim(line)
	return len(line) > 0 && (len(line) > 5 || !bytes.HasPrefix(bytes.ToLower(line), []byte("sep=")))
}

// heading parses the first row. It fails if the columns that a game needs are missing.
func heading(text []byte) (*sheet, error) {
	for _, comma := range ",;\t" {
		t := &sheet{comma: comma, at: map[string]int{}}
		if err := t.split(string(text)); err != nil {
			continue
		}
		if t.width = len(t.row); t.width > maxColumns {
			return nil, fmt.Errorf("%d columns: must be at most %d", t.width, maxColumns)
		}
		names := make([]string, t.width)
		for i, name := range t.row {
			names[i] = strings.ToLower(strings.TrimSpace(name))
		}
		if !slices.Contains(names, "board") {
			t.cellSize, t.cells = cellColumns(names)
		}
		for i, name := range names {
			_, twice := t.at[name]
			switch {
			case slices.Contains(t.cells, i):
				t.at["board"] = i
			case twice:
				return nil, fmt.Errorf("column %s appears twice", name)
			case slices.Contains(columns, name):
				t.at[name] = i
			default:
				t.others = append(t.others, name)
			}
		}
		if t.has("board") || t.has("move") && t.has("spawn_cell") && t.has("spawn_tile") {
			return t, nil
		}
	}
	return nil, errors.New("the first row must name the column board, one column for each cell such as c0 to c15, or the columns move, spawn_cell and spawn_tile")
}

// split splits a row into cells by RFC 4180, except that a cell cannot contain a newline. It sets t.row. Few rows
// have quotes; for rows without quotes, strings.Split is ten times as fast as a csv.Reader.
func (t *sheet) split(text string) (err error) {
	if !strings.Contains(text, `"`) {
		t.row = strings.Split(text, string(t.comma))
		return nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = t.comma
	t.row, err = r.Read()
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return fmt.Errorf("column %d: %w", wrong.Column, wrong.Err)
	}
	return err
}

func (t *sheet) has(name string) bool {
	_, ok := t.at[name]
	return ok
}

// get returns the value of the current row in the column called name, or "" if there is none.
func (t *sheet) get(name string) string {
	if name == "board" && t.cells != nil {
		return t.cellsText()
	}
	if i, ok := t.at[name]; ok {
		return strings.TrimSpace(t.row[i])
	}
	return ""
}

// whole parses the value of the current row in the column called name as an integer from 0 to
// maximum. given is false if the row has no such value.
func (t *sheet) whole(name string, maximum int64) (n int64, given bool, err error) {
	text := t.get(name)
	if text == "" {
		return 0, false, nil
	}
	if n, err = strconv.ParseInt(text, 10, 64); err != nil || n < 0 || n > maximum {
		return 0, false, fmt.Errorf("%s %.24q: must be a whole number from 0 to %d", name, text, maximum)
	}
	return n, true, nil
}

func (t *sheet) next(text []byte) error {
	t.read = true
	if err := t.split(string(text)); err != nil {
		return err
	}
	if len(t.row) != t.width {
		return fmt.Errorf("the row has %d cells, but the first row has %d", len(t.row), t.width)
	}
	return nil
}

// maxSeen limits the number of remembered game names, to bound the memory.
const maxSeen = 1 << 20

// readTable reads games from a table with named columns: positions, or moves with new tiles.
func readTable(r *bufio.Reader, yield func(*AnnotatedRecord, error) bool) {
	var t *sheet
	var g *tableGame
	seen := map[string]bool{}
	for l, err := range scan(r, maxRow) {
		switch {
		case err != nil: // err already names the line
			yield(nil, err)
			return
		case len(trim(l.text)) == 0 || t == nil && !isHeading(l.text):
			continue
		case t == nil:
			t, err = heading(l.text)
		default:
			err = t.next(l.text)
		}
		if err != nil {
			yield(nil, l.wrong(err))
			return
		}
		if !t.read {
			continue // the heading
		}
		if key := t.get("game"); g == nil || key != g.key {
			if g != nil && !yield(g.end()) {
				return
			}
			g = &tableGame{sheet: t, key: key, duplicate: seen[key]}
			if len(seen) == maxSeen {
				clear(seen)
			}
			seen[key] = true
		}
		if err := g.add(); err != nil {
			yield(nil, l.wrong(err))
			return
		}
	}
	if g != nil {
		yield(g.end())
	}
}

// tableGame is the state of a game while it is read from a table.
type tableGame struct {
	*sheet
	key       string
	duplicate bool // an earlier game has the same key
	b         *builder
	lastMove  *board.Direction // move in the previous row, in a table of positions; nil if none
	tile      *game.Spawn      // new tile after lastMove; nil if the row has none
	ambiguous int              // number of moves that could also have been in another direction
	player    string
	rated     bool
}

// add adds the current row to the game.
func (g *tableGame) add() error {
	if p := g.get("player"); p != "" {
		g.player = table.Plain(strings.ToValidUTF8(p, "?"))
	}
	d, tile, err := g.step()
	if err != nil {
		return err
	}
	if g.has("board") {
		if d == nil && tile != nil {
			return errors.New("the row has a new tile but no move: must be the tile that appears after the row's move")
		}
		return g.addBoard(d, tile)
	}
	if d == nil { // a start tile
		if g.b == nil {
			size, err := board.ParseSize(cmp.Or(g.get("size"), "4x4"))
			if err != nil {
				return err
			}
			g.b = fromBoard(board.New(size))
		}
		if len(g.b.tiles) == 2 || g.b.moves() > 0 || tile == nil {
			return errors.New("the move is missing: only the first two rows may lack it, each with a start tile")
		}
		return g.b.place(*tile)
	}
	if g.b == nil || tile == nil {
		return errors.New("a move must have a new tile, and come after one or two rows with a start tile each")
	}
	if err := g.values(); err != nil {
		return err
	}
	return g.b.move(*d, *tile)
}

// addBoard adds a row with a position and, if it is known, the move that was made there.
func (g *tableGame) addBoard(d *board.Direction, tile *game.Spawn) error {
	next, err := board.Parse(g.get("board"))
	if err != nil {
		return err
	}
	if err := g.pending(); err != nil {
		return err
	}
	switch {
	case g.b == nil:
		g.b = fromBoard(next)
	case g.tile != nil && g.b.now != next:
		err = fmt.Errorf("the row has board %v, but the moves lead to %v", next, g.b.now)
	case g.tile != nil:
	case g.lastMove != nil:
		err = g.b.moveTo(*g.lastMove, &next)
	default:
		var ambiguous bool
		if ambiguous, err = g.b.follow(&next); ambiguous {
			g.ambiguous++
		}
	}
	if err != nil {
		return err
	}
	if g.duplicate && g.b.moves() == 0 && len(g.b.tiles) != 2 {
		return fmt.Errorf("game %.40q starts again from board %v: the rows of a game must be together", g.key, next)
	}
	g.lastMove, g.tile = d, tile
	if err := g.score(); err != nil {
		return err
	}
	return g.values()
}

// pending makes the move of the previous row if its new tile is known.
func (g *tableGame) pending() error {
	if g.b == nil || g.lastMove == nil || g.tile == nil {
		return nil
	}
	return g.b.move(*g.lastMove, *g.tile)
}

// score checks the score of a row against the moves. The score of the first row becomes StartScore.
func (g *tableGame) score() error {
	score, given, err := g.whole("score", math.MaxInt64)
	if err != nil || !given {
		return err
	}
	if g.b.moves() == 0 {
		if score > maxScore {
			return fmt.Errorf("score %d: must be at most %d at the start", score, int64(maxScore))
		}
		g.b.g.StartScore = score
	} else if have := g.b.g.StartScore + g.b.played.Score(); have != score {
		return fmt.Errorf("the row has score %d, but the moves give %d, on board %v", score, have, g.b.now)
	}
	return nil
}

// values adds the time and the rates of a row.
func (g *tableGame) values() error {
	ms, given, err := g.whole("ms", record.MaxTime)
	if err != nil {
		return err
	}
	if !given {
		ms = record.UnknownTime
	}
	g.b.g.Times = append(g.b.g.Times, ms)
	var rates [4]float64
	for _, d := range board.Directions {
		text := g.get("rate_" + d.String())
		if text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= 0 && x <= maxRate) {
			return fmt.Errorf("rate_%v %.24q: must be a number from 0 to 1", d, text)
		}
		rates[d], g.rated = x, true
	}
	g.b.g.Rates = append(g.b.g.Rates, rates)
	return nil
}

// step returns the move and the new tile of a row; each is nil if the row has none.
func (t *sheet) step() (d *board.Direction, tile *game.Spawn, err error) {
	if text := t.get("move"); text != "" {
		i := slices.IndexFunc(board.Directions[:], func(d board.Direction) bool {
			return strings.EqualFold(text, d.String()) || strings.EqualFold(text, d.String()[:1]) || text == strconv.Itoa(int(d))
		})
		if i < 0 {
			return nil, nil, fmt.Errorf("move %.24q: must be up, right, down or left, or 0 to 3 in this order", text)
		}
		x := board.Direction(i)
		d = &x
	}
	value := t.get("spawn_tile")
	cell, given, err := t.whole("spawn_cell", board.MaxSide*board.MaxSide-1)
	if err != nil || !given && value == "" {
		return d, nil, err
	}
	exponent := strings.Index("24", value)
	if !given || len(value) != 1 || exponent < 0 {
		return nil, nil, fmt.Errorf("spawn_cell %q, spawn_tile %.24q: must be a cell counted from 0 (top left), row by row, and 2 or 4", t.get("spawn_cell"), value)
	}
	return d, &game.Spawn{Cell: int(cell), Exponent: uint8(exponent) + 1}, nil
}

// end completes the game after its last row, and returns it.
func (g *tableGame) end() (*AnnotatedRecord, error) {
	fail := func(err error) (*AnnotatedRecord, error) { return nil, fmt.Errorf("game %q: %w", g.key, err) }
	if g.b == nil || !g.has("board") && len(g.b.tiles) < 2 && g.b.moves() == 0 {
		return fail(errors.New("the two rows of start tiles are missing"))
	}
	if g.has("board") && g.lastMove != nil {
		if g.tile == nil {
			return fail(fmt.Errorf("the new tile of the last move, %v, is missing", *g.lastMove))
		}
		if err := g.pending(); err != nil {
			return fail(err)
		}
	}
	out, moves := &g.b.g, g.b.moves()
	out.Player, out.Times, out.Rates = g.player, out.Times[:moves], out.Rates[:moves]
	if !g.rated {
		out.Rates = nil
	}
	lose(&out.Lost, g.ambiguous > 0, Loss{"move directions that the boards do not determine", g.ambiguous})
	for _, name := range g.others {
		out.Lost = append(out.Lost, Loss{What: fmt.Sprintf("column %.40q", name)})
	}
	return g.b.end()
}
