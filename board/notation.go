package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
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

// FromTiles is the inverse of Tiles. Errors name the row and the cell.
func FromTiles(tiles [][]int64) (Board, error) {
	cols := 0
	if len(tiles) > 0 {
		cols = len(tiles[0])
	}
	size := Size{len(tiles), cols}
	if !size.Valid() {
		return Board{}, fmt.Errorf("board of %s, the first of %s: want %d to %d of each", count(len(tiles), "row"), count(cols, "cell"), MinSide, MaxSide)
	}
	b := New(size)
	for r, row := range tiles {
		if len(row) != cols {
			return Board{}, fmt.Errorf("board row %d has %s, row 1 has %d: want rows of equal length", r+1, count(len(row), "cell"), cols)
		}
		for c, tile := range row {
			if !isTile(tile) {
				return Board{}, fmt.Errorf("board row %d, cell %d: %d is not a tile: want 0 or a power of two from 2 to 2^%d", r+1, c+1, tile, MaxExponent)
			}
			if tile != 0 {
				b.Set(r*cols+c, uint8(bits.TrailingZeros64(uint64(tile))))
			}
		}
	}
	return b, nil
}

// count formats a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func isTile(v int64) bool {
	return v == 0 || v >= 2 && v <= 1<<MaxExponent && v&(v-1) == 0
}

// Parse reads a board from text in one of three notations:
//
//   - tile values: cells separated by commas or spaces, rows by slashes or newlines,
//     0 or a dot for an empty cell: 2,0,0,4/0,0,8,0/...
//   - sixteen characters 0-9a-h in either case, one exponent each, for 4x4
//   - JSON: rows of tile values
//
// The size follows from the text.
func Parse(text string) (Board, error) {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return Board{}, fmt.Errorf("empty board: want tile values such as 2,0,0,4/0,0,8,0/0,0,0,0/0,0,0,2")
	case trimmed[0] == '[':
		var b Board
		err := b.UnmarshalJSON([]byte(trimmed))
		return b, err
	case len(trimmed) == 16 && !strings.ContainsAny(trimmed, ",./ \t\r\n"):
		return parseExponents(trimmed)
	}
	return parseTiles(trimmed)
}

func parseTiles(text string) (Board, error) {
	var tiles [][]int64
	for _, line := range rowBreak.Split(text, -1) {
		cells, err := parseRow(line, len(tiles)+1)
		if err != nil {
			return Board{}, err
		}
		tiles = append(tiles, cells)
	}
	return FromTiles(tiles)
}

var (
	rowBreak  = regexp.MustCompile(`\s*/\s*|\s*\n\s*`)
	cellBreak = regexp.MustCompile(`\s*,\s*|\s+`)
)

func parseRow(line string, row int) ([]int64, error) {
	var cells []int64
	for _, word := range cellBreak.Split(line, -1) {
		if word == "." {
			word = "0"
		}
		tile, err := strconv.ParseInt(word, 10, 64)
		if err != nil || !isTile(tile) {
			return nil, fmt.Errorf("board row %d, cell %d: %q is not a tile: want 0, . or a power of two from 2 to 2^%d", row, len(cells)+1, shorten(word), MaxExponent)
		}
		cells = append(cells, tile)
	}
	return cells, nil
}

// shorten limits user input in an error to a readable length.
func shorten(s string) string {
	if len(s) > 24 {
		return s[:24] + "..."
	}
	return s
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

// Exponents returns the 16-character notation of a 4x4 board. ok is false for other sizes and for
// tiles above 131072, which it cannot represent.
func (b *Board) Exponents() (text string, ok bool) {
	if b.size != (Size{4, 4}) || b.Largest() > 17 {
		return "", false
	}
	out := make([]byte, 16)
	for i := range out {
		out[i] = "0123456789abcdefgh"[b.Cell(i)]
	}
	return string(out), true
}

// MarshalJSON returns rows of tile values.
func (b Board) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 4*b.size.Cells())
	out = append(out, '[')
	for r := range b.size.Rows {
		if r > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		for c := range b.size.Cols {
			if c > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendInt(out, Tile(b.At(r, c)), 10)
		}
		out = append(out, ']')
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads rows of tile values.
func (b *Board) UnmarshalJSON(data []byte) error {
	var tiles [][]int64
	if err := json.Unmarshal(data, &tiles); err != nil {
		return errors.New("board as JSON: want rows of whole tile values such as [[2,0],[0,4]]")
	}
	parsed, err := FromTiles(tiles)
	if err == nil {
		*b = parsed
	}
	return err
}
