package board

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/afterstate2048/afterstate/internal/console"
	"github.com/afterstate2048/afterstate/internal/numfmt"
)

// grid holds the words of a board text by row, not yet parsed as tiles. An empty word is an empty
// field between two separators.
type grid [][]string

// maxShown limits the bytes of a word in an error.
const maxShown = 24

func parseGrid(text string) (Board, error) {
	g := readGrid(text)
	if len(g) == 0 {
		return Board{}, errEmpty
	}
	tiles := make([][]int64, len(g))
	for r, row := range g {
		for c, word := range row {
			tile, ok := parseTile(word)
			if !ok {
				err := fmt.Errorf("board row %d, cell %d: %q is not a tile: tiles are 2, 4, 8 and so on to 2^%d; 0 or . is an empty cell", r+1, c+1, console.Short(word, maxShown), MaxExponent)
				return Board{}, g.asRead(err, r, c)
			}
			tiles[r] = append(tiles[r], tile)
		}
	}
	if err := g.checkWidths(); err != nil {
		return Board{}, g.asRead(err, -1, -1)
	}
	b, err := FromTiles(tiles)
	if err != nil {
		return b, g.asRead(err, -1, -1)
	}
	return b, nil
}

// readGrid splits text into rows and cells.
func readGrid(text string) grid {
	rows := splitRows(text)
	delimiter := ""
	for _, d := range []string{"\t", "|", ";", ","} {
		if delimiter == "" && slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, d) }) {
			delimiter = d
		}
	}
	framed := !slices.ContainsFunc(rows, func(row string) bool { return !isFramed(row) })
	g := make(grid, len(rows))
	for i, row := range rows {
		if delimiter == "|" && framed {
			row = row[1 : len(row)-1]
		}
		g[i] = splitCells(row, delimiter)
		if g[i] == nil { // separators are mixed: split at all of them and drop empty fields
			for i, row := range rows {
				g[i] = strings.FieldsFunc(row, separates)
			}
			return square(g)
		}
	}
	if delimiter != "|" { // with |, an empty last field is an empty cell, not a separator at the end of the row
		g = g.withoutLastColumn()
	}
	return square(g)
}

// lineEnds normalizes line ends to \n and the vertical lines of drawings to |.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "│", "|", "┃", "|", "║", "|")

// splitRows splits text at newlines and slashes. It skips empty lines and drawn borders. A single
// line is split at semicolons if each part has several cells.
func splitRows(text string) (rows []string) {
	for line := range strings.SplitSeq(lineEnds.Replace(text), "\n") {
		if line = trimmed(line); line == "" || isBorder(line) {
			continue
		}
		if cut := strings.TrimSpace(line); strings.HasSuffix(cut, "/") && strings.Count(cut, "/") == 1 {
			line = cut[:len(cut)-1]
		}
		for row := range strings.SplitSeq(line, "/") {
			rows = append(rows, trimmed(row))
		}
	}
	if len(rows) == 1 {
		parts := strings.Split(strings.TrimRight(rows[0], "; \t"), ";")
		lists := func(part string) bool { return len(strings.FieldsFunc(part, separates)) > 1 }
		if len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool { return !lists(part) }) {
			return parts
		}
	}
	return rows
}

// isBorder reports whether a line is a border between rows, such as +----+----+ or |---|---|.
func isBorder(line string) bool {
	const drawn = "+-=|:─━═┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝┏┳┓┣╋┫┗┻┛ "
	return strings.Trim(line, drawn) == "" && (strings.Contains(line, "--") || strings.ContainsAny(line, "=─━═"))
}

// separates reports whether a character separates cells.
func separates(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;|", r) }

// isFramed reports whether a row begins and ends with |. If all rows do, each | at an end is the
// frame of a table. Otherwise it delimits an empty cell.
func isFramed(row string) bool { return len(row) > 1 && row[0] == '|' && row[len(row)-1] == '|' }

// splitCells splits a row at a delimiter, where an empty field is an empty cell, or at spaces if
// delimiter is "". It returns nil if other separators also occur between cells.
func splitCells(row, delimiter string) []string {
	if delimiter == "" || row == "" {
		return strings.Fields(row)
	}
	cells := strings.Split(row, delimiter)
	for i, cell := range cells {
		words := strings.FieldsFunc(cell, separates)
		if len(words) > 1 {
			return nil
		}
		cells[i] = strings.Join(words, "")
	}
	return cells
}

// withoutLastColumn removes an empty last column if the board is square without it. Such a column
// results from a separator at the end of each row.
func (g grid) withoutLastColumn() grid {
	last := func(row []string) int { return len(row) - 1 }
	for _, row := range g {
		if len(row) < 2 || row[last(row)] != "" || len(g) > 1 && last(row) != len(g) || len(g) == 1 && squareSide(last(row)) == 0 {
			return g
		}
	}
	for i, row := range g {
		g[i] = row[:last(row)]
	}
	return g
}

// square splits a board that was read as one row or one column into the rows of a square board. It
// returns other grids unchanged.
func square(g grid) grid {
	cells := slices.Concat(g...)
	if len(g) > 1 && len(g) != len(cells) {
		return g
	}
	side := squareSide(len(cells))
	if side == 0 {
		return g
	}
	return slices.Collect(slices.Chunk(cells, side))
}

// squareSide returns the side, from 3 to 6, of a square board with this number of cells, or 0 if
// there is none. It excludes 2x2, because four numbers are more often a row than a board.
func squareSide(cells int) int {
	for side := MinSide + 1; side <= MaxSide; side++ {
		if side*side == cells {
			return side
		}
	}
	return 0
}

// checkWidths returns an error that names the first row with a different number of cells than most
// rows. A grid of one row is always an error, because the function square has already split rows
// that hold a square board.
func (g grid) checkWidths() error {
	if len(g) == 1 {
		return fmt.Errorf("board of %s without rows: must be 9, 16, 25 or 36 cells for a square board, or rows split by slashes or newlines", numfmt.Count(len(g[0]), "number", "numbers"))
	}
	rows := map[int]int{} // number of rows by width
	width := len(g[0])
	for _, row := range g {
		rows[len(row)]++
	}
	for _, row := range g {
		if rows[len(row)] > rows[width] {
			width = len(row)
		}
	}
	like := slices.IndexFunc(g, func(row []string) bool { return len(row) == width })
	for r, row := range g {
		if len(row) != width {
			return fmt.Errorf("board row %d has %s, row %d has %d: must be rows of equal length", r+1, numfmt.Count(len(row), "cell", "cells"), like+1, width)
		}
	}
	return nil
}

// asRead adds a second line to an error: the board as it was read, with the wrong cell in brackets.
// A negative row or col marks no cell.
func (g grid) asRead(err error, row, col int) error {
	const maximum = 40
	var out strings.Builder
	cells := 0
	for r, words := range g {
		if r > 0 {
			out.WriteString(" / ")
		}
		for c, word := range words {
			if cells++; cells > maximum {
				return errors.New(err.Error() + "\nread as " + out.String() + "...")
			}
			if c > 0 {
				out.WriteByte(',')
			}
			word = console.Short(word, maxShown)
			switch tile, ok := parseTile(word); {
			case r == row && c == col:
				fmt.Fprintf(&out, "[%s]", strings.Trim(strconv.Quote(word), `"`))
			case ok:
				out.WriteString(strconv.FormatInt(tile, 10))
			default:
				out.WriteString(strings.Trim(strconv.Quote(word), `"`))
			}
		}
	}
	return errors.New(err.Error() + "\nread as " + out.String())
}

// parseTile parses a tile value such as 2048, 2^11 or 2k. It ignores quotes and a fraction of zeros, as in 2048.0.
func parseTile(word string) (int64, bool) {
	word = strings.Trim(word, `"'`)
	switch strings.ToLower(word) {
	case "", ".", "-", "_", "·", "none", "null", "nan":
		return 0, true
	}
	if whole, fraction, ok := strings.Cut(word, "."); ok && strings.Trim(fraction, "0") == "" {
		word = whole
	}
	if power, ok := strings.CutPrefix(word, "2^"); ok {
		exponent, err := strconv.ParseUint(power, 10, 8)
		return Tile(uint8(exponent)), err == nil && exponent >= 1 && exponent <= MaxExponent
	}
	thousands, short := strings.CutSuffix(strings.ToLower(word), "k")
	tile, err := strconv.ParseInt(thousands, 10, 64)
	if short {
		tile = ofThousands(tile)
	}
	return tile, err == nil && IsTile(tile)
}

// ofThousands returns the tile that people write as n followed by k, or -1 if there is none: n
// times 1024, as in 16k, or the tile whose value in thousands, rounded down, is n, as in 65k for
// 65536.
func ofThousands(n int64) int64 {
	for e := 10; e <= MaxExponent; e++ {
		if tile := Tile(uint8(e)); n == tile/1024 || n == tile/1000 {
			return tile
		}
	}
	return -1
}
