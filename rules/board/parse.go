package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse reads a board from text as people have it:
//
//   - tile values: cells separated by commas, spaces, tabs, semicolons or |, rows by slashes or
//     newlines: 2,0,0,4/0,0,8,0/...; 0, a dot, - or _ is an empty cell, and so is nothing between
//     two separators, as a spreadsheet writes it
//   - 9, 16, 25 or 36 tile values in one row or one column, for square boards
//   - sixteen characters 0-9a-h in either case, one exponent each, for 4x4
//   - JSON: rows of tile values; also what Python prints for lists, tuples and arrays
//   - the gameState that the original page keeps in local storage
//
// The size follows from the text. Where a notation is not what it should be, the error names the
// row and the cell, and its second line is the board as it was read.
func Parse(text string) (Board, error) {
	b, _, err := ParseScored(text)
	return b, err
}

// ParseScored is Parse and returns the score too, nil if the notation has none: only the gameState
// has one.
func ParseScored(text string) (Board, *int64, error) {
	text = unwrapped(text)
	switch {
	case strings.TrimSpace(text) == "":
		return Board{}, nil, errEmpty
	case text[0] == '{':
		return parseGameState(text)
	}
	b, err := parseText(text)
	return b, nil, err
}

var errEmpty = errors.New("empty board: want tile values such as 2,0,0,4/0,0,8,0/0,0,0,0/0,0,0,2")

func parseText(text string) (Board, error) {
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

// lines writes the rows of nested lists as lines: it removes opening brackets, and replaces closing
// ones, with the comma after them, by newlines.
func lines(text string) string {
	var out strings.Builder
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		whole := text[:n]
		text = text[n:]
		switch r {
		case '[', '(':
		case ']', ')':
			text = strings.TrimPrefix(strings.TrimLeft(text, space), ",")
			out.WriteByte('\n')
		default:
			out.WriteString(whole)
		}
	}
	return out.String()
}

const space = " \t\r\n\f"

// withoutName removes the name of the stored gameState that a board is copied with.
func withoutName(text string) string {
	rest := strings.TrimLeft(text, `"'`)
	if len(text)-len(rest) > 1 {
		return text
	}
	rest, named := strings.CutPrefix(rest, "gameState")
	if !named {
		return text
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest = rest[1:]
	}
	rest = strings.TrimLeft(rest, space)
	if rest != "" && (rest[0] == ':' || rest[0] == '=') {
		rest = rest[1:]
	}
	return strings.TrimLeft(rest, space)
}

// withoutArray removes the name of a NumPy array: array([...]), np.array([...]).
func withoutArray(text string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(text, "np."), "numpy.")
	rest, named := strings.CutPrefix(rest, "array")
	if rest = strings.TrimLeft(rest, space); named && strings.HasPrefix(rest, "(") {
		return rest
	}
	return text
}

// unwrapped returns text without what surrounds a board where it is copied from: space, the quotes
// of a browser's console, the name of the stored gameState. Tabs stay: they may surround empty cells.
func unwrapped(text string) string {
	text = trimmed(text)
	text = withoutName(text)
	var inner string
	switch {
	case strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &inner) == nil:
		text = trimmed(inner)
	case len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\'':
		text = trimmed(text[1 : len(text)-1])
	}
	return withoutArray(text)
}

func trimmed(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	return strings.TrimFunc(text, func(r rune) bool { return r != '\t' && unicode.IsSpace(r) })
}

func parseExponents(text string) (Board, error) {
	b := New(Size{4, 4})
	for i, ch := range []byte(strings.ToLower(text)) {
		switch {
		case ch >= '0' && ch <= '9':
			b.Set(i, ch-'0')
		case ch >= 'a' && ch <= 'h':
			b.Set(i, ch-'a'+10)
		default:
			return Board{}, fmt.Errorf("board character %d: %q: want exponents 0-9a-h, or tile values split by commas and slashes", i+1, text[i])
		}
	}
	return b, nil
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
		return wrong(`%v: want {"grid":{"size":4,"cells":[...]},"score":0}`, err)
	}
	size := Size{Rows: state.Grid.Size, Cols: state.Grid.Size}
	if !size.Valid() {
		return wrong("size %d: want %d to %d", state.Grid.Size, MinSide, MaxSide)
	}
	if state.Score < 0 {
		return wrong("score %d: want 0 or more", state.Score)
	}
	if len(state.Grid.Cells) != size.Cols {
		return wrong("%d columns: want %d", len(state.Grid.Cells), size.Cols)
	}
	b := New(size)
	for x, column := range state.Grid.Cells {
		if len(column) != size.Rows {
			return wrong("column %d has %d cells: want %d", x+1, len(column), size.Rows)
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
