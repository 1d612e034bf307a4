package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"slices"
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

// Drawing returns the board for people: a line for each row, with the numbers of the tiles and a dot for an empty cell.
func (b Board) Drawing() string {
	return b.Draw(func(cell int) string {
		if b.Cell(cell) == 0 {
			return "."
		}
		return strconv.FormatInt(Tile(b.Cell(cell)), 10)
	})
}

// Draw returns a text for each cell in rows and columns.
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
			if !IsTile(tile) {
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

// IsTile reports whether a number is the value of a tile, or 0 for none.
func IsTile(v int64) bool {
	return v == 0 || v >= 2 && v <= 1<<MaxExponent && v&(v-1) == 0
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
func (b Board) MarshalJSON() ([]byte, error) { return json.Marshal(b.Tiles()) }

// UnmarshalJSON reads rows of tile values.
func (b *Board) UnmarshalJSON(data []byte) (err error) {
	var tiles [][]int64
	if err = json.Unmarshal(data, &tiles); err != nil {
		return errors.New("board as JSON: want rows of whole tile values such as [[2,0],[0,4]]")
	}
	*b, err = FromTiles(tiles)
	return err
}
