package board

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/afterstate2048/afterstate/internal/numfmt"
)

// String returns the board as text: tile values, 0 for an empty cell, cells separated by commas and
// rows by slashes. Parse reads it.
func (b Board) String() string {
	out := make([]byte, 0, 3*b.size.Cells())
	for r := range b.size.Rows {
		if r > 0 {
			out = append(out, '/')
		}
		for c := range b.size.Cols {
			if c > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendInt(out, Tile(b.At(r, c)), 10)
		}
	}
	return string(out)
}

// Drawing returns the board as lines of text for people, one for each row: tile values in aligned
// columns, and a dot for an empty cell.
func (b Board) Drawing() string {
	return b.Draw(func(cell int) string {
		if b.Cell(cell) == 0 {
			return "."
		}
		return strconv.FormatInt(Tile(b.Cell(cell)), 10)
	})
}

// Draw calls text for each cell and returns the results in aligned rows and columns, one line for
// each row.
func (b Board) Draw(text func(cell int) string) string {
	cells, width := make([]string, b.Size().Cells()), 4
	for i := range cells {
		cells[i] = text(i)
		width = max(width, len(cells[i]))
	}
	var out strings.Builder
	for row := range slices.Chunk(cells, b.Size().Cols) {
		line := ""
		for _, cell := range row {
			line += fmt.Sprintf(" %*s", width, cell)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// Tiles returns rows of tile values, 0 for an empty cell.
func (b *Board) Tiles() [][]int64 {
	tiles := make([][]int64, b.size.Rows)
	for r := range tiles {
		tiles[r] = make([]int64, b.size.Cols)
		for c := range tiles[r] {
			tiles[r][c] = Tile(b.At(r, c))
		}
	}
	return tiles
}

// FromTiles is the inverse of Tiles. Its errors name the row and the cell.
func FromTiles(tiles [][]int64) (Board, error) {
	cols := 0
	if len(tiles) > 0 {
		cols = len(tiles[0])
	}
	size := Size{len(tiles), cols}
	if !size.Valid() {
		return Board{}, fmt.Errorf("board has %s and %s in the first: must be %d to %d of each", numfmt.Count(len(tiles), "row", "rows"), numfmt.Count(cols, "cell", "cells"), MinSide, MaxSide)
	}
	b := New(size)
	for r, row := range tiles {
		if len(row) != cols {
			return Board{}, fmt.Errorf("board row %d has %s, row 1 has %d: must be rows of equal length", r+1, numfmt.Count(len(row), "cell", "cells"), cols)
		}
		for c, tile := range row {
			if !IsTile(tile) {
				return Board{}, fmt.Errorf("board row %d, cell %d: %d is not a tile: must be 0 or a power of two from 2 to 2^%d", r+1, c+1, tile, MaxExponent)
			}
			if tile != 0 {
				b.Set(r*cols+c, uint8(bits.TrailingZeros64(uint64(tile))))
			}
		}
	}
	return b, nil
}

// IsTile reports whether a number is a tile value, or 0 for an empty cell.
func IsTile(v int64) bool {
	return v == 0 || v >= 2 && v <= 1<<MaxExponent && v&(v-1) == 0
}

// MarshalJSON returns rows of tile values.
func (b Board) MarshalJSON() ([]byte, error) { return json.Marshal(b.Tiles()) }

// UnmarshalText reads any notation; see [Parse].
func (b *Board) UnmarshalText(text []byte) (err error) {
	*b, err = Parse(string(text))
	return err
}

// UnmarshalJSON reads rows of tile values.
func (b *Board) UnmarshalJSON(data []byte) (err error) {
	if len(data) > maxText {
		return tooLong(len(data))
	}
	var tiles [][]int64
	if err = json.Unmarshal(data, &tiles); err != nil {
		return errors.New("board as JSON: must be rows of whole tile values such as [[2,0],[0,4]]")
	}
	*b, err = FromTiles(tiles)
	return err
}

// maxText limits the text of a board in bytes.
const maxText = 1 << 16

func tooLong(n int) error {
	return fmt.Errorf("text of %d bytes: a board has at most %d bytes", n, maxText)
}

// Parse reads a board in any of these notations:
//
//   - tile values such as 2,0,0,4/0,0,8,0/...: cells separated by commas, spaces, tabs, semicolons
//     or |, rows by slashes or newlines. An empty cell is 0, a dot, - or _, or an empty field between
//     two separators, as spreadsheets write it. 16k is 16384, and 2^36 is a tile too. Lines such as
//     Score: 12 above and below the board are ignored
//   - 9, 16, 25 or 36 tile values in one row or one column, for square boards
//   - sixteen characters 0-9a-h in either case, one exponent each, for 4x4; also the link
//     2048verse.com/p/ that ends in them. Two or more f, or any x, may mean walls: see [WallsError]
//   - a link of Afterstate's page to a position, such as http://127.0.0.1:2048/#solve/2,0/0,4/12
//   - JSON: rows of tile values; also lists, tuples and the arrays of libraries such as NumPy, as
//     Python prints them, and rows in braces
//   - a JSON object with the field board, as the commands best and inspect write it
//   - the gameState that the original page keeps in local storage
//
// The size follows from the text. For tile values, an error names the row and the cell, and its
// second line shows the board as it was read.
func Parse(text string) (Board, error) {
	b, _, err := ParseScored(text)
	return b, err
}

// ParseScored reads a board as Parse does and also returns the score, or nil if the text has none.
// Only JSON objects, including the gameState, and links of the page can have a score.
func ParseScored(text string) (Board, *int64, error) {
	if len(text) > maxText {
		return Board{}, nil, tooLong(len(text))
	}
	position, score, linked := positionOf(text)
	if linked {
		text = position
	}
	text = unwrapped(text)
	switch {
	case strings.TrimSpace(text) == "":
		return Board{}, nil, errEmpty
	case text[0] == '{':
		return parseObject(text)
	}
	b, err := parseText(text)
	return b, score, err
}

var errEmpty = errors.New("empty board: must be tile values such as 2,0,0,4/0,0,8,0/0,0,0,0/0,0,0,2")

func parseText(text string) (Board, error) {
	if exponents, ok := exponentsOf(text); ok {
		return parseExponents(exponents)
	}
	switch {
	case text[0] == '[' || text[0] == '(':
		var tiles [][]int64
		if json.Unmarshal([]byte(text), &tiles) == nil {
			if b, err := FromTiles(tiles); err == nil {
				return b, nil
			}
		}
		return parseGrid(lines(text))
	case len(text) == 16 && !strings.ContainsAny(text, ",./;| \t\r\n"):
		return parseExponents(text)
	}
	return parseGrid(text)
}

// lines converts nested lists to text with one line for each row: it removes opening brackets, and
// replaces each closing bracket, with a comma after it, by a newline.
func lines(text string) string {
	parts := strings.Split(strings.ReplaceAll(text, ")", "]"), "]")
	for i, part := range parts[1:] {
		parts[i+1] = strings.TrimPrefix(strings.TrimLeft(part, space), ",")
	}
	return strings.NewReplacer("[", "", "(", "").Replace(strings.Join(parts, "\n"))
}

const space = " \t\r\n\f"

// withoutName removes the key gameState, which may be copied together with its value from local
// storage.
func withoutName(text string) string {
	quote, rest, named := strings.Cut(text, "gameState")
	if !named || quote != "" && quote != `"` && quote != "'" {
		return text
	}
	rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(rest, `"`), "'"), space)
	return strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(rest, ":"), "="), space)
}

// withoutLabels removes lines such as Score: 12 above and below a board.
func withoutLabels(text string) string {
	lines := strings.Split(text, "\n")
	for len(lines) > 1 && isLabel(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 1 && isLabel(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// isLabel reports whether a line is empty or a label: words, a colon and optionally a number.
func isLabel(line string) bool {
	words, number, found := strings.Cut(line, ":")
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsSpace(r) }
	words = strings.TrimSpace(words)
	return trimmed(line) == "" || words != "" && found && strings.TrimFunc(words, isWord) == "" && strings.Trim(number, "0123456789.,'kK"+space) == ""
}

// withoutArray removes the name and the options of an array as libraries print it: array([...], dtype=int32),
// tensor([...]), <tf.Tensor: shape=(2, 2), dtype=int32, numpy=array([...])>.
func withoutArray(text string) string {
	if _, inner, ok := strings.Cut(text, "numpy="); ok && strings.HasPrefix(text, "<tf.") {
		text = trimmed(strings.TrimSuffix(inner, ">"))
	}
	name, list, called := strings.Cut(text, "(")
	list = strings.TrimLeft(list, space)
	end := strings.LastIndexByte(list, ']') + 1
	isName := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' }
	if called && name != "" && strings.TrimFunc(name, isName) == "" && strings.HasPrefix(list, "[") {
		options, closed := strings.CutSuffix(strings.TrimSpace(list[end:]), ")")
		if closed && (options == "" || strings.HasPrefix(options, ",") && strings.Contains(options, "=")) {
			return list[:end]
		}
	}
	return text
}

// unwrapped returns text without what may surround a copied board: space, the quotes of a browser's
// console, the key gameState, labels, and the name of an array. Tabs at the ends stay, since they
// may delimit empty cells. It writes rows in braces as rows in brackets.
func unwrapped(text string) string {
	text = withoutName(trimmed(text))
	var inner string
	switch {
	case strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &inner) == nil:
		text = trimmed(inner)
	case len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\'':
		text = trimmed(text[1 : len(text)-1])
	}
	text = withoutArray(withoutLabels(text))
	if rest, ok := strings.CutPrefix(text, "{"); ok && strings.HasPrefix(strings.TrimLeft(rest, space), "{") {
		return braces.Replace(strings.TrimRight(text, ";"+space))
	}
	return text
}

var braces = strings.NewReplacer("{", "[", "}", "]")

func trimmed(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	return strings.TrimFunc(text, func(r rune) bool { return r != '\t' && unicode.IsSpace(r) })
}

// parseObject reads a JSON object: the original page's gameState, or an object with the field
// board.
func parseObject(text string) (Board, *int64, error) {
	var object struct {
		Board json.RawMessage `json:"board"`
		Score *int64          `json:"score"`
	}
	if err := json.Unmarshal([]byte(text), &object); err != nil || object.Board == nil {
		return parseGameState(text)
	}
	if object.Score != nil && *object.Score < 0 {
		return Board{}, nil, fmt.Errorf("score %d: must be 0 or more", *object.Score)
	}
	inner := unwrapped(string(object.Board)) // rows in JSON, or a board as quoted text
	if inner == "" {
		return Board{}, nil, errEmpty
	}
	b, err := parseText(inner)
	return b, object.Score, err
}

// parseGameState reads the gameState that the original page keeps in local storage, whose cells are
// column-major.
func parseGameState(text string) (Board, *int64, error) {
	type cell struct {
		Value int64 `json:"value"`
	}
	var state struct {
		Grid struct {
			Size  int       `json:"size"`
			Cells [][]*cell `json:"cells"`
		} `json:"grid"`
		Score int64 `json:"score"`
	}
	wrong := func(format string, args ...any) (Board, *int64, error) {
		return Board{}, nil, fmt.Errorf(`the original page's state: `+format, args...)
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		return wrong(`%v: must be {"grid":{"size":4,"cells":[...]},"score":0}`, err)
	}
	size := Size{Rows: state.Grid.Size, Cols: state.Grid.Size}
	if !size.Valid() {
		return wrong("size %d: must be from %d to %d", state.Grid.Size, MinSide, MaxSide)
	}
	if state.Score < 0 {
		return wrong("score %d: must be 0 or more", state.Score)
	}
	if len(state.Grid.Cells) != size.Cols {
		return wrong("%d columns: must be %d", len(state.Grid.Cells), size.Cols)
	}
	b := New(size)
	for x, column := range state.Grid.Cells {
		if len(column) != size.Rows {
			return wrong("column %d has %d cells: must be %d", x+1, len(column), size.Rows)
		}
		for y, c := range column {
			switch {
			case c == nil:
			case !IsTile(c.Value) || c.Value == 0:
				return wrong("column %d, cell %d: %d is not a tile", x+1, y+1, c.Value)
			default:
				b.Set(y*size.Cols+x, uint8(bits.TrailingZeros64(uint64(c.Value))))
			}
		}
	}
	return b, &state.Score, nil
}

// MaxLine is the maximal length in bytes of a line that Scan reads. It is far more than a board
// needs.
const MaxLine = 1 << 16

// Scan reads boards, one per line, in any notation that Parse reads, and skips empty lines. An
// error names the line and ends the sequence.
func Scan(r io.Reader) iter.Seq2[Board, error] {
	return func(yield func(Board, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, MaxLine)
		n := 0
		for lines.Scan() {
			n++
			text := lines.Text() // not trimmed: tabs at its ends delimit empty cells
			if strings.TrimSpace(text) == "" {
				continue
			}
			b, err := Parse(text)
			if err != nil {
				yield(b, fmt.Errorf("line %d: %w", n, err))
				return
			}
			if !yield(b, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(Board{}, fmt.Errorf("line %d has more than %d bytes: too long for a board", n+1, MaxLine))
		case err != nil:
			yield(Board{}, fmt.Errorf("line %d: %w", n+1, err))
		}
	}
}
